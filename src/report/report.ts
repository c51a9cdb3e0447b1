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
import { type DocumentLimits, summaryLimits } from "./limits.ts";
import { MessageLog } from "./message-log.ts";
import { createStateWriter } from "./outputs.ts";
import type { AnnouncedRevision, RunListener } from "./run-listener.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { savedOutcomeKey } from "./runner/saved-state.ts";
import { maxLineLength, type StepLog } from "./runner/step-log.ts";
import { changeLines, changesOutput } from "./sections/comparison.ts";
import { type FailureLog, initialState, measuredSince, type ReportedAction, type RunState } from "./state.ts";

interface ReportParts {
  readonly log: StepLog;
  readonly redact: RunRedactor;
  readonly clock: Clock;
  readonly files: CommandFiles;
  readonly workflow: WorkflowRun;
  readonly action: ReportedAction;
}

/**
 * The log of a run, and its state. A change of the state is written to the outputs at once. The summary is written at the end,
 * record and comment also when the revision is known.
 */
export class Report extends MessageLog {
  readonly #parts: ReportParts;
  readonly #listeners: RunListener[] = [];
  readonly #write: (state: RunState) => void;
  #state: RunState;

  constructor(parts: ReportParts) {
    super(parts.log, parts.redact);
    const { action, clock, files } = parts;
    this.#parts = parts;
    this.#state = initialState(action, clock.now());
    this.#write = createStateWriter(files, this.render);
  }

  get state(): RunState {
    return this.#state;
  }

  set(changes: Partial<RunState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#write(this.#state);
  }

  /** Adds rendered outputs. */
  addOutputs(outputs: RunState["outputs"]): void {
    this.set({ outputs: { ...this.#state.outputs, ...outputs } });
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
    const { activity: before } = this.#state;
    this.set({ activity });
    try {
      return await work();
    } finally {
      this.set({ activity: before });
    }
  }

  /** Reports the deployment, and logs it if it is new. `created`: whether this run created it, once that is known. */
  announceDeployment(deployment: Deployment, created = this.#state.deployment?.created ?? false): void {
    const { deployment: known, name, shownName } = this.#state;
    if (!isSameId(known?.id, deployment.id)) {
      const done = created ? text`Created` : text`Found`;
      this.info(text`${done} deployment ${code(deployment.name ?? shownName)} (ID ${code(deployment.id)}).`);
    }
    const { id, url = known?.url } = deployment;
    this.set({ deployment: { id, url, created }, name: deployment.name ?? name });
  }

  /** Reports this run's revision. `typicalMs`: how long such a revision typically takes. */
  announceRevision(revision: AnnouncedRevision, typicalMs?: number): void {
    const typical = typicalMs === undefined ? undefined : text` It should take about ${duration(typicalMs)}.`;
    this.info(text`This run's revision is ${idText(revision.revisionId)}.${typical}`);
    this.set({ revision: { ...this.#state.revision, id: revision.revisionId } });
    for (const listener of this.#listeners) listener.onRevision(revision);
  }

  /** Logs the end of a failed build's or deploy's log, and returns its lines as they were printed. */
  showFailureLog(failureLog: FailureLog): readonly string[] {
    this.set({ failureLog });
    const end = this.render.endOfLog(failureLog.lines, summaryLimits.maxLines, maxLineLength);
    this.group(text`End of the ${code(failureLog.type)} log`, end);
    return end;
  }

  showComparison(comparedWith: string, changes: readonly ContractChange[]): void {
    this.set({ comparison: { comparedWith, changes } });
    this.addOutputs({ contract_changes: changesOutput(changes, this.render) });
    const lines = changeLines(changes, this.render);
    if (lines.length > 0) this.group(text`Compared with ${quote(comparedWith, 100)}`, lines);
  }

  /** Reports the ending everywhere. Rethrows the errors of listeners. */
  async end(ending: Ending): Promise<void> {
    const { clock, files } = this.#parts;
    const { outcome } = ending;
    // The log comes first: the runner shows it at once.
    logEnding(ending, this.#state, this);
    const isGone = outcome === "deleted";
    const { endedAt = clock.now() } = this.#state;
    this.set({ endedAt, ending, ...(isGone && { liveRevisionId: undefined, consolePage: undefined }) });
    if (this.#listeners.length > 0) files.saveState(savedOutcomeKey, outcome);
    files.appendSummary(this.renderDocument(summaryLimits));
    await Promise.all(this.#listeners.map((listener) => listener.onEnd(ending)));
  }

  /** Returns the summary or the comment as Markdown. */
  renderDocument(limits: DocumentLimits): string {
    return renderDocument(this.#state, this.#parts.workflow, limits, this.render);
  }
}
