import type { CheckNotRun, CheckResult } from "../checks/check.ts";
import type { Clock } from "../clock.ts";
import type { Ending } from "../errors.ts";
import type { WorkflowRun } from "../github/workflow-run.ts";
import type { Deployment, Revision } from "../platform/deployment.ts";
import type { FailureLog, LogLine } from "../platform/log-lines.ts";
import { code, duration, id, type Message, text } from "../text/message.ts";
import type { RunRedactor } from "../text/redact.ts";
import { summaryLimits, writeDocument } from "./document.ts";
import { describeActivity, describeSeen, logEnding } from "./log-lines.ts";
import { MessageLog } from "./message-log.ts";
import { finalOutputs, knownOutputs, Outputs } from "./outputs.ts";
import type { Renderer } from "./renderer.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import type { Log } from "./runner/log.ts";
import { leftKey } from "./runner/saved-state.ts";
import { logCheck } from "./sections/checks.ts";
import { logComparison } from "./sections/comparison.ts";
import { logFailureLog } from "./sections/failure-log.ts";
import { type ComparisonState, initialState, type RunState, type SeenStatus } from "./state.ts";

/** Follows a run on GitHub: told of two events, it queues its requests and holds up nothing. */
export interface Follower {
  /** This run's revision is known. */
  onRevision?(): void;
  onEnd(ending: Ending): Promise<void>;
}

/** What followers take from a run. */
export interface FollowerContext {
  readonly report: Report;
  readonly files: CommandFiles;
  readonly workflow: WorkflowRun;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
}

interface ReportParts {
  readonly log: Log;
  readonly redact: RunRedactor;
  readonly clock: Clock;
  readonly files: CommandFiles;
  readonly workflow: WorkflowRun;
  /** The action as people call it, such as `Deploy`. */
  readonly action: string;
  /** The names of the action's outputs; undefined for all. */
  readonly outputs?: readonly string[] | undefined;
}

const heartbeatMs = 60_000;

/**
 * Tells people what a run does and found out: at once in the log and the outputs, and at the end in the summary. Nothing else
 * prints. Steps hand over raw values and messages.
 */
export class Report {
  readonly render: Renderer;
  readonly #parts: ReportParts;
  readonly #log: MessageLog;
  readonly #outputs: Outputs;
  readonly #state: RunState;
  readonly #followers: Follower[] = [];
  #stopHeartbeat = () => {};
  #summarize: ((ending: Ending) => string) | undefined;
  #savedLeft = "";

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

  constructor(parts: ReportParts) {
    const { clock, files, action, outputs } = parts;
    this.#parts = parts;
    this.#log = new MessageLog(parts);
    this.render = this.#log.render;
    this.#outputs = new Outputs(files, outputs);
    this.#state = initialState(action, clock.now());
  }

  /** From here on a line a minute shows that the run goes on. */
  startHeartbeat(): void {
    this.#stopHeartbeat = this.#parts.clock.every(heartbeatMs, () => this.#beat());
  }

  get state(): Readonly<RunState> {
    return this.#state;
  }

  /** From here on this follows the run too. */
  follow(follower: Follower): void {
    // The record comes last, and is written before the comment: the sweep action finds a preview by it alone.
    this.#followers.unshift(follower);
  }

  /** Has this make the job summary, in place of that of a deployment. */
  summarizeBy(summarize: (ending: Ending) => string): void {
    this.#summarize = summarize;
  }

  /** What a step found out. Outputs are written at once, so that a killed run leaves them behind. */
  set(found: Partial<RunState>): void {
    Object.assign(this.#state, found);
    this.#outputs.write(knownOutputs(this.#state, this.render));
    if ("left" in found) this.#saveLeft();
  }

  /** For the post step, in case this one is killed. */
  #saveLeft(): void {
    const { left, title } = this.#state;
    const shown = { title: this.render.plain(text`${code(title)}`), ...(left && this.render.kept(left)) };
    const saved = left === undefined ? "" : JSON.stringify(shown);
    if (saved !== this.#savedLeft) this.#parts.files.saveState(leftKey, saved);
    this.#savedLeft = saved;
  }

  /** What the run does until `work` ends, for the heartbeat. @throws what `work` throws */
  async during<T>(activity: Message, work: () => Promise<T>): Promise<T> {
    const before = this.#state.activity;
    this.set({ activity });
    try {
      return await work();
    } finally {
      this.set({ activity: before });
    }
  }

  #beat(): void {
    const now = this.#parts.clock.now();
    this.info(this.#timed(now, describeActivity(this.#state, now)));
  }

  /** The message with how long the run has taken since its request. */
  #timed(at: number, message: Message): Message {
    const { sentAt, startedAt } = this.#state;
    return text`[${duration(at - (sentAt ?? startedAt))}] ${message}`;
  }

