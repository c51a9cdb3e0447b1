import type { Context } from "../context.ts";
import { type Ending, formatOutcome, type Outcome } from "../ending.ts";
import type { RunEvent } from "../events.ts";
import type { GitHubClient } from "../github/client.ts";
import {
  deactivatePreviousRecords,
  findPreviousRecords,
  type PreviousRecords,
  type RecordEnd,
} from "../github/deactivate-previous.ts";
import {
  createRecord,
  type NewRecord,
  type OwnRecord,
  type RecordedDeployment,
  type RecordState,
  recordsOf,
  setState,
} from "../github/deployment-records.ts";
import { wasRejected } from "../github/errors.ts";
import { recordEndKey, recordIdKey } from "../runner/state.ts";
import { runUrl } from "../runner/workflow-run.ts";
import { wasRedacted } from "../text/redact.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import type { Observer } from "./run-report.ts";
import type { RunState } from "./run-state.ts";

/** Which record a run writes on GitHub. */
export interface RecordTarget extends Omit<NewRecord, "payload"> {
  /** The commit of the run; on a pull request, its head. */
  readonly ref: string;
  readonly pullRequest: number | undefined;
}

export interface RecordPlan extends RecordTarget {
  readonly controlPlaneDigest: string;
  /** The digest of the request to the platform: another attempt with the same one continues this one. */
  readonly requestDigest: string;
  /** The record of an earlier attempt, to be continued. */
  readonly resumedId: number | undefined;
  /** Older records of the same task, newest first. */
  readonly earlier: readonly OwnRecord[];
}

