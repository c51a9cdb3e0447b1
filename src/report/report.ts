import type { Clock } from "../clock.ts";
import type { WorkflowRun } from "../github/workflow-run.ts";
import type { Deployment, Revision } from "../platform/deployment.ts";
import type { Status } from "../platform/status.ts";
import type { LiveSince } from "../results/deploy.ts";
import type { CheckResult } from "../results/watch.ts";
import { formatDuration } from "../text/format.ts";
import { code, id, listed, type Message, text } from "../text/message.ts";
import type { CommandFiles } from "./command-files.ts";
import { describeUnchanged } from "./describe-unchanged.ts";
import {
  type ChangedSettings,
  type ComparisonFacts,
  type FailureLog,
  initialFacts,
  type KeptFacts,
  type LogLine,
  lastStatus,
  type RunFacts,
  type SeenStatus,
} from "./facts.ts";
import { ReportLog, type ReportLogParts } from "./report-log.ts";
import type { RunResult } from "./result.ts";
import { describeError } from "./unfinished-work.ts";

/** What happened, as far as writers tell it apart: `factChanged` is all that the others don't name. */
export type ReportEvent = "revision" | "polled" | "checksEnded" | "factChanged";

/** Shows people a part of what a run found out: the outputs, the summary, the record or the comment. */
export interface Writer {
  /** The facts have changed. The run does not wait: what takes time is queued. */
  onEvent?(event: ReportEvent, facts: RunFacts): void;
  /** Keeps what a killed step needs before it waits for anything. */
  onEnd?(facts: RunFacts, result: RunResult): Promise<void> | void;
}

/** What writers take from a run. */
export interface WriterContext {
  readonly report: Report;
  readonly files: CommandFiles;
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
}

interface ReportParts extends ReportLogParts {
  readonly clock: Clock;
  /** The action as people call it, such as `Deploy`. */
  readonly action: string;
}

/**
 * Tells people what a run does and found out. Steps hand over raw values and messages, nothing else prints, and no step
 * reads a decision back. Times are milliseconds since the epoch.
 */
export class Report extends ReportLog {
  readonly #parts: ReportParts;
  readonly #writers: Writer[] = [];
  /** The report of the run whose rollback this one reports. */
  readonly #run: Report | undefined;
  #facts: RunFacts;

  constructor(parts: ReportParts, run?: Report) {
    super(parts);
    this.#parts = parts;
    this.#run = run;
    this.#facts = { ...initialFacts, action: parts.action, startedAt: parts.clock.now() };
  }

  get facts(): RunFacts {
    return this.#facts;
  }

  get hasWriters(): boolean {
    return this.#writers.length > 0;
  }

  /** From here on these show the run too. */
  add(...writers: readonly Writer[]): void {
    this.#writers.push(...writers);
  }

