import type { Clock } from "../clock.ts";
import type { Ending } from "../errors.ts";
import type { Deployment, Revision } from "../platform/deployment.ts";
import type { FailureLog } from "../platform/logs.ts";
import type { Status } from "../platform/status.ts";
import { code, duration, id, type Message, text } from "../text/message.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";
import { writeDocument } from "./document.ts";
import { leftBehind } from "./left-behind.ts";
import { summaryLimits } from "./limits.ts";
import { logEnding } from "./log-ending.ts";
import { MessageLog, type MessageLogParts } from "./message-log.ts";
import { outputsOf } from "./outputs.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { leftKey, outcomeKey } from "./runner/saved-state.ts";
import { logCheck } from "./sections/checks.ts";
import { logComparison } from "./sections/comparison.ts";
import { logFailureLog } from "./sections/failure-log.ts";
import {
  type ComparisonState,
  initialState,
  type RevisionPhase,
  type RevisionState,
  type RunState,
  type SeenStatus,
  startOfWatch,
  type WriteRecord,
} from "./state.ts";

/** This run's revision, with what another attempt of the run recognizes it by. */
export interface OwnRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** `tarballPath`: the platform's name for the archive of an upload. */
  readonly content: { readonly tarballPath?: string | undefined };
  /** The newest revision before this one, empty if there was none; undefined if this one surely is the run's. */
  readonly follows?: string | undefined;
}

/** Shows a run on GitHub. It gets two events, queues its requests, and delays nothing. */
export interface RunListener {
  /** This run's revision is known. */
  onRevision(revision: OwnRevision): void;
  onEnd(ending: Ending): Promise<void>;
}

interface ReportParts extends MessageLogParts {
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
 * Shows what a run does and found out: at once in the log and the outputs, and at the end in the summary.
 * Stages hand over raw values and messages.
 */
export class Report extends MessageLog {
  readonly #parts: ReportParts;
  readonly #state: RunState;
  /** The record and the comment on GitHub, which are told in this order: sweep finds previews by their records. */
  readonly listeners: { record?: RunListener; comment?: RunListener } = {};
  readonly #written = new Map<string, string>();
  #stopHeartbeat = () => {};

  constructor(parts: ReportParts) {
    super(parts);
    this.#parts = parts;
    this.#state = initialState(parts.action, parts.clock.now());
  }

  get state(): Readonly<RunState> {
    return this.#state;
  }

