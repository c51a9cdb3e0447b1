import type { Context } from "../context.ts";
import type { Ending, Outcome } from "../errors.ts";
import { isSameId } from "../platform/deployment.ts";
import { formatOutcome } from "../report/ending.ts";
import type { OwnRevision, RunListener } from "../report/report.ts";
import { recordKey } from "../report/runner/saved-state.ts";
import { lastStatus } from "../report/state.ts";
import { code, id, type Message, text } from "../text/message.ts";
import { runUrl } from "../workflow-run.ts";
import type { GitHubClient } from "./client.ts";
import {
  createRecord,
  deactivateNewest,
  isOfControlPlane,
  listOwnRecords,
  listRecordsOfRun,
  type NewRecord,
  nameOfTask,
  type RecordState,
  setRecordState,
} from "./deployment-records.ts";

/** Which record a run writes on GitHub. */
export interface RecordTarget extends Omit<NewRecord, "payload"> {
  /** The commit of the run; on a pull request, its head. */
  readonly ref: string;
  readonly pullRequest: number | undefined;
}

interface RecordPlan {
  readonly target: RecordTarget;
  readonly controlPlaneDigest: string;
  /** The digest of the request to the platform. Another attempt with the same digest continues this record. */
  readonly requestDigest: string;
}

/** The state of the record for each outcome that has one (docs/specification.md#outcomes). */
export const recordStates: ReadonlyMap<Outcome, RecordState> = new Map([
  ["deployed", "success"],
  ["started", "queued"],
  ["failed", "failure"],
  ["superseded", "inactive"],
  ["interrupted", "failure"],
  ["timed_out", "error"],
  ["cancelled", "error"],
  ["deleted", "inactive"],
]);

/** After a failure the earlier deployment may still be live, so its record stays. */
const replacingOutcomes: ReadonlySet<Outcome> = new Set(["deployed", "started"]);

/** Records the deployment on GitHub right after the write, and how it ended (docs/specification.md#github-records). */
export class RecordWriter implements RunListener {
  readonly #plan: RecordPlan;
  readonly #github: GitHubClient;
  readonly #context: Context;
  /** The recorded revision, once it is known. It stays recorded even if it turns out not to be this run's. */
  #revision: OwnRevision | undefined;
  #id: number | undefined;

  constructor(plan: RecordPlan, github: GitHubClient, context: Context) {
    this.#plan = plan;
    this.#github = github;
    this.#context = context;
  }

  onRevision(revision: OwnRevision): void {
    const { files } = this.#context;
    this.#revision = revision;
    const { environment, task } = this.#plan.target;
    files.saveState(recordKey, JSON.stringify({ environment, task }));
    const description = text`Revision ${id(revision.revisionId)}`;
    this.#enqueue(revision, (recordId) => this.#setState(recordId, "in_progress", description));
  }

  /** Also makes the record, if that failed before. */
  async onEnd({ outcome }: Ending): Promise<void> {
    const { cancelled, files, report } = this.#context;
    const { rolledBackTo } = report.state;
    const state = recordStates.get(outcome);
    if (state !== undefined && this.#revision !== undefined) {
      const status = lastStatus(report.state);
      const withStatus = status && text` (${code(status.raw, 50)})`;
      const withTarget = rolledBackTo === undefined ? undefined : text`, rolled back to ${id(rolledBackTo)}`;
      const description = text`${code(formatOutcome(outcome))}${withStatus}${withTarget}`;
      this.#enqueue(this.#revision, async (recordId) => {
        await this.#setState(recordId, state, description);
        if (replacingOutcomes.has(outcome)) await this.#deactivateReplaced(recordId);
      });
    }
    await this.#github.finish();
    // After a cancellation there is little time, so the post step checks whether the record shows the end.
    if (!cancelled.aborted) files.saveState(recordKey, "");
  }

  /** Writes to the record beside the run, and makes the record if there is none. */
  #enqueue(revision: OwnRevision, write: (recordId: number) => Promise<void>): void {
    this.#github.enqueue(async () => {
      this.#id ??= (await this.#find(revision)) ?? (await this.#create(revision));
      await write(this.#id);
    });
  }

  /** The record of an earlier attempt, or one whose response was lost. */
  async #find({ revisionId }: OwnRevision): Promise<number | undefined> {
    const { workflow } = this.#context;
    const records = await listRecordsOfRun(this.#github, this.#plan.target, workflow.runId);
    return records.find(({ payload }) => isSameId(payload.revision_id, revisionId))?.id;
  }

  async #create({ deploymentId, revisionId, content, follows }: OwnRevision): Promise<number> {
    const { report, workflow } = this.#context;
    const { name, sourceCommit } = report.state;
    const { target, controlPlaneDigest, requestDigest } = this.#plan;
    const rendered = (raw: string | undefined) => raw && report.render.value(raw);
    const payload = {
      deployment_id: report.render.value(deploymentId),
      revision_id: report.render.value(revisionId),
      source_tarball_path: rendered(content.tarballPath),
      follows: rendered(follows),
      // The ref of a preview's record is always the head of its pull request.
      commit_sha: rendered(sourceCommit?.sha),
      // A preview's record keeps the name of its task, even if the deployment was renamed.
      name: rendered(nameOfTask(target.task) ?? name),
      pull_request: target.pullRequest,
      run_id: workflow.runId,
      control_plane_digest: controlPlaneDigest,
      request_digest: requestDigest,
    };
    return await createRecord(this.#github, { ...target, payload });
  }

  async #setState(recordId: number, state: RecordState, description: Message): Promise<void> {
    const { report, workflow } = this.#context;
    const { url } = report.state;
    await setRecordState(this.#github, recordId, {
      state,
      description: report.render.plain(description),
      logUrl: runUrl(workflow),
      environmentUrl: state === "success" && url !== undefined ? report.render.value(url) : undefined,
    });
  }

  /** Makes the earlier records of the task inactive. */
  async #deactivateReplaced(recordId: number): Promise<void> {
    const { target, controlPlaneDigest } = this.#plan;
    const records = await listOwnRecords(this.#github, target);
    const replaced = records
      .filter((record) => record.id < recordId)
      .filter((record) => isOfControlPlane(record, controlPlaneDigest));
    const why = { description: "Replaced by a newer deployment", logUrl: runUrl(this.#context.workflow) };
    await deactivateNewest(this.#github, replaced, why);
  }
}
