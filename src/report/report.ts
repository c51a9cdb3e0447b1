import type { Clock } from "../clock.ts";
import type { Ending } from "../errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import { isSameId } from "../platform/ids.ts";
import type { Revision } from "../platform/revision.ts";
import type { CheckResult } from "../state/check-result.ts";
import type { OwnRevision } from "../state/own-revision.ts";
import {
  type FailureLog,
  initialState,
  newestRevision,
  type RevisionState,
  type RunState,
} from "../state/run-state.ts";
import { code, duration, idText, joined, type Message, type Phrase, phrase, text } from "../text/message.ts";
import type { RunRedactor } from "../text/run-redactor.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { renderDocument } from "./document.ts";
import { logEnding } from "./ending.ts";
import { summaryLimits } from "./limits.ts";
import { MessageLog } from "./message-log.ts";
import { createStateWriter, type ReportedAction } from "./outputs.ts";
import { RunWriters } from "./run-writers.ts";
import type { CommandFiles } from "./runner/command-files.ts";
import { maxLineLength, type StepLog } from "./runner/step-log.ts";
import { logCheck } from "./sections/checks.ts";

const heartbeatMs = 60_000;

interface ReportParts {
  readonly log: StepLog;
  readonly redact: RunRedactor;
  readonly clock: Clock;
  readonly files: CommandFiles;
  readonly cancelled: AbortSignal;
  readonly workflow: WorkflowRun;
  readonly action: ReportedAction;
}

/**
 * The log of a run, and its state. A change of the state is written to the outputs at once. The summary is written at the end,
 * record and comment also when the revision is known.
 */
export class Report extends MessageLog {
  readonly #parts: ReportParts;
  readonly writers: RunWriters;
  readonly #ended = new AbortController();
  readonly #write: (state: RunState) => void;
  #state: RunState;
  /** Shown by the heartbeat in place of the newest status. */
  #activity: Phrase | undefined;

  constructor(parts: ReportParts) {
    super(parts.log, parts.redact);
    const { action, clock, files, cancelled } = parts;
    this.writers = new RunWriters(this, files, cancelled);
    this.#parts = parts;
    this.#state = initialState(action, clock.now());
    this.#write = createStateWriter(action, files, this.render);
  }

  /** Aborted when the run ends. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get state(): RunState {
    return this.#state;
  }

  set(changes: Partial<Omit<RunState, "action" | "startedAt">>): void {
    this.#state = { ...this.#state, ...changes };
    this.#write(this.#state);
  }

  /** Changes what is known of the newest revision. */
  setRevision(changes: Partial<RevisionState>): void {
    const revision = { ...newestRevision(this.#state), ...changes };
    this.set(this.#state.rollbackRevision === undefined ? { revision } : { rollbackRevision: revision });
  }

  /** Writes rendered outputs that do not follow from the state. */
  setOutputs(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) this.#parts.files.setOutput(name, value);
  }

  #infoWithTime(message: Message): void {
    const { startedAt, waitStartedAt: since = startedAt } = this.#state;
    this.info(text`[${duration(this.#parts.clock.now() - since)}] ${message}`);
  }

  /** Logs the run's activity once a minute. Returns a function that stops it. */
  startHeartbeat(): () => void {
    const { clock } = this.#parts;
    return clock.every(heartbeatMs, () =>
      this.#infoWithTime(this.#activity ?? describeProgress(this.#state, clock.now())),
    );
  }

  /** Shows an activity in the heartbeat until `work` ends. */
  async withActivity<T>(activity: Phrase, work: () => Promise<T>): Promise<T> {
    this.#activity = activity;
    try {
      return await work();
    } finally {
      this.#activity = undefined;
    }
  }

  /** Sets what was read of the deployment, and logs a new one. `created`: whether this run created it, once that is known. */
  setDeployment(deployment: Deployment, created = this.#state.deployment?.created ?? false): void {
    const { deployment: known, name, shownName } = this.#state;
    const { id, url = known?.url } = deployment;
    if (!isSameId(known?.id, id)) {
      const done = created ? phrase`Created` : phrase`Found`;
      this.info(text`${done} deployment ${code(deployment.name ?? shownName)} (ID ${code(id)}).`);
    }
    this.set({ deployment: { id, url, created }, name: deployment.name ?? name });
  }

  /** Reports this run's revision. `typicalMs`: how long such a revision typically takes. */
  announceRevision(revision: OwnRevision, typicalMs?: number): void {
    const { revisionId, waitStartedAt } = revision;
    const typical = typicalMs === undefined ? undefined : text`It should take about ${duration(typicalMs)}.`;
    this.info(joined([text`This run's revision is ${idText(revisionId)}.`, typical]));
    this.set({ waitStartedAt });
    this.setRevision({ id: revisionId });
    this.writers.writeRevision(revision);
  }

  /** Keeps the result of a poll, and logs a new status. A poll may show no commit, although an earlier one did. */
  addPoll({ status, content }: Revision): void {
    const { statuses, commitSha, label } = newestRevision(this.#state);
    const isNew = statuses.at(-1)?.status.raw !== status.raw;
    this.setRevision({
      commitSha: content?.commitSha ?? commitSha,
      statuses: isNew ? [...statuses, { status, at: this.#parts.clock.now() }] : statuses,
    });
    if (!isNew) return;
    const { raw, isKnown } = status;
    if (!isKnown && !statuses.some((earlier) => earlier.status.raw === raw)) {
      this.info(text`Unknown status ${code(raw)}; treating it as in progress.`);
    }
    this.#infoWithTime(phrase`${label}${code(raw)}`);
  }

  addCheck(check: CheckResult): void {
    const { checks, label } = newestRevision(this.#state);
    logCheck(check, label, this);
    this.setRevision({ checks: [...checks, check] });
  }

  /** Logs the end of a failed build's or deploy's log, and returns its lines as they were printed. */
  showFailureLog(failureLog: FailureLog): readonly string[] {
    this.set({ failureLog });
    const end = this.render.endOfLog(failureLog.lines, summaryLimits.maxLines, maxLineLength);
    this.group(text`End of the ${code(failureLog.type)} log`, end);
    return end;
  }

  /** Reports the ending everywhere. @throws the bug of a writer */
  async end(ending: Ending): Promise<void> {
    const { clock, files, workflow } = this.#parts;
    // The log comes first: the runner shows it at once.
    logEnding(ending, this.#state, this);
    const isGone = ending.outcome === "deleted";
    const { endedAt = clock.now() } = this.#state;
    this.set({ endedAt, ending, ...(isGone && { liveRevisionId: undefined, consolePage: undefined }) });
    files.appendSummary(renderDocument(this.#state, workflow, summaryLimits, this.render));
    this.#ended.abort();
    await this.writers.writeEnd(ending);
  }
}

function describeProgress(state: RunState, now: number): Message {
  const newest = newestRevision(state).statuses.at(-1);
  if (newest === undefined) return phrase`still working`;
  const rollingBack = state.rollbackRevision && phrase`rolling back: `;
  return phrase`still ${rollingBack}${code(newest.status.raw)}, for ${duration(now - newest.at)}`;
}
