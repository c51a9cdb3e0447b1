import type { Clock } from "../clock.ts";
import type { Deployment, Revision } from "../platform/deployment.ts";
import type { Status } from "../platform/status.ts";
import type { LiveSince } from "../results.ts";
import { formatDuration } from "../text/format.ts";
import { code, id, listed, type Message, text } from "../text/message.ts";
import type { CheckResult } from "../watch-results.ts";
import { describeUnchanged } from "./describe-unchanged.ts";
import {
  type CheckedOutCommit,
  type ComparisonFacts,
  type ConsoleLinks,
  type FailureLog,
  type LogLine,
  RunFacts,
} from "./facts.ts";
import { ReportLog, type ReportLogParts } from "./report-log.ts";
import type { RunResult } from "./result.ts";

/** What happened, as far as writers tell it apart: `factChanged` is all that the others don't name. */
export type ReportEvent = "revision" | "polled" | "checksEnded" | "factChanged";

/** Shows people a part of what a run found out: the outputs, the summary, the record or the comment. */
export interface Writer {
  /** The facts have changed. The run does not wait: what takes time is queued. */
  onEvent?(event: ReportEvent, facts: RunFacts): void;
  /** The result is known but not yet reported: the moment to keep what a killed step needs. */
  beforeEnd?(facts: RunFacts, result: RunResult): void;
  onEnd?(facts: RunFacts, result: RunResult): Promise<void> | void;
}

interface ReportParts extends ReportLogParts {
  readonly clock: Clock;
  /** The action as people call it, such as `Deploy`. */
  readonly action: string;
}

/** What a plan says of the deployment before the first request. */
interface PlannedFacts {
  readonly title: string;
  readonly name?: string | undefined;
  readonly source?: string | undefined;
  readonly consoleLinks?: ConsoleLinks | undefined;
}

/**
 * Tells people what a run does and found out. Steps hand over raw values and messages, nothing else prints, and no step
 * reads a decision back. Times are milliseconds since the epoch.
 */
export class Report extends ReportLog {
  readonly facts: RunFacts;
  readonly #parts: ReportParts;
  readonly #writers: Writer[] = [];
  /** The report of the run whose rollback this one reports. */
  readonly #run: Report | undefined;

  constructor(parts: ReportParts, run?: Report) {
    super(parts);
    this.#parts = parts;
    this.#run = run;
    this.facts = new RunFacts(parts.clock.now());
    this.facts.action = parts.action;
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
    Object.assign(report.facts, { title, name, deploymentId, rollbackTarget: earlierId });
    return report;
  }

  planned(planned: PlannedFacts): void {
    Object.assign(this.facts, planned);
    this.#announce("factChanged");
  }

  /** `request`: what a dry run would send, as JSON without secrets. */
  request(request: string): void {
    this.facts.request = request;
    this.#announce("factChanged");
  }

  /** The folder to upload was packed. `commit`: what is checked out there; undefined if unknown. */
  sourcePacked(digest: string, commit: CheckedOutCommit | undefined): void {
    this.facts.sourceDigest = digest;
    this.facts.sourceCommit = commit;
    this.#announce("factChanged");
  }

  /** The id of a deployment that was not read. */
  deploymentId(deploymentId: string): void {
    if (this.facts.deploymentId !== deploymentId)
      this.info(text`The deployment's id is ${code(deploymentId)}.`);
    this.facts.deploymentId = deploymentId;
    this.#announce("factChanged");
  }

  /** `created`: whether this run created it, once that is known. */
  deployment({ id: deploymentId, ...seen }: Deployment, created = this.facts.created): void {
    const { facts } = this;
    const isNew = facts.deploymentId !== deploymentId;
    facts.deploymentId = deploymentId;
    facts.created = created;
    facts.tenantId = seen.tenantId ?? facts.tenantId;
    facts.name = seen.name ?? facts.name;
    facts.url = seen.url ?? facts.url;
    facts.liveRevisionId = seen.activeRevisionId ?? undefined;
    facts.mayHaveSwitched = false;
    if (isNew) {
      const done = created ? text`Created` : text`Found`;
      this.info(text`${done} deployment ${code(facts.name ?? facts.title)} (ID ${code(deploymentId)}).`);
    }
    this.#announce("factChanged");
  }

  /** The revision that was live before this run's; undefined if there was none or the platform does not show it. */
  previousRevision(revisionId: string | undefined): void {
    this.facts.previousRevisionId = revisionId;
    this.#announce("factChanged");
  }

  /** A create or update is sent now: the run's time counts from here. */
  requestSent(at: number): void {
    this.facts.requestedAt = at;
    this.facts.mayHaveSwitched = true;
    this.#announce("factChanged");
  }

  /** The platform rejected the create or update: it made no revision. */
  requestRejected(): void {
    this.facts.requestedAt = undefined;
    this.facts.mayHaveSwitched = false;
    this.#announce("factChanged");
  }

  /** The response to the write named a revision, or (undefined) that turned out not to be this run's. */
  revisionNamed(revisionId: string | undefined): void {
    this.facts.revisionId = revisionId;
    this.#announce("factChanged");
  }

  /** This run's revision is known. `typicalMs`: how long such a revision typically takes, in milliseconds. */
  revision(
    revisionId: string,
    { typicalMs, isResumed }: { typicalMs: number | undefined; isResumed: boolean },
  ): void {
    Object.assign(this.facts, { revisionId, typicalMs, isResumed });
    const typical =
      typicalMs === undefined
        ? undefined
        : text` Deployments typically take ${code(formatDuration(typicalMs))}.`;
    this.info(text`This run's revision is ${id(revisionId)}.${typical}`);
    this.#announce("revision");
  }

