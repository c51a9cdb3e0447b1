import type { Context } from "../context.ts";
import { formatOutcome, type Outcome, outcomes } from "../outcomes.ts";
import { isSameId } from "../platform/ids.ts";
import type { AnnouncedRevision, RunListener } from "../report/run-listener.ts";
import { savedRecordKey } from "../report/runner/saved-state.ts";
import { lastStatus, type RunState, rolledBackToId } from "../report/state.ts";
import { code, idText, type Message, phrase, text } from "../text/message.ts";
import { runUrl } from "../workflow-run.ts";
import {
  createRecord,
  deactivateNewest,
  isOfControlPlane,
  listActionRecords,
  nameOfTask,
  type RecordSettings,
  type RecordState,
  setRecordState,
} from "./deployment-records.ts";
import type { GitHubClient } from "./github-client.ts";
import type { SentPayload } from "./schemas.ts";

interface RecordOptions {
  readonly settings: RecordSettings;
  readonly controlPlaneDigest: string;
  /** The digest of a deploy's request to the platform. Another attempt with the same digest continues this record. */
  readonly requestDigest?: string;
}

/** Records the deployment on GitHub, and later its outcome (docs/specification.md#github-records). */
export function createRecordWriter(
  options: RecordOptions,
  github: GitHubClient,
  context: Context,
): RunListener {
  const { settings, controlPlaneDigest } = options;
  const { cancelled, files, report, workflow } = context;
  const logUrl = runUrl(workflow);
  /** Set when the revision is known, even if it later turns out not to be this run's. */
  let announced: AnnouncedRevision | undefined;
  let knownId: number | undefined;

  /** Queues a write to the record, and creates a missing record first. */
  const enqueue = (revision: AnnouncedRevision, write: (recordId: number) => Promise<void>) => {
    github.enqueue(async () => {
      knownId ??=
        (await findRecord(revision)) ??
        (await createRecord(github, settings, payloadOf(options, revision, context)));
      report.set({ isRecorded: true });
      await write(knownId);
    });
  };

  /** Finds the record of an earlier attempt, or one that was created although the response was lost. */
  const findRecord = async ({ revisionId }: AnnouncedRevision) => {
    const records = await listActionRecords(github, settings);
    return records
      .filter(({ payload }) => payload.run_id === workflow.runId)
      .find(({ payload }) => isSameId(payload.revision_id, revisionId))?.id;
  };

  const setState = async (recordId: number, state: RecordState, description: Message) => {
    const url = report.state.deployment?.url;
    const environmentUrl =
      state === "success" && url !== undefined ? report.render.forPrograms(url) : undefined;
    await setRecordState(github, recordId, {
      state,
      description: report.render.plain(description),
      logUrl,
      environmentUrl,
    });
  };

  const deactivateReplaced = async (newestId: number) => {
    const replaced = (await listActionRecords(github, settings))
      .filter((record) => record.id < newestId)
      .filter((record) => isOfControlPlane(record, controlPlaneDigest));
    await deactivateNewest(github, replaced, { description: "Replaced by a newer deployment", logUrl });
  };

  return {
    onRevision(revision) {
      announced = revision;
      const { environment, task } = settings;
      files.saveState(savedRecordKey, JSON.stringify({ environment, task }));
      const description = text`Revision ${idText(revision.revisionId)}`;
      enqueue(revision, (newestId) => setState(newestId, "in_progress", description));
    },

    /** Also creates the record if that failed before. */
    async onEnd({ outcome }) {
      const state = outcomes[outcome].recordState;
      if (state !== undefined && announced !== undefined) {
        const description = describeEnd(outcome, report.state);
        enqueue(announced, async (newestId) => {
          await setState(newestId, state, description);
          // After other outcomes, the earlier deployment may still be live, so its record stays active.
          if (outcome === "deployed" || outcome === "started") await deactivateReplaced(newestId);
        });
      }
      await github.endQueue();
      // After a cancellation, time may be too short for the update, so the post step checks the record.
      if (!cancelled.aborted) files.saveState(savedRecordKey, "");
    },
  };
}

function describeEnd(outcome: Outcome, state: RunState): Message {
  const earlierId = rolledBackToId(state);
  const status = lastStatus(state.revision);
  const withStatus = status && phrase` (${code(status.raw, 50)})`;
  const rollback = earlierId === undefined ? undefined : phrase`, rolled back to ${idText(earlierId)}`;
  return text`${code(formatOutcome(outcome))}${withStatus}${rollback}`;
}

function payloadOf(
  { settings, controlPlaneDigest, requestDigest }: RecordOptions,
  { deploymentId, revisionId, content, isCertain, before }: AnnouncedRevision,
  { report, workflow }: Context,
): SentPayload {
  const { name, archive, deployment } = report.state;
  const rendered = (raw: string | undefined) => raw && report.render.forPrograms(raw);
  return {
    deployment_id: report.render.forPrograms(deploymentId),
    revision_id: report.render.forPrograms(revisionId),
    source_tarball_path: rendered(content.tarballPath),
    created: deployment?.created ?? false,
    is_certain: isCertain,
    follows: isCertain ? undefined : rendered(before.listed[0]?.id),
    // The ref of a preview's record is the head of its pull request, which may differ from the checkout.
    commit_sha: rendered(archive?.commit?.sha),
    // A preview's record keeps the name of its task, even if the deployment was renamed.
    name: rendered(nameOfTask(settings.task) ?? name),
    pull_request: settings.pullRequest,
    run_id: workflow.runId,
    control_plane_digest: controlPlaneDigest,
    request_digest: requestDigest,
  };
}