  /** `created`: whether this run created it, once that is known. */
  deployment({ id: deploymentId, ...seen }: Deployment, created = this.#state.created): void {
    const { deploymentId: known, name, title, tenantId, url } = this.#state;
    if (known !== deploymentId) {
      const done = created ? text`Created` : text`Found`;
      this.info(text`${done} deployment ${code(seen.name ?? title)} (ID ${code(deploymentId)}).`);
    }
    this.set({
      deploymentId,
      created,
      name: seen.name ?? name,
      tenantId: seen.tenantId ?? tenantId,
      url: seen.url ?? url,
    });
  }

  /** This run's revision is known. `typicalMs`: how long such a revision typically takes, in milliseconds. */
  revisionKnown(
    { revisionId, deploymentId }: { readonly revisionId: string; readonly deploymentId: string },
    { typicalMs, isResumed = false }: { typicalMs: number | undefined; isResumed?: boolean },
  ): void {
    const typical = typicalMs === undefined ? undefined : text` It should take about ${duration(typicalMs)}.`;
    this.info(text`This run's revision is ${id(revisionId)}.${typical}`);
    const running = text`Revision ${id(revisionId)} of deployment ${code(deploymentId)} is still running on the platform, and may go live without checks or a rollback.`;
    this.set({ revisionId, typicalMs, isResumed, left: running });
    for (const follower of this.#followers) follower.onRevision?.();
  }

  /** What a poll of a revision returned. */
  polled(
    { id: revisionId, status, commitSha }: Revision,
    { rollsBackTo }: { readonly rollsBackTo?: string },
  ): void {
    const isRollback = rollsBackTo !== undefined;
    const { rollbackStatuses = [], statuses } = this.#state;
    const seen = isRollback ? rollbackStatuses : statuses;
    if (seen.at(-1)?.status.raw !== status.raw) {
      const newest: SeenStatus = { status, at: this.#parts.clock.now() };
      for (const line of describeSeen(newest, seen)) this.info(line);
      const subject = isRollback ? text`Rollback: ` : undefined;
      this.info(this.#timed(newest.at, text`${subject}${code(status.raw)}`));
      const all = [...seen, newest];
      this.set(isRollback ? { rollbackRevisionId: revisionId, rollbackStatuses: all } : { statuses: all });
    }
    if (isRollback) return;
    this.set({ commitSha });
    if (status.kind === "pending") return;
    // After the checks, the revision is read again.
    const isChecked = status.kind !== "deployed" || this.#state.endedAt !== undefined;
    const unchecked = text`Revision ${id(revisionId)} is ${code(status.raw)}. Its checks were not finished.`;
    this.set({ left: isChecked ? undefined : unchecked });
  }

  /** The end of a log, which is logged without the lines that a stream has `printed`. */
  failureLog(failureLog: FailureLog, printed: readonly LogLine[] = []): void {
    this.set({ failureLog });
    logFailureLog(failureLog, printed, this.#log);
  }

  check(result: CheckResult): void {
    logCheck(result, this.#log);
    const { rollbackStatuses, rollbackChecks = [], checks } = this.#state;
    if (rollbackStatuses === undefined) this.set({ checks: [...checks, result] });
    else this.set({ rollbackChecks: [...rollbackChecks, result] });
  }

  /** What a comparison found out, which is logged. */
  compared(comparison: ComparisonState): void {
    logComparison(comparison, this.#log);
    this.set({ comparison });
  }

  checkNotRun(check: CheckNotRun): void {
    if (this.#state.rollbackStatuses !== undefined) return;
    this.set({ checksNotRun: [...this.#state.checksNotRun, check] });
  }

  /** Shows how the run ended. @throws what a follower throws */
  async end(ending: Ending): Promise<void> {
    const { clock, files } = this.#parts;
    this.#stopHeartbeat();
    this.#state.endedAt ??= clock.now();
    // First, because a file may refuse to be written.
    logEnding(ending, this.#state, this.#log);
    this.set({ left: undefined });
    this.#outputs.write(finalOutputs(this.#state, ending, this.render));
    files.appendSummary(this.#summarize?.(ending) ?? this.document(ending));
    await Promise.all(this.#followers.map((follower) => follower.onEnd(ending)));
  }

  /** The summary of a deployment, as Markdown. `ending`: undefined as long as the run goes on. */
  document(ending: Ending | undefined, limits = summaryLimits): string {
    const now = this.#state.endedAt ?? this.#parts.clock.now();
    const content = { state: this.#state, ending, workflow: this.#parts.workflow, now };
    return writeDocument(content, limits, this.render);
  }
}
