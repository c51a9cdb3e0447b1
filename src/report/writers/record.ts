import type { Ending, Outcome } from "../../errors.ts";
import type { GitHubClient } from "../../github/client.ts";
import {
  deactivatePreviousRecords,
  findPreviousRecords,
  type PreviousRecords,
  type RecordEnd,
} from "../../github/deactivate-previous.ts";
import {
  createRecord,
  isOfControlPlane,
  listRecordsOfRun,
  type NewRecord,
  nameOfTask,
  type OwnRecord,
  type RecordState,
  setState,
} from "../../github/deployment-records.ts";
import { runUrl } from "../../github/workflow-run.ts";
import { isSameId } from "../../platform/deployment.ts";
import { code, id, text } from "../../text/message.ts";
import { wasRedacted } from "../../text/redact.ts";
import { lastStatus, type RunFacts } from "../facts.ts";
import type { WriterContext } from "../report.ts";
import { formatOutcome } from "../result.ts";
import { recordEndKey, recordIdKey } from "../runner/saved-state.ts";
import type { Writer } from "../writer.ts";
import { SavedWrite } from "./saved-write.ts";

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
  /** Records of the same task by earlier runs and attempts, newest first. */
  readonly earlier: readonly OwnRecord[];
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
export class RecordWriter implements Writer {
  readonly #plan: RecordPlan;
  readonly #github: GitHubClient;
  readonly #context: WriterContext;
  readonly #saved: SavedWrite;
  /** Null if there will be no record: it is not requested again. */
  #id: number | null | undefined;
  #earlier: PreviousRecords | undefined;

  constructor(plan: RecordPlan, github: GitHubClient, context: WriterContext) {
    this.#plan = plan;
    this.#github = github;
    this.#context = context;
    this.#saved = new SavedWrite({ idKey: recordIdKey, endKey: recordEndKey }, github, context.files);
  }

  onRevision(facts: RunFacts): void {
    this.#id = facts.continuedRecordId;
    this.#github.enqueue(() => this.#start(facts));
  }

  async #start(facts: RunFacts): Promise<void> {
    const github = this.#github;
    const recordId = await this.#ensureRecord(facts);
    const { report } = this.#context;
    if (recordId === undefined) {
      report.setFacts({ notRecorded: "failed" });
      return;
    }
    const { render } = report;
    const description = render.plain(text`Revision ${id(facts.revisionId ?? "")}`);
    const status = { state: "in_progress", description, logUrl: this.#logUrl } as const;
    await github.warnOnFailure(() => setState(github, recordId, status));
    const { earlier } = this.#plan;
    const isContinued = (record: OwnRecord) => record.id === facts.continuedRecordId;
    const older = earlier.slice(earlier.findIndex(isContinued) + 1);
    const digest = this.#replacedDigest;
    const previous = digest === undefined ? older : older.filter((one) => isOfControlPlane(one, digest));
    this.#earlier = await github.warnOnFailure(() => findPreviousRecords(github, previous));
  }

  /** Makes the record if GitHub failed before, and ends it. What fails again, the post step tries once more. */
  async onEnd(facts: RunFacts, result: Ending): Promise<void> {
    const end = this.#endOf(facts, result);
    if (end !== undefined) this.#saved.end(JSON.stringify(end), () => this.#end(facts, end));
    await this.#github.finish();
  }

  async #end(facts: RunFacts, end: RecordEnd): Promise<boolean> {
    const recordId = await this.#ensureRecord(facts);
    return recordId === undefined ? !this.#saved.mayExist : await this.#finish(recordId, end);
  }

  /** Returns whether the record got its end. Earlier records are optional: they may stay as they are. */
  async #finish(recordId: number, end: RecordEnd): Promise<boolean> {
    const github = this.#github;
    const isFinal = await github.warnOnFailure(async () => {
      await setState(github, recordId, end);
      return true;
    });
    if (!isFinal) return false;
    await github.warnOnFailure(() => deactivatePreviousRecords(github, recordId, end, this.#earlier));
    return true;
  }

  /** The id of the record. It is made if there is none, but not after a cancel. */
  async #ensureRecord(facts: RunFacts): Promise<number | undefined> {
    if (this.#id === undefined && !this.#context.cancelled.aborted) {
      this.#id = await this.#github.warnOnFailure(async () => {
        const found = this.#saved.mayExist ? await this.#find(facts) : undefined;
        return found ?? (await this.#create(facts));
      });
    }
    if (this.#id === undefined || this.#id === null) return undefined;
    this.#saved.exists(this.#id);
    return this.#id;
  }

  /** The record that GitHub made although its response did not say so. */
  async #find({ revisionId }: RunFacts): Promise<number | undefined> {
    const { runId } = this.#context.workflow;
    const records = await listRecordsOfRun(this.#github, this.#plan.target, runId);
    return records.find(({ payload }) => isSameId(payload.revision_id, revisionId ?? ""))?.id;
  }

  async #create(facts: RunFacts): Promise<number | null | undefined> {
    const { deploymentId, revisionId, name, rollbackTarget } = facts;
    if (deploymentId === undefined || revisionId === undefined) return undefined;
    const { report, workflow } = this.#context;
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
    const recordId = await this.#saved.make({ environment, task }, send);
    if (recordId !== undefined) return recordId;
    report.warning(
      text`GitHub accepted the request to record the deployment, but created no record. The deployment is not shown on GitHub.`,
    );
    return null;
  }

  /** Of previews, only the records of this control plane and workspace are replaced; undefined for all of the task. */
  get #replacedDigest(): string | undefined {
    return this.#plan.target.transient ? this.#plan.controlPlaneDigest : undefined;
  }

  /** How the record is to end; undefined if this outcome or run leaves no record. */
  #endOf(facts: RunFacts, { outcome }: Ending): RecordEnd | undefined {
    const { revisionId, url, rolledBackTo, unchangedSince } = facts;
    const status = lastStatus(facts);
    const state = recordStates[outcome];
    // The record of the run that deployed the revision stays, whatever the checks found out.
    if (state === undefined || revisionId === undefined || unchangedSince !== undefined) return undefined;
    const { environment, task } = this.#plan.target;
    const { render } = this.#context.report;
    const withStatus = status && text` (${code(status.raw, 50)})`;
    const withTarget = rolledBackTo === undefined ? undefined : text`, rolled back to ${id(rolledBackTo)}`;
    return {
      state,
      description: render.plain(text`${code(formatOutcome(outcome))}${withStatus}${withTarget}`),
      logUrl: this.#logUrl,
      environmentUrl: outcome === "deployed" && url !== undefined ? render.value(url) : undefined,
      replaces: replacingOutcomes.has(outcome)
        ? { environment, task, controlPlaneDigest: this.#replacedDigest }
        : undefined,
    };
  }

  get #logUrl(): string {
    return runUrl(this.#context.workflow);
  }
}
