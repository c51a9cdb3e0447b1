import type { Ending, Outcome } from "../errors.ts";
import type { GitHubClient } from "../github/client.ts";
import {
  createRecord,
  deactivateReplaced,
  listRecordsOfRun,
  type NewRecord,
  nameOfTask,
  type RecordEnd,
  type RecordState,
  setRecordState,
} from "../github/deployment-records.ts";
import { runUrl } from "../github/workflow-run.ts";
import { isSameId } from "../platform/deployment.ts";
import { code, id, text } from "../text/message.ts";
import { wasRedacted } from "../text/redact.ts";
import { formatOutcome } from "./ending.ts";
import type { Follower, FollowerContext } from "./report.ts";
import { recordEndKey, recordIdKey } from "./runner/saved-state.ts";
import { SavedWrite } from "./saved-write.ts";
import { lastStatus } from "./state.ts";

/** Which record a run writes on GitHub. */
export interface RecordTarget extends Omit<NewRecord, "payload"> {
  /** The commit of the run; on a pull request, its head. */
  readonly ref: string;
  readonly pullRequest: number | undefined;
}

interface RecordPlan {
  readonly target: RecordTarget;
  readonly controlPlaneDigest: string;
  /** The digest of the request to the platform: another attempt with the same one continues this one. */
  readonly requestDigest: string;
}

/** The state of the record for each outcome, undefined for none (docs/specification.md#outcomes). */
const recordStates: Readonly<Record<Outcome, RecordState | undefined>> = {
  deployed: "success",
  started: "queued",
  planned: undefined,
  unchanged: undefined,
  failed: "failure",
  superseded: "inactive",
  interrupted: "failure",
  timed_out: "error",
  cancelled: "error",
  deleted: "inactive",
  skipped: undefined,
  done: undefined,
};

/**
 * After these outcomes the earlier records are outdated. After a failure the earlier deployment may still be live, so its
 * record stays.
 */
const replacingOutcomes: ReadonlySet<Outcome> = new Set(["deployed", "started", "deleted"]);

/** Records the deployment on GitHub right after the write, and how it ended (docs/specification.md#github-records). */
export class RecordFollower implements Follower {
  readonly #plan: RecordPlan;
  readonly #github: GitHubClient;
  readonly #context: FollowerContext;
  readonly #saved: SavedWrite;
  /** Null if there will be no record: it is not requested again. */
  #id: number | null | undefined;

  constructor(plan: RecordPlan, github: GitHubClient, context: FollowerContext) {
    this.#plan = plan;
    this.#github = github;
    this.#context = context;
    this.#saved = new SavedWrite({ idKey: recordIdKey, endKey: recordEndKey }, github, context.files);
  }

  onRevision(): void {
    this.#id = this.#context.report.state.continuedRecordId;
    this.#github.enqueue(() => this.#start());
  }

  async #start(): Promise<void> {
    const github = this.#github;
    const recordId = await this.#ensureRecord();
    const { report } = this.#context;
    if (recordId === undefined) return;
    const { render, state } = report;
    const description = render.plain(text`Revision ${id(state.revisionId ?? "")}`);
    const status = { state: "in_progress", description, logUrl: this.#logUrl } as const;
    await github.warnOnFailure(() => setRecordState(github, recordId, status));
  }

  /** Makes the record if GitHub failed before, and ends it. What fails again, the post step tries once more. */
  async onEnd(ending: Ending): Promise<void> {
    const end = this.#endOf(ending);
    if (end !== undefined) this.#saved.end(JSON.stringify(end), () => this.#end(end));
    await this.#github.finish();
  }

  async #end(end: RecordEnd): Promise<boolean> {
    const recordId = await this.#ensureRecord();
    return recordId === undefined ? !this.#saved.mayExist : await this.#finish(recordId, end);
  }

  /** Returns whether the record got its end. Earlier records are optional: they may stay as they are. */
  async #finish(recordId: number, end: RecordEnd): Promise<boolean> {
    const github = this.#github;
    const isFinal = await github.warnOnFailure(async () => {
      await setRecordState(github, recordId, end);
      return true;
    });
    if (!isFinal) return false;
    await github.warnOnFailure(() => deactivateReplaced(github, recordId, end));
    return true;
  }

  /** The id of the record. It is made if there is none, but not after a cancel. */
  async #ensureRecord(): Promise<number | undefined> {
    if (this.#id === undefined && !this.#context.cancelled.aborted) {
      this.#id = await this.#github.warnOnFailure(async () => {
        const found = this.#saved.mayExist ? await this.#find() : undefined;
        return found ?? (await this.#create());
      });
    }
    if (this.#id === undefined || this.#id === null) return undefined;
    this.#saved.exists(this.#id);
    return this.#id;
  }

  /** The record that GitHub made although its response did not say so. */
  async #find(): Promise<number | undefined> {
    const { report, workflow } = this.#context;
    const { revisionId } = report.state;
    const { runId } = workflow;
    const records = await listRecordsOfRun(this.#github, this.#plan.target, runId);
    return records.find(({ payload }) => isSameId(payload.revision_id, revisionId ?? ""))?.id;
  }

  async #create(): Promise<number | null | undefined> {
    const { report, workflow } = this.#context;
    const { deploymentId, revisionId, name, rollbackTarget } = report.state;
    if (deploymentId === undefined || revisionId === undefined) return undefined;
    const rendered = (raw: string | undefined) => raw && report.render.value(raw);
    const ids = {
      deployment_id: report.render.value(deploymentId),
      revision_id: report.render.value(revisionId),
    };
    if (Object.values(ids).some(wasRedacted)) {
      report.warning(
        text`The deployment is not recorded on GitHub, because the platform's IDs contain a secret.`,
      );
      return null;
    }
    const { target, controlPlaneDigest, requestDigest } = this.#plan;
    const payload = {
      ...ids,
      // A preview's record keeps the name of its task, even if the deployment was renamed.
      name: rendered(nameOfTask(target.task) ?? name),
      pull_request: target.pullRequest,
      run_id: workflow.runId,
      control_plane_digest: controlPlaneDigest,
      request_digest: requestDigest,
      rolled_back_to: rendered(rollbackTarget),
    };
    const { environment, task } = target;
    const send = () => createRecord(this.#github, { ...target, payload });
    return await this.#saved.make({ environment, task }, send);
  }

  /** How the record is to end; undefined if this outcome or run leaves no record. */
  #endOf({ outcome }: Ending): RecordEnd | undefined {
    const { state: run, render } = this.#context.report;
    const { revisionId, url, rolledBackTo, unchangedSince } = run;
    const status = lastStatus(run);
    const state = recordStates[outcome];
    // The record of the run that deployed the revision stays, whatever the checks found out.
    if (state === undefined || revisionId === undefined || unchangedSince !== undefined) return undefined;
    const {
      target: { environment, task },
      controlPlaneDigest,
    } = this.#plan;
    const withStatus = status && text` (${code(status.raw, 50)})`;
    const withTarget = rolledBackTo === undefined ? undefined : text`, rolled back to ${id(rolledBackTo)}`;
    return {
      state,
      description: render.plain(text`${code(formatOutcome(outcome))}${withStatus}${withTarget}`),
      logUrl: this.#logUrl,
      environmentUrl: outcome === "deployed" && url !== undefined ? render.value(url) : undefined,
      replaces: replacingOutcomes.has(outcome) ? { environment, task, controlPlaneDigest } : undefined,
    };
  }

  get #logUrl(): string {
    return runUrl(this.#context.workflow);
  }
}
