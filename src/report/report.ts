import assert from "node:assert/strict";
import type { Clock } from "../clock.ts";
import type { ContractChange } from "../compare/contract-change.ts";
import type { Ending } from "../errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import { isSameId } from "../platform/ids.ts";
import { code, duration, idText, type Message, type Phrase, quote, text } from "../text/message.ts";
import type { RunRedactor } from "../text/redact.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { renderDocument } from "./document.ts";
import { logEnding } from "./ending.ts";
import { commentLimits, maxEndLines, maxSummaryBytes, summaryLimits } from "./limits.ts";
import { MessageLog } from "./message-log.ts";
import { createStateWriter, type OutputName } from "./outputs.ts";
import type { AnnouncedRevision, RunListener } from "./run-listener.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { savedOutcomeKey } from "./runner/saved-state.ts";
import { maxLineLength, type StepLog } from "./runner/step-log.ts";
import { changeLines } from "./sections/comparison.ts";
import {
  type ActionTitles,
  type FailureLog,
  initialState,
  makesRevision,
  measuredSince,
  type RunState,
  type Write,
} from "./state.ts";

interface ReportParts {
  readonly log: StepLog;
  readonly redact: RunRedactor;
  readonly clock: Clock;
  readonly files: CommandFiles;
  readonly workflow: WorkflowRun;
  readonly action: ActionTitles;
  /** The names of the outputs that the action shares with a deploy; undefined for all. */
  readonly outputs?: readonly OutputName[] | undefined;
}

/**
 * The log of a run, and its state. A change of the state is written to the outputs at once. The summary is written at the end,
 * record and comment also when the revision is known.
 */
export class Report extends MessageLog {
  readonly #parts: ReportParts;
  readonly #state: RunState;
  readonly #listeners: RunListener[] = [];
  readonly #write: (state: RunState) => void;

  constructor(parts: ReportParts) {
    super(parts.log, parts.redact);
    const { action, clock, files, outputs } = parts;
    this.#parts = parts;
    this.#state = initialState(action, clock.now());
    this.#write = createStateWriter(files, this.render, outputs);
  }

  get state(): Readonly<RunState> {
    return this.#state;
  }

  set(changes: Partial<Omit<RunState, "action" | "startedAt" | "writes" | "ending">>): void {
    this.#set(changes);
  }

  #set(changes: Partial<RunState>): void {
    Object.assign(this.#state, changes);
    this.#write(this.#state);
  }

  /** Adds a listener before earlier ones: the record is written before the comment, because sweep finds previews by it. */
  prependListener(listener: RunListener): void {
    this.#listeners.unshift(listener);
  }

  /** Logs the message after the time since the request that makes the revision or, before that, since the start. */
  infoWithTime(message: Message): void {
    const start = measuredSince(this.#state) ?? this.#state.startedAt;
    this.info(text`[${duration(this.#parts.clock.now() - start)}] ${message}`);
  }

  /** Shows an activity in the heartbeat until `work` ends. */
  async withActivity<T>(activity: Phrase, work: () => Promise<T>): Promise<T> {
    const before = this.#state.activity;
    this.#state.activity = activity;
    try {
      return await work();
    } finally {
      this.#state.activity = before;
    }
  }

  /** Notes that a write is sent. It is unconfirmed until `endWrite` is called. */
  startWrite(write: Write): void {
    const { writes, liveRevisionId } = this.#state;
    const sent = { write, since: this.#parts.clock.now(), isConfirmed: false };
    this.#set({
      writes: [...writes, sent],
      // From now on, the platform may switch to a new revision.
      liveRevisionId: makesRevision(write) ? undefined : liveRevisionId,
    });
  }

  /** Notes whether a write took effect. */
  endWrite(write: Write, tookEffect: boolean): void {
    const { writes } = this.#state;
    this.#set({
      writes: tookEffect
        ? writes.map((sent) =>
            sent.write === write ? { write, since: this.#parts.clock.now(), isConfirmed: true } : sent,
          )
        : writes.filter((sent) => sent.write !== write),
    });
  }

  /** Reports the deployment. `created`: whether this run created it, once that is known. */
  setDeployment(deployment: Deployment, created = this.#state.deployment?.created ?? false): void {
    const { deployment: known, name, shownName } = this.#state;
    if (!isSameId(known?.id, deployment.id)) {
      const done = created ? text`Created` : text`Found`;
      this.info(text`${done} deployment ${code(deployment.name ?? shownName)} (ID ${code(deployment.id)}).`);
    }
    const { id: deploymentId, tenantId = known?.tenantId, url = known?.url } = deployment;
    this.set({ deployment: { id: deploymentId, tenantId, url, created }, name: deployment.name ?? name });
  }

  /** Reports that the rollback has made its target live again. */
  setRolledBack(): void {
    const { rollback } = this.#state;
    assert(rollback);
    this.#set({ rollback: { ...rollback, isDone: true } });
  }

  /** Reports this run's revision. `typicalMs`: how long such a revision typically takes. */
  announceRevision(revision: AnnouncedRevision, typicalMs?: number): void {
    const typical = typicalMs === undefined ? undefined : text` It should take about ${duration(typicalMs)}.`;
    this.info(text`This run's revision is ${idText(revision.revisionId)}.${typical}`);
    this.set({ typicalMs });
    for (const listener of this.#listeners) listener.onRevision(revision);
  }

  /** Logs the end of a failed build's or deploy's log, and returns its lines as they were printed. */
  showFailureLog(failureLog: FailureLog): readonly string[] {
    this.set({ failureLog });
    const end = this.render.endOfLog(failureLog.lines, maxEndLines, maxLineLength);
    this.group(text`End of the ${code(failureLog.type)} log`, end);
    return end;
  }

  showComparison(comparedWith: string, changes: readonly ContractChange[]): void {
    this.set({ comparison: { comparedWith, changes } });
    const lines = changeLines(changes, this.render);
    if (lines.length > 0) this.group(text`Compared with ${quote(comparedWith, 100)}`, lines);
  }

  /** Ends the run's measured time now, even if the run continues. */
  stopTimer(): void {
    this.set({ endedAt: this.#parts.clock.now() });
  }

  /** Reports the ending everywhere. Rethrows the errors of listeners. */
  async end(ending: Ending): Promise<void> {
    const { clock, files } = this.#parts;
    const { outcome } = ending;
    this.#state.endedAt ??= clock.now();
    // The log comes first: the runner shows it at once.
    logEnding(ending, this.#state, this);
    const isGone = outcome === "deleted";
    this.#set({ ending, ...(isGone && { liveRevisionId: undefined, consolePage: undefined }) });
    if (this.#listeners.length > 0) files.saveState(savedOutcomeKey, outcome);
    const summary = this.renderDocument();
    const isTooLong = Buffer.byteLength(summary) > maxSummaryBytes;
    files.appendSummary(isTooLong ? this.renderDocument(commentLimits) : summary);
    await Promise.all(this.#listeners.map((listener) => listener.onEnd(ending)));
  }

  /** Returns the summary or, with other limits, the comment as Markdown. `ending`: by default that of this step. */
  renderDocument(limits = summaryLimits, ending = this.#state.ending): string {
    const now = this.#state.endedAt ?? this.#parts.clock.now();
    const facts = { state: { ...this.#state, ending }, workflow: this.#parts.workflow, now };
    return renderDocument(facts, limits, this.render);
  }
}
