import type { PlatformContext } from "../context.ts";
import { formatOutcome, type Outcome, outcomes } from "../outcomes.ts";
import { isSameId } from "../platform/ids.ts";
import { savedRecordKey } from "../report/runner/saved-state.ts";
import type { OwnRevision } from "../state/own-revision.ts";
import { lastStatus, type RunState, rolledBackTo } from "../state/run-state.ts";
import { code, idText, type Message, phrase, text } from "../text/message.ts";
import { headSha } from "../workflow-run.ts";
import {
  type ActionRecord,
  createRecord,
  deactivateRecords,
  isOfControlPlane,
  listActionRecords,
  nameOfTask,
  type RecordSettings,
  type RecordState,
  setRecordState,
} from "./deployment-records.ts";
import type { GitHubClient } from "./github-client.ts";
import type { SentPayload } from "./schemas.ts";

/**
 * Records the run on GitHub when its revision is known, and later its outcome (docs/specification.md#github-records).
 * `requestDigest`: of a deploy's request to the platform. Another attempt with the same digest continues this record.
 */
export function recordRun(
  settings: RecordSettings,
  github: GitHubClient,
  context: PlatformContext,
  requestDigest?: string,
): void {
  const { controlPlane, report, workflow } = context;
  const { environment, task } = settings;
  /** Set when the revision is known, even if it later turns out not to be this run's. */
  let announced: OwnRevision | undefined;
  let knownId: number | undefined;

  /** Returns the id of the record, which may be that of an earlier attempt, or one whose response was lost. */
  const findOrCreate = async (revision: OwnRevision) => {
    const isOwn = ({ payload }: ActionRecord) =>
      payload.run_id === workflow.runId && isSameId(payload.revision_id, revision.revisionId);
    const own = (await listActionRecords(github, settings)).find(isOwn);
    if (own !== undefined) return own.id;
    const payload = { ...payloadOf(revision, settings, context), request_digest: requestDigest };
    return await createRecord(github, settings, recordedRef(settings, context), payload);
  };

  const setState = async (revision: OwnRevision, state: RecordState, description: Message) => {
    knownId ??= await findOrCreate(revision);
    report.set({ isRecorded: true });
    const url = state === "success" ? report.state.deployment?.url : undefined;
    const environmentUrl = url && report.render.redactIdentifier(url);
    await setRecordState(github, knownId, state, report.render.plain(description), environmentUrl);
    return knownId;
  };

  report.writers.add({
    savedState: { key: savedRecordKey, value: { environment, task } },
    async writeRevision(revision) {
      announced = revision;
      await setState(revision, "in_progress", text`Revision ${idText(revision.revisionId)}`);
    },
    async writeEnd({ outcome }) {
      const state = outcomes[outcome].recordState;
      if (state === undefined || announced === undefined) return;
      const id = await setState(announced, state, describeEnd(outcome, report.state));
      // After other outcomes, the earlier deployment stays live. A run that does not wait can't tell later which one is.
      if (outcome !== "deployed" && outcome !== "started") return;
      const isReplaced = (record: ActionRecord) =>
        record.id < id && isOfControlPlane(record, controlPlane.digest);
      const replaced = (await listActionRecords(github, settings)).filter(isReplaced);
      await deactivateRecords(github, replaced, "Replaced by a newer deployment");
    },
  });
}

function describeEnd(outcome: Outcome, state: RunState): Message {
  const status = lastStatus(state.revision);
  const withStatus = status && phrase` (${code(status.raw, 50)})`;
  const targetId = rolledBackTo(state);
  const rollback = targetId && phrase`, rolled back to ${idText(targetId)}`;
  return text`${code(formatOutcome(outcome))}${withStatus}${rollback}`;
}

/** Returns the commit of an upload's checkout, or else the run's. For a preview, that is the head of its pull request. */
function recordedRef({ pullRequest }: RecordSettings, { report, workflow }: PlatformContext): string {
  const checkedOut = report.state.archive?.commit;
  const isRecorded = pullRequest === undefined && checkedOut?.isOfThisRepository;
  return isRecorded ? checkedOut.sha : headSha(workflow);
}

function payloadOf(
  { deploymentId, revisionId, content, isCertain, before }: OwnRevision,
  { task, pullRequest }: RecordSettings,
  { controlPlane, report, workflow }: PlatformContext,
): SentPayload {
  const { name, archive, deployment } = report.state;
  const rendered = (raw: string | undefined) => raw && report.render.redactIdentifier(raw);
  return {
    deployment_id: report.render.redactIdentifier(deploymentId),
    revision_id: report.render.redactIdentifier(revisionId),
    source_tarball_path: rendered(content.tarballPath),
    created: deployment?.created ?? false,
    is_certain: isCertain,
    follows: isCertain ? undefined : rendered(before.listed[0]?.id),
    // The ref of a preview's record is the head of its pull request, which may differ from the checkout.
    commit_sha: rendered(archive?.commit?.sha),
    // A preview's record keeps the name of its task, even if the deployment was renamed.
    name: rendered(nameOfTask(task) ?? name),
    pull_request: pullRequest,
    run_id: workflow.runId,
    control_plane_digest: controlPlane.digest,
  };
}
