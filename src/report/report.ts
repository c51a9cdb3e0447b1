import type { CheckNotRun, CheckResult } from "../checks/check.ts";
import type { Clock } from "../clock.ts";
import type { Ending } from "../errors.ts";
import type { WorkflowRun } from "../github/workflow-run.ts";
import type { Deployment, Revision } from "../platform/deployment.ts";
import type { LiveSince } from "../results/deploy.ts";
import type { FailureLog, LogLine } from "../results/watch.ts";
import { code, duration, id, listed, type Message, text } from "../text/message.ts";
import {
  type ActionTitle,
  type ChangedSettings,
  type ComparisonFacts,
  initialFacts,
  type KeptFacts,
  lastStatus,
  type RunFacts,
  type UnfinishedWork,
} from "./facts.ts";
import { MessageLog, type MessageLogParts } from "./message-log.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { logCheck } from "./sections/checks.ts";
import { logComparison } from "./sections/comparison.ts";
import { logFailureLog } from "./sections/failure-log.ts";
import { describeTellingLine } from "./sections/telling-line.ts";
import { describeUnchanged } from "./sentences/unchanged.ts";
import type { Moment, Writer } from "./writer.ts";

/** What writers take from a run. */
export interface WriterContext {
  readonly report: Report;
  readonly files: CommandFiles;
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
}

interface ReportParts extends MessageLogParts {
  readonly clock: Clock;
  /** The action as people call it, such as `Deploy`. */
  readonly action: ActionTitle;
}

/**
 * Tells people what a run does and found out. Steps hand over raw values and messages, nothing else prints, and no step
 * reads a decision back. A fact has a method of its own if the log says it, if writers are told the moment, or if it changes
 * with others; `setFacts` is for all that only has to be kept. Times are milliseconds since the epoch.
 */
export class Report {
  readonly render: Renderer;
  readonly #parts: ReportParts;
  readonly #log: MessageLog;
  readonly #writers: Writer[] = [];
  #facts: RunFacts;

  // What steps say by themselves: see `MessageLog`.
  readonly info = (message: Message) => this.#log.info(message);
  readonly notice = (message: Message) => this.#log.notice(message);
  readonly warning = (message: Message) => this.#log.warning(message);
  readonly error = (...annotation: Parameters<MessageLog["error"]>) => this.#log.error(...annotation);
  readonly group = (title: Message, lines: readonly string[]) => this.#log.group(title, lines);
  readonly stream = (title: Message) => this.#log.stream(title);
  readonly stack = (error: Error) => this.#log.stack(error);
  readonly mask = (secrets: readonly string[]) => this.#log.mask(secrets);
  readonly maskValues = (values: readonly string[]) => this.#log.maskValues(values);

  constructor(parts: ReportParts, facts: Partial<RunFacts> = {}) {
    this.#parts = parts;
    this.#log = new MessageLog(parts);
    this.render = this.#log.render;
    this.#facts = { ...initialFacts, action: parts.action, startedAt: parts.clock.now(), ...facts };
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

  /** Adds a writer whose requests GitHub gets before those of the others. */
  addFirst(writer: Writer): void {
    this.#writers.unshift(writer);
  }

  /** A report on something else in the same log, which begins with these facts and has no writers. */
  apart(facts: Partial<RunFacts>): Report {
    return new Report(this.#parts, facts);
  }

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

  /** What the run leaves behind if it is stopped before `finish` returns. It stays so if `finish` throws. */
  async whileUnfinished<T>(unfinishedWork: UnfinishedWork, finish: () => Promise<T>): Promise<T> {
    const before = this.facts.unfinishedWork;
    this.setFacts({ unfinishedWork });
    const result = await finish();
    this.setFacts({ unfinishedWork: before });
    return result;
  }

  #learn(facts: Partial<RunFacts>, ...moments: readonly Moment[]): void {
    this.#facts = { ...this.#facts, ...facts };
    for (const moment of [...moments, "onChange"] as const) {
      for (const writer of this.#writers) writer[moment]?.(this.#facts);
    }
  }

  /** The id of a deployment that was not read. */
  deploymentId(deploymentId: string): void {
    if (this.facts.deploymentId !== deploymentId) {
      this.info(text`The deployment's ID is ${code(deploymentId)}.`);
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
    const typical = typicalMs === undefined ? undefined : text` It should take about ${duration(typicalMs)}.`;
    this.info(text`This run's revision is ${id(revisionId)}.${typical}`);
    this.#learn({ revisionId, typicalMs, isResumed }, "onRevision");
  }

  /** The live revision is what this run would deploy, so that it sends nothing. */
  unchanged({ id: revisionId, status, commitSha }: Revision, unchangedSince: LiveSince): void {
    this.info(describeUnchanged(unchangedSince));
    const statuses = [{ status, at: this.#parts.clock.now() }];
    this.#learn({ revisionId, statuses, commitSha, unchangedSince });
  }

  /** What a poll of this run's revision returned. */
  polled({ status, commitSha, statusMessage }: Revision): void {
    const { statuses } = this.facts;
    const read = { commitSha, statusMessage, mayHaveSwitched: true };
    if (lastStatus(this.facts)?.raw === status.raw) {
      this.#learn(read, "onPoll");
    } else {
      const seen = { status, at: this.#parts.clock.now() };
      this.#learn({ ...read, statuses: [...statuses, seen] }, "onStatus", "onPoll");
    }
  }

  /** The end of a log, which is logged without the lines that a stream has `printed`. */
  failureLog(failureLog: FailureLog, printed: readonly LogLine[] = []): void {
    this.#learn({ failureLog });
    logFailureLog(failureLog, printed, this.#log);
  }

  check(result: CheckResult): void {
    logCheck(result, this.#log);
    this.#learn({ checks: [...this.facts.checks, result] });
  }

  checkNotRun(check: CheckNotRun): void {
    this.#learn({ checksNotRun: [...this.facts.checksNotRun, check] });
  }

  checksEnded(): void {
    this.#learn({}, "onChecksEnded");
  }

  /** What a comparison found out, which is logged. */
  compared(comparison: ComparisonFacts): void {
    logComparison(comparison, this.#log);
    this.#learn({ comparison });
  }

  /** The agent server's version with this run's revision. */
  serverVersion(serverVersion: string | undefined): void {
    if (serverVersion !== undefined) this.#learn({ serverVersion });
  }

  deploymentDeleted(title: string): void {
    this.#learn({ deleted: [...this.facts.deleted, title] });
  }

  /** Settings that make no revision were changed, before the request that makes one. */
  settingsChanged(settingsChanged: ChangedSettings): void {
    const { deploymentId, names } = settingsChanged;
    const fields = listed(names.map((name) => code(name)));
    this.info(text`Changed ${fields} of deployment ${code(deploymentId)}.`);
    this.#learn({ settingsChanged });
  }

  /** Has every writer report the result. @throws the first error of a writer, once all of them were called */
  async end(result: Ending): Promise<void> {
    const telling = describeTellingLine(this.facts, result, this.render);
    const { details = [] } = result;
    const told = telling === undefined ? result : { ...result, details: [telling, ...details] };
    // No writer hears of what is found out after the end, such as by a request that was still queued for GitHub.
    const writers = this.#writers.splice(0);
    const ends = writers.map(async (writer) => await writer.onEnd?.(this.facts, told));
    const failed = (await Promise.allSettled(ends)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}