  /** The live revision is what this run would deploy, so that it sends nothing. */
  unchanged({ id: revisionId, status, commitSha }: Revision, since: LiveSince): void {
    const statuses = [{ status, at: this.#parts.clock.now() }];
    Object.assign(this.facts, { revisionId, statuses, commitSha, unchangedSince: since });
    this.info(describeUnchanged(since));
    this.#announce("factChanged");
  }

  /** What a poll of this run's revision returned; logged if its status is another than before. */
  polled({ status, commitSha, statusMessage }: Revision): void {
    const { facts } = this;
    if (facts.status?.raw !== status.raw) this.#logStatus(status);
    facts.mayHaveSwitched = true;
    facts.commitSha = commitSha;
    facts.statusMessage = statusMessage;
    this.#announce("polled");
  }

  #logStatus(status: Status): void {
    const { facts } = this;
    const at = this.#parts.clock.now();
    if (!status.isKnown && !facts.statuses.some((seen) => seen.status.raw === status.raw)) {
      this.info(text`Unknown status ${code(status.raw)}; treating it as in progress.`);
    }
    facts.statuses = [...facts.statuses, { status, at }];
    const { startedAt, requestedAt = startedAt } = (this.#run ?? this).facts;
    const subject = this.#run === undefined ? undefined : text`Rollback: `;
    this.info(text`[${code(formatDuration(at - requestedAt))}] ${subject}${code(status.raw)}`);
    const { rollbackTarget } = facts;
    if (rollbackTarget === undefined) return;
    this.#run?.activity(text`still rolling back to revision ${id(rollbackTarget)}: ${code(status.raw)}`);
  }

  /** The end of a log, which is logged without the lines that a stream has `printed`. */
  failureLog(failureLog: FailureLog, printed: readonly LogLine[] = []): void {
    this.facts.failureLog = failureLog;
    this.#announce("factChanged");
    this.logEnd(failureLog, printed);
  }

  /** A check of the deployed agent begins, or (undefined) all are over. `label`: such as `health check`. */
  runningCheck(label: Message | undefined): void {
    this.facts.runningCheck = label;
    this.#announce(label === undefined ? "checksEnded" : "factChanged");
  }

  check(result: CheckResult): void {
    this.facts.checks = [...this.facts.checks, result];
    // The other checks are few, and the result quotes them.
    if (result.kind === "smoke test") this.logSmokeTest(result);
    this.#announce("factChanged");
  }

  /** What a comparison found out, which is logged. */
  compared(comparison: ComparisonFacts): void {
    this.facts.comparison = comparison;
    this.logComparison(comparison);
    this.#announce("factChanged");
  }

  /** The agent server's version before this run's revision. */
  serverVersionBefore(version: string): void {
    this.facts.serverVersionBefore = version;
    this.#announce("factChanged");
  }

  /** The agent server's version with this run's revision; a notice says if it is another than before. */
  serverVersion(version: string): void {
    const { facts } = this;
    if (facts.serverVersion === version) return;
    facts.serverVersion = version;
    const before = facts.serverVersionBefore;
    if (before !== undefined && before !== version) {
      this.notice(
        text`The agent server of ${code(facts.name ?? facts.title)} is version ${code(version)}; before this run's revision it was ${code(before)}.`,
      );
    }
    this.#announce("factChanged");
  }

  /** The rollback action will deploy this revision again. */
  rollbackTarget(revisionId: string): void {
    this.facts.rollbackTarget = revisionId;
    this.#announce("factChanged");
  }

  rolledBackTo(revisionId: string): void {
    this.facts.rolledBackTo = revisionId;
    this.#announce("factChanged");
  }

  deploymentDeleted(title: string): void {
    this.facts.deleted = [...this.facts.deleted, title];
    this.unfinishedWork(undefined);
  }

  /** What the run is doing, for the heartbeat, if no status says it. */
  activity(activity: Message | undefined): void {
    this.facts.activity = activity;
    this.#announce("factChanged");
  }

  /** The watching and the checks have ended: what follows is not part of the run's time. */
  watchingEnded(): void {
    this.facts.endedAt = this.#parts.clock.now();
    this.#announce("factChanged");
  }

  /** What a run that is cancelled now may leave behind, if that is not its own revision. */
  unfinishedWork(work: Message | undefined): void {
    this.facts.unfinishedWork = work;
    this.#announce("factChanged");
  }

  /** Settings that make no revision were changed, before the request that makes one. `names`: of their fields. */
  settingsChanged(deploymentId: string, names: readonly string[]): void {
    this.facts.settingsChanged = { deploymentId, names };
    this.#announce("factChanged");
    const fields = listed(names.map((name) => code(name)));
    this.info(text`Changed ${fields} of deployment ${code(deploymentId)}.`);
  }

  /** The run was cancelled before the id of the revision to interrupt was known. */
  interruptSkipped(): void {
    this.facts.interruptSkipped = true;
    this.#announce("factChanged");
  }

  #announce(event: ReportEvent): void {
    for (const writer of this.#writers) writer.onEvent?.(event, this.facts);
  }

  /** Has every writer report the result. @throws the first error of a writer, once all of them were called */
  async end(result: RunResult): Promise<void> {
    for (const writer of this.#writers) writer.beforeEnd?.(this.facts, result);
    const failures: unknown[] = [];
    for (const writer of this.#writers) {
      try {
        await writer.onEnd?.(this.facts, result);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
