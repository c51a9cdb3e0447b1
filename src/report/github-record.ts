import type { GitHub, NewStatus } from "../github/client.ts";
import { wasRefused } from "../github/errors.ts";
import { makeInactive, makeReplacedInactive, type OwnRecord, ownRecords } from "../github/records.ts";
import { runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { recordStates } from "../plan/record-state.ts";
import type { Ports } from "../ports.ts";
import { recordEndState, recordState } from "../runner/state.ts";
import { inertLine } from "../text/inert.ts";
import { lacksSecret } from "../text/redact.ts";
import { type Ending, spellOutcome } from "./ending.ts";
import type { Facts, Reporter } from "./progress.ts";

/** Which record a run writes on GitHub, and which ones it replaces. */
export interface RecordPlan {
  /** The commit: the run's, on a pull request its head. */
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly transient: boolean;
  readonly production: boolean;
  readonly pullRequest: number | undefined;
  /** Records of the same task, newest first. */
  readonly known: readonly OwnRecord[];
  /** The one of them that is this very run's, to go on with. */
  readonly resumed: OwnRecord | undefined;
}

const replaced = "Replaced by a newer deployment";

/** Records the deployment on GitHub right after the write, and how it ended (contract, 4). */
export class RecordReporter implements Reporter {
  readonly #plan: RecordPlan;
  readonly #run: WorkflowRun;
  readonly #github: GitHub;
  readonly #ports: Ports;
  readonly #logUrl: string;
  /** Null where GitHub answered without making one: it is not asked again. */
  #id: number | null | undefined;
  /** Whether GitHub was asked to make it and may have: the `post:` step looks for it then. */
  #isSought = false;

  constructor(plan: RecordPlan, run: WorkflowRun, github: GitHub, ports: Ports) {
    this.#plan = plan;
    this.#run = run;
    this.#github = github;
    this.#ports = ports;
    this.#logUrl = runUrl(run);
    this.#id = plan.resumed?.id;
  }

  async onRevision(facts: Readonly<Facts>): Promise<void> {
    const github = this.#github;
    const id = await this.#recorded(facts);
    if (id === undefined) return;
    const description = inertLine(`Revision ${facts.revisionId}`);
    await github.tolerate(() => github.setState(id, this.#status("in_progress", description)));
    const why = { logUrl: this.#logUrl, description: replaced };
    await github.tolerate(() => makeReplacedInactive(github, this.#earlier(), why));
  }

  /** Where GitHub failed at first, this is the second try; the `post:` step has the third. */
  async onEnd(facts: Readonly<Facts>, ending: Ending): Promise<void> {
    const state = recordStates[ending.outcome];
    if (state === undefined) return;
    const id = await this.#recorded(facts);
    const wanted = this.#endStatus(state, facts, ending);
    if (id !== undefined) await this.#settle(id, wanted);
    else if (this.#isSought) this.#ports.files.saveState(recordEndState, JSON.stringify(wanted));
  }

  async #settle(id: number, wanted: NewStatus): Promise<void> {
    const github = this.#github;
    const overtaken =
      wanted.state === "success" && (await github.tolerate(() => this.#isReplaced(id))) === true;
    const status = overtaken ? this.#status("inactive", replaced) : wanted;
    const settled = await github.tolerate(async () => {
      await github.setState(id, status);
      return true;
    });
    const { files } = this.#ports;
    if (settled) files.saveState(recordState, "");
    else files.saveState(recordEndState, JSON.stringify(status));
  }

  /** The record's id; it is made where there is none yet, unless the run was cancelled. */
  async #recorded(facts: Readonly<Facts>): Promise<number | undefined> {
    if (this.#id === undefined && !this.#ports.cancelled.aborted)
      this.#id = await this.#github.tolerate(() => this.#create(facts));
    if (this.#id === undefined || this.#id === null) return undefined;
    this.#ports.files.saveState(recordState, String(this.#id));
    return this.#id;
  }

  async #create(facts: Readonly<Facts>): Promise<number | null | undefined> {
    const { deploymentId, revisionId } = facts;
    if (deploymentId === undefined || revisionId === undefined) return undefined;
    if (lacksSecret(deploymentId) || lacksSecret(revisionId)) {
      this.#ports.log.warning(
        "The platform's ids hold one of this run's secrets, so the deployment isn't recorded on GitHub.",
      );
      return null;
    }
    const { ref, task, environment, transient, production, pullRequest } = this.#plan;
    const payload = {
      deployment_id: deploymentId,
      revision_id: revisionId,
      name: facts.name,
      pull_request: pullRequest,
      run_id: this.#run.runId,
      source: facts.source,
    };
    this.#seek(true);
    const record = { ref, task, environment, transient, production, payload };
    const id = await this.#github.createRecord(record).catch((error: unknown) => {
      if (wasRefused(error)) this.#seek(false);
      throw error;
    });
    if (id !== undefined) return id;
    this.#seek(false);
    this.#ports.log.warning(
      "GitHub took the deployment's record without making one; this deployment isn't shown there.",
    );
    return null;
  }

  /** Keeps what the record can be found by while its id isn't known. */
  #seek(isSought: boolean): void {
    this.#isSought = isSought;
    const { environment, task } = this.#plan;
    this.#ports.files.saveState(recordState, isSought ? JSON.stringify({ environment, task }) : "");
  }

  /** What the record replaces: all that was known, or what is older than the one that is gone on with. */
  #earlier(): readonly OwnRecord[] {
    const { known, resumed } = this.#plan;
    return resumed === undefined ? known : known.slice(known.indexOf(resumed) + 1);
  }

  /**
   * Whether another run made a newer record meanwhile: then this one isn't what the environment shows. An older one
   * that wasn't known, of a run at the same time, is made inactive.
   */
  async #isReplaced(id: number): Promise<boolean> {
    const { environment, task, known } = this.#plan;
    const records = await ownRecords(this.#github, environment, task);
    const place = records.findIndex((record) => record.id === id);
    const isKnown = ({ id: one }: OwnRecord) => known.some((record) => record.id === one);
    const unknownOlder = records.slice(place + 1).filter((record) => place >= 0 && !isKnown(record));
    await makeInactive(this.#github, unknownOlder, { logUrl: this.#logUrl, description: replaced });
    return place > 0;
  }

  #endStatus(state: NewStatus["state"], facts: Readonly<Facts>, ending: Ending): NewStatus {
    const status = facts.statuses.at(-1)?.status;
    const description = `${spellOutcome(ending.outcome)}${status === undefined ? "" : ` (${status})`}`;
    const environmentUrl = ending.outcome === "deployed" ? facts.url : undefined;
    return { ...this.#status(state, inertLine(description)), environmentUrl };
  }

  #status(state: NewStatus["state"], description: string): NewStatus {
    return { state, description, logUrl: this.#logUrl, environmentUrl: undefined };
  }
}
