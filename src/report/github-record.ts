import type { Context } from "../context.ts";
import type { GitHub } from "../github/client.ts";
import { wasRefused } from "../github/errors.ts";
import type { NewRecord, NewStatus } from "../github/record-requests.ts";
import type { OwnRecord } from "../github/records.ts";
import { type Earlier, lookAtEarlier, type RecordEnd, replaceOthers } from "../github/replacement.ts";
import { runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { type Ending, formatOutcome, type Outcome } from "../progress/ending.ts";
import type { Facts } from "../progress/facts.ts";
import type { Reporter } from "../progress/progress.ts";
import { recordEndState, recordState } from "../runner/state.ts";
import { wasRedacted } from "../text/redact.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { recordStates } from "./record-state.ts";

/** Which record a run writes on GitHub. */
export interface RecordSubject extends Omit<NewRecord, "payload"> {
  /** The commit: the run's, on a pull request its head. */
  readonly ref: string;
  readonly pullRequest: number | undefined;
}

export interface RecordPlan extends RecordSubject {
  /** Of what the run sends: by it another attempt tells whether it would send the same. */
  readonly requestDigest: string;
  /** The record of an earlier attempt, to go on with. */
  readonly resumedId: number | undefined;
  /** Older ones of the same task, newest first. */
  readonly earlier: readonly OwnRecord[];
}

/**
 * With these outcomes what earlier records tell of is live no more. With `started` it still is, but nobody looks
 * again. After any other it may well be, so these records stay as they are.
 */
const replacing: ReadonlySet<Outcome> = new Set(["deployed", "started", "deleted"]);

/** Records the deployment on GitHub right after the write, and how it ended (contract, 4). */
export class RecordReporter implements Reporter {
  readonly #plan: RecordPlan;
  readonly #run: WorkflowRun;
  readonly #github: GitHub;
  readonly #context: Context;
  readonly #logUrl: string;
  /** Null where GitHub answered without making one: it is not asked again. */
  #id: number | null | undefined;
  /** Whether GitHub was asked to make it and may have: the `post:` step looks for it then. */
  #isSought = false;
  #earlier: Earlier | undefined;

  constructor(plan: RecordPlan, run: WorkflowRun, github: GitHub, context: Context) {
    this.#plan = plan;
    this.#run = run;
    this.#github = github;
    this.#context = context;
    this.#logUrl = runUrl(run);
    this.#id = plan.resumedId;
  }

  async onRevision(facts: Facts): Promise<void> {
    const github = this.#github;
    const id = await this.#recorded(facts);
    if (id === undefined) return;
    const description = sanitizeLine(`Revision ${facts.revisionId}`);
    await github.tolerate(() => github.records.setState(id, this.#status("in_progress", description)));
    this.#earlier = await github.tolerate(() => lookAtEarlier(github, this.#plan.earlier));
    github.reserve(this.#earlier?.active.length ?? 0);
  }

  /** For the `post:` step, which settles what this one can't. */
  onEnding(facts: Facts, ending: Ending): void {
    const end = this.#endOf(facts, ending);
    if (end) this.#context.files.saveState(recordEndState, JSON.stringify(end));
  }

  /** Where GitHub failed at first, this is the second try; the `post:` step has the third. */
  async onEnd(facts: Facts, ending: Ending): Promise<void> {
    const end = this.#endOf(facts, ending);
    if (end === undefined) return;
    const id = await this.#recorded(facts);
    const isSettled = id === undefined ? !this.#isSought : await this.#settle(id, end);
    if (!isSettled) return;
    this.#context.files.saveState(recordState, "");
    this.#context.files.saveState(recordEndState, "");
  }

  /** Whether the record ended like this; what it replaces has a try of its own. */
  async #settle(id: number, end: RecordEnd): Promise<boolean> {
    const github = this.#github;
    const isSettled = await github.tolerate(async () => {
      await github.records.setState(id, end);
      return true;
    });
    if (isSettled) await github.tolerate(() => replaceOthers(github, id, end, this.#earlier));
    return isSettled === true;
  }

  /** The record's id; it is made where there is none yet, unless the run was cancelled. */
  async #recorded(facts: Facts): Promise<number | undefined> {
    if (this.#id === undefined && !this.#context.cancelled.aborted)
      this.#id = await this.#github.tolerate(() => this.#create(facts));
    if (this.#id === undefined || this.#id === null) return undefined;
    this.#context.files.saveState(recordState, String(this.#id));
    return this.#id;
  }

  async #create(facts: Facts): Promise<number | null | undefined> {
    const { deploymentId, revisionId } = facts;
    if (deploymentId === undefined || revisionId === undefined) return undefined;
    if (wasRedacted(deploymentId) || wasRedacted(revisionId)) {
      this.#context.log.warning(
        "The platform's ids hold one of this run's secrets, so the deployment isn't recorded on GitHub.",
      );
      return null;
    }
    const { ref, task, environment, transient, production, pullRequest, requestDigest } = this.#plan;
    const payload = {
      deployment_id: deploymentId,
      revision_id: revisionId,
      name: facts.name,
      pull_request: pullRequest,
      run_id: this.#run.runId,
      request_digest: requestDigest,
    };
    this.#seek(true);
    const record = { ref, task, environment, transient, production, payload };
    const id = await this.#github.records.create(record).catch((error: unknown) => {
      if (wasRefused(error)) this.#seek(false);
      throw error;
    });
    if (id !== undefined) return id;
    this.#seek(false);
    this.#context.log.warning(
      "GitHub took the deployment's record without making one; this deployment isn't shown there.",
    );
    return null;
  }

  /** Keeps what the record can be found by while its id isn't known. */
  #seek(isSought: boolean): void {
    this.#isSought = isSought;
    const { environment, task } = this.#plan;
    this.#context.files.saveState(recordState, isSought ? JSON.stringify({ environment, task }) : "");
  }

  /** Undefined where there is none to write. */
  #endOf(facts: Facts, ending: Ending): RecordEnd | undefined {
    const state = recordStates[ending.outcome];
    if (state === undefined || facts.revisionId === undefined) return undefined;
    const { environment, task } = this.#plan;
    const status = facts.statuses.at(-1)?.status;
    const description = `${formatOutcome(ending.outcome)}${status === undefined ? "" : ` (${status})`}`;
    const environmentUrl = ending.outcome === "deployed" ? facts.url : undefined;
    const replaces = replacing.has(ending.outcome) ? { environment, task } : undefined;
    return { ...this.#status(state, sanitizeLine(description)), environmentUrl, replaces };
  }

  #status(state: NewStatus["state"], description: string): NewStatus {
    return { state, description, logUrl: this.#logUrl, environmentUrl: undefined };
  }
}