  /**
   * A report for a rollback of this run. It logs, and has no writers: what they show of this run stays that of its own
   * revision. `earlierId`: the revision to go back to.
   */
  forRollback(earlierId: string): Report {
    const report = new Report(this.#parts, this);
    const { title, name, deploymentId } = this.facts;
    report.#learn({ title, name, deploymentId, rollbackTarget: earlierId });
    return report;
  }

  /** For what only has to be kept. */
  setFacts(facts: Partial<KeptFacts>): void {
    this.#learn(facts);
  }

  /** What the run does until `work` ends, for the heartbeat. @throws what `work` throws */
  async during<T>(activity: Message, work: () => Promise<T>): Promise<T> {
    this.setFacts({ activity });
    try {
      return await work();
    } finally {
      this.setFacts({ activity: undefined });
    }
  }

  #learn(facts: Partial<RunFacts>, event: ReportEvent = "factChanged"): void {
    this.#facts = { ...this.#facts, ...facts };
    for (const writer of this.#writers) writer.onEvent?.(event, this.#facts);
  }

  /** The id of a deployment that was not read. */
  deploymentId(deploymentId: string): void {
    if (this.facts.deploymentId !== deploymentId) {
      this.info(text`The deployment's id is ${code(deploymentId)}.`);
    }
    this.#learn({ deploymentId });
  }

  /** `created`: whether this run created it, once that is known. */
  deployment({ id: deploymentId, ...seen }: Deployment, created = this.facts.created): void {
    const { facts } = this;
    const name = seen.name ?? facts.name;
    if (facts.deploymentId !== deploymentId) {
      const done = created ? text`Created` : text`Found`;
      this.info(text`${done} deployment ${code(name ?? facts.title)} (ID ${code(deploymentId)}).`);
    }
    this.#learn({
      deploymentId,
      created,
      // A title that is no id follows the name, which may have changed since an earlier run recorded it.
      title: facts.title === facts.name && name !== undefined ? name : facts.title,
      name,
      tenantId: seen.tenantId ?? facts.tenantId,
      url: seen.url ?? facts.url,
      liveRevisionId: seen.activeRevisionId ?? undefined,
      mayHaveSwitched: false,
    });
  }

  /** A create or update is sent now: the run's time counts from here. */
  requestSent(requestedAt: number): void {
    this.#learn({ requestedAt, mayHaveSwitched: true });
  }

  /** The platform rejected the create or update: it made no revision. */
  requestRejected(): void {
    this.#learn({ requestedAt: undefined, mayHaveSwitched: false });
  }

  /** This run's revision is known. `typicalMs`: how long such a revision typically takes, in milliseconds. */
  revision(
    revisionId: string,
    { typicalMs, isResumed }: { typicalMs: number | undefined; isResumed: boolean },
  ): void {
    const typical =
      typicalMs === undefined
        ? undefined
        : text` Deployments typically take ${code(formatDuration(typicalMs))}.`;
    this.info(text`This run's revision is ${id(revisionId)}.${typical}`);
    this.#learn({ revisionId, typicalMs, isResumed }, "revision");
  }

  /** The live revision is what this run would deploy, so that it sends nothing. */
  unchanged({ id: revisionId, status, commitSha }: Revision, unchangedSince: LiveSince): void {
    this.info(describeUnchanged(unchangedSince));
    const statuses = [{ status, at: this.#parts.clock.now() }];
    this.#learn({ revisionId, statuses, commitSha, unchangedSince });
  }

  /** What a poll of this run's revision returned; logged if its status is another than before. */
  polled({ status, commitSha, statusMessage }: Revision): void {
    const isNew = lastStatus(this.facts)?.raw !== status.raw;
    const statuses = isNew ? [...this.facts.statuses, this.#logStatus(status)] : this.facts.statuses;
    this.#learn({ statuses, commitSha, statusMessage, mayHaveSwitched: true }, "polled");
  }

  #logStatus(status: Status): SeenStatus {
    const at = this.#parts.clock.now();
    const { statuses, rollbackTarget } = this.facts;
    const raw = code(status.raw);
    if (!status.isKnown && !statuses.some((seen) => seen.status.raw === status.raw)) {
      this.info(text`Unknown status ${raw}; treating it as in progress.`);
    }
    const { startedAt, requestedAt = startedAt } = (this.#run ?? this).facts;
    const subject = this.#run === undefined ? undefined : text`Rollback: `;
    this.info(text`[${code(formatDuration(at - requestedAt))}] ${subject}${raw}`);
    if (rollbackTarget !== undefined) {
      this.#run?.setFacts({ activity: text`still rolling back to revision ${id(rollbackTarget)}: ${raw}` });
    }
    return { status, at };
  }

  /** The end of a log, which is logged without the lines that a stream has `printed`. */
  failureLog(failureLog: FailureLog, printed: readonly LogLine[] = []): void {
    this.#learn({ failureLog });
    this.logEnd(failureLog, printed);
  }

  check(result: CheckResult): void {
    // The other checks are few, and the result quotes them.
    if (result.kind === "smoke test") this.logSmokeTest(result);
    this.#learn({ checks: [...this.facts.checks, result] });
  }

  /** All checks are over. */
  checksEnded(): void {
    this.#learn({ runningCheck: undefined }, "checksEnded");
  }

  /** What a comparison found out, which is logged. */
  compared(comparison: ComparisonFacts): void {
    this.logComparison(comparison);
    this.#learn({ comparison });
  }

  /** The agent server's version with this run's revision; a notice says if it is another than before. */
  serverVersion(serverVersion: string): void {
    const { serverVersion: known, serverVersionBefore: before, name, title } = this.facts;
    if (known === serverVersion) return;
    if (before !== undefined && before !== serverVersion) {
      this.notice(
        text`The agent server of ${code(name ?? title)} is version ${code(serverVersion)}; before this run's revision it was ${code(before)}.`,
      );
    }
    this.#learn({ serverVersion });
  }

  deploymentDeleted(title: string): void {
    this.#learn({ deleted: [...this.facts.deleted, title], unfinishedWork: undefined });
  }

  /** Settings that make no revision were changed, before the request that makes one. */
  settingsChanged(settingsChanged: ChangedSettings): void {
    const { deploymentId, names } = settingsChanged;
    const fields = listed(names.map((name) => code(name)));
    this.info(text`Changed ${fields} of deployment ${code(deploymentId)}.`);
    this.#learn({ settingsChanged });
  }

  /** How the run ended that an error stopped, with what it leaves behind as far as it is known. */
  resultOf(error: Error): RunResult {
    return describeError(error, this.facts);
  }

  /** Has every writer report the result. @throws the first error of a writer, once all of them were called */
  async end(result: RunResult): Promise<void> {
    const ends = this.#writers.map(async (writer) => await writer.onEnd?.(this.facts, result));
    const failed = (await Promise.allSettled(ends)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}