  /** Adds what a stage found out. Outputs are written at once, so that a killed run leaves them behind. */
  set(found: Partial<RunState>): void {
    Object.assign(this.#state, found);
    const { outputs, files } = this.#parts;
    for (const [name, value] of Object.entries(outputsOf(this.#state, this.render))) {
      if (outputs?.includes(name) !== false) this.#write(name, value, files.setOutput);
    }
    const { shownName } = this.#state;
    const left = leftBehind(this.#state);
    const saved = left && { shownName: this.render.value(shownName), left: this.render.plain(left) };
    this.#write(leftKey, saved && JSON.stringify(saved), files.saveState);
  }

  /** Writes a value that has changed. */
  #write(name: string, value = "", write: CommandFiles["setOutput"]): void {
    if ((this.#written.get(name) ?? "") === value) return;
    this.#written.set(name, value);
    write(name, value);
  }

  /** Logs one line a minute from here on, which shows what the run is doing. */
  startHeartbeat(): void {
    const { clock } = this.#parts;
    this.#stopHeartbeat = clock.every(heartbeatMs, () =>
      this.#timed(clock.now(), this.#activity(clock.now())),
    );
  }

  #activity(now: number): Message {
    const { activity, rollback, typicalMs } = this.#state;
    const newest = (rollback ?? this.#state).statuses.at(-1);
    if (activity !== undefined || newest === undefined) return activity ?? text`still working`;
    const lasting = text`${code(newest.status.raw)}, for ${duration(now - newest.at)}`;
    if (rollback !== undefined) return text`still rolling back: ${lasting}`;
    const typical = typicalMs === undefined ? undefined : text`, typically ${duration(typicalMs)} in all`;
    return text`still ${lasting}${typical}`;
  }

  /** Has the heartbeat show an activity until `work` ends. */
  async during<T>(activity: Message, work: () => Promise<T>): Promise<T> {
    const before = this.#state.activity;
    this.set({ activity });
    try {
      return await work();
    } finally {
      this.set({ activity: before });
    }
  }

  /** Notes that a request that changes something is sent: it may have taken effect until `responded` is called. */
  sending(write: WriteRecord): void {
    this.set({ writes: [...this.#state.writes, { write, isConfirmed: false }] });
  }

  /** Notes whether a request that was sent took effect. */
  responded(write: WriteRecord, tookEffect: boolean): void {
    const writes = this.#state.writes.flatMap((sent) => {
      if (sent.write !== write) return [sent];
      return tookEffect ? [{ ...sent, isConfirmed: true }] : [];
    });
    this.set({ writes });
  }

  /** Logs the message with how long the run has taken since its request. */
  #timed(at: number, message: Message): void {
    this.info(text`[${duration(at - (startOfWatch(this.#state) ?? this.#state.startedAt))}] ${message}`);
  }

  /** Reports the deployment. `created`: whether this run created it, once that is known. */
  foundDeployment({ id: deploymentId, ...seen }: Deployment, created = this.#state.created): void {
    const { deploymentId: known, name, shownName, tenantId, url } = this.#state;
    if (known !== deploymentId) {
      const done = created ? text`Created` : text`Found`;
      this.info(text`${done} deployment ${code(seen.name ?? shownName)} (ID ${code(deploymentId)}).`);
    }
    this.set({
      deploymentId,
      created,
      name: seen.name ?? name,
      tenantId: seen.tenantId ?? tenantId,
      url: seen.url ?? url,
    });
  }

  /** Reports this run's revision. `typicalMs`: how long such a revision typically takes, in milliseconds. */
  revisionKnown(revision: OwnRevision, typicalMs?: number): void {
    const { revisionId } = revision;
    const typical = typicalMs === undefined ? undefined : text` It should take about ${duration(typicalMs)}.`;
    this.info(text`This run's revision is ${id(revisionId)}.${typical}`);
    this.set({ revisionId, typicalMs, phase: "running" });
    const { record, comment } = this.listeners;
    record?.onRevision(revision);
    comment?.onRevision(revision);
  }

  /** The revision that is watched: that of the rollback, once there is one. */
  get #watched(): RevisionState {
    return this.#state.rollback ?? this.#state;
  }

  /** What was found out about the revision that is watched. */
  #setWatched(found: Partial<RevisionState>): void {
    const { rollback } = this.#state;
    this.set(rollback === undefined ? found : { rollback: { ...rollback, ...found } });
  }

  /** Sets how far the run is with the revision that it watches. */
  setPhase(phase: RevisionPhase): void {
    this.#setWatched({ phase });
  }

  /** Reports what a poll of the revision returned. */
  polled({ status, commitSha }: Revision): void {
    const { statuses, phase } = this.#watched;
    this.#setWatched({ commitSha, statuses: this.#seen(status, statuses) });
    // After its checks, the revision is read again. That changes no phase.
    if (phase !== "running" || status.kind === "pending") return;
    this.setPhase(status.kind === "deployed" ? "deployed" : "ended");
  }

  /** The statuses with a new one, which is logged. */
  #seen(status: Status, seen: readonly SeenStatus[]): readonly SeenStatus[] {
    const { raw, isKnown } = status;
    if (seen.at(-1)?.status.raw === raw) return seen;
    if (!isKnown && !seen.some((earlier) => earlier.status.raw === raw)) {
      this.info(text`Unknown status ${code(raw)}; treating it as in progress.`);
    }
    const at = this.#parts.clock.now();
    const subject = this.#state.rollback && text`Rollback: `;
    this.#timed(at, text`${subject}${code(raw)}`);
    return [...seen, { status, at }];
  }

  /** The end of a log, which is logged. */
  showFailureLog(failureLog: FailureLog): readonly string[] {
    this.set({ failureLog });
    return logFailureLog(failureLog, this);
  }

  /** Forgets the revision, which turned out not to be this run's. */
  forgetRevision(): void {
    this.#setWatched({ phase: "ended", revisionId: undefined, commitSha: undefined, statuses: [] });
  }

  /** The version of the agent server that serves the revision. */
  setServerVersion(serverVersion: string | undefined): void {
    this.#setWatched({ serverVersion });
  }

  addCheck(result: CheckResult): void {
    logCheck(result, this);
    this.#setWatched({ checks: [...this.#watched.checks, result] });
  }

  checkNotRun(check: CheckNotRun): void {
    if (this.#state.rollback !== undefined) return;
    this.set({ checksNotRun: [...this.#state.checksNotRun, check] });
  }

  /** Logs what a comparison found out. */
  compared(comparison: ComparisonState): void {
    logComparison(comparison, this);
    this.set({ comparison });
  }

  /** Ends the run's time now, even if something is still to be done. */
  stopTime(): void {
    this.set({ endedAt: this.#parts.clock.now() });
  }

  /** Shows how the run ended. Errors of listeners are rethrown. */
  async end(ending: Ending): Promise<void> {
    const { clock, files } = this.#parts;
    this.#stopHeartbeat();
    this.#state.endedAt ??= clock.now();
    // The log comes first, because writing a file may fail.
    logEnding(ending, this.#state, this);
    const { outcome } = ending;
    const isGone = outcome === "deleted";
    this.set({ outcome, ...(isGone && { liveRevisionId: undefined, consoleUrl: undefined }) });
    const { record, comment } = this.listeners;
    if (record ?? comment) files.saveState(outcomeKey, outcome);
    files.appendSummary(this.writeDocument(ending));
    await Promise.all([record?.onEnd(ending), comment?.onEnd(ending)]);
  }

  /** The summary, or with other limits the comment, as Markdown. `ending`: undefined while the run is still going. */
  writeDocument(ending: Ending | undefined, limits = summaryLimits): string {
    const now = this.#state.endedAt ?? this.#parts.clock.now();
    const facts = { state: this.#state, ending, workflow: this.#parts.workflow, now };
    return writeDocument(facts, limits, this.render);
  }
}