/** The state of the record for each outcome, undefined for none (docs/specification.md#outcomes). */
const recordStates: Readonly<Record<Outcome, RecordState | undefined>> = {
  deployed: "success",
  started: "queued",
  planned: undefined,
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
export class RecordReporter implements Observer {
  readonly #plan: RecordPlan;
  readonly #github: GitHubClient;
  readonly #context: Context;
  /** Null if there will be none: it is not requested again. */
  #id: number | null | undefined;
  /** Whether GitHub may have made a record whose id did not arrive. The post step then searches for it. */
  #mayExist = false;
  #earlier: PreviousRecords | undefined;

  constructor(plan: RecordPlan, github: GitHubClient, context: Context) {
    this.#plan = plan;
    this.#github = github;
    this.#context = context;
    this.#id = plan.resumedId;
  }

  onEvent({ kind }: RunEvent, state: RunState): void {
    if (kind === "revision_identified") this.#github.enqueue(() => this.#start(state));
  }

  async #start(state: RunState): Promise<void> {
    const github = this.#github;
    const id = await this.#ensureRecord(state);
    if (id === undefined) return;
    const description = sanitizeLine(`Revision ${state.revisionId}`);
    const status = { state: "in_progress", description, logUrl: this.#logUrl } as const;
    await github.warnOnFailure(() => setState(github, id, status));
    const { earlier } = this.#plan;
    const deployment = this.#previewOf(state);
    const previous = deployment ? recordsOf(deployment, earlier) : earlier;
    this.#earlier = await github.warnOnFailure(() => findPreviousRecords(github, previous));
  }

  /** For the post step, if this one is killed. */
  beforeEnd(state: RunState, ending: Ending): void {
    const end = this.#endOf(state, ending);
    if (end) this.#context.files.saveState(recordEndKey, JSON.stringify(end));
  }

  /** The second try if GitHub failed before; the post step has the third. */
  async onEnd(state: RunState, ending: Ending): Promise<void> {
    const end = this.#endOf(state, ending);
    if (end !== undefined) this.#github.enqueue(() => this.#end(state, end));
    await this.#github.finish();
  }

  async #end(state: RunState, end: RecordEnd): Promise<void> {
    const id = await this.#ensureRecord(state);
    const isFinal = id === undefined ? !this.#mayExist : await this.#finish(id, end);
    if (!isFinal) return;
    this.#context.files.saveState(recordIdKey, "");
    this.#context.files.saveState(recordEndKey, "");
  }

  /** Returns whether the record got its end. To replace others is optional on its own. */
  async #finish(id: number, end: RecordEnd): Promise<boolean> {
    const github = this.#github;
    const isFinal = await github.warnOnFailure(async () => {
      await setState(github, id, end);
      return true;
    });
    if (isFinal) await github.warnOnFailure(() => deactivatePreviousRecords(github, id, end, this.#earlier));
    return isFinal === true;
  }

  /** The id of the record. It is made if there is none, but not after a cancel. */
  async #ensureRecord(state: RunState): Promise<number | undefined> {
    if (this.#id === undefined && !this.#context.cancelled.aborted) {
      this.#id = await this.#github.warnOnFailure(() => this.#create(state));
    }
    if (this.#id === undefined || this.#id === null) return undefined;
    this.#context.files.saveState(recordIdKey, String(this.#id));
    return this.#id;
  }

  async #create({
    deploymentId,
    revisionId,
    name,
    rollbackTarget,
  }: RunState): Promise<number | null | undefined> {
    if (deploymentId === undefined || revisionId === undefined) return undefined;
    const { log, workflow } = this.#context;
    if (wasRedacted(deploymentId) || wasRedacted(revisionId)) {
      log.warning("The deployment is not recorded on GitHub, because the platform's ids contain a secret.");
      return null;
    }
    const {
      pullRequest,
      controlPlaneDigest,
      requestDigest,
      resumedId: _,
      earlier: __,
      ...target
    } = this.#plan;
    const payload = {
      deployment_id: deploymentId,
      revision_id: revisionId,
      name,
      pull_request: pullRequest,
      run_id: workflow.runId,
      control_plane_digest: controlPlaneDigest,
      request_digest: requestDigest,
      rolled_back_to: rollbackTarget,
    };
    this.#setMayExist(true);
    try {
      const id = await createRecord(this.#github, { ...target, payload });
      if (id !== undefined) return id;
    } catch (error) {
      if (wasRejected(error)) this.#setMayExist(false);
      throw error;
    }
    this.#setMayExist(false);
    log.warning(
      "GitHub accepted the record of the deployment without making one. It is not shown on GitHub.",
    );
    return null;
  }

  /** Saves where to search for the record as long as its id is unknown. */
  #setMayExist(mayExist: boolean): void {
    this.#mayExist = mayExist;
    const { environment, task } = this.#plan;
    this.#context.files.saveState(recordIdKey, mayExist ? JSON.stringify({ environment, task }) : "");
  }

  /**
   * The deployment whose records a preview's record replaces; undefined for all of the task. The previews of a pull
   * request on two control planes have the same task.
   */
  #previewOf({ deploymentId }: RunState): RecordedDeployment | undefined {
    const { controlPlaneDigest, transient } = this.#plan;
    return transient ? { controlPlaneDigest, deploymentId } : undefined;
  }

  /** Undefined if no record is to be written. */
  #endOf(runState: RunState, { outcome }: Ending): RecordEnd | undefined {
    const { revisionId, statuses, url, rolledBackTo } = runState;
    const state = recordStates[outcome];
    if (state === undefined || revisionId === undefined) return undefined;
    const { environment, task } = this.#plan;
    const status = statuses.at(-1)?.status.raw;
    const withStatus = `${formatOutcome(outcome)}${status === undefined ? "" : ` (${status})`}`;
    const description =
      rolledBackTo === undefined ? withStatus : `${withStatus}, rolled back to ${rolledBackTo}`;
    return {
      state,
      description: sanitizeLine(description),
      logUrl: this.#logUrl,
      environmentUrl: outcome === "deployed" ? url : undefined,
      replaces: replacingOutcomes.has(outcome)
        ? { environment, task, ...this.#previewOf(runState) }
        : undefined,
    };
  }

  get #logUrl(): string {
    return runUrl(this.#context.workflow);
  }
}
