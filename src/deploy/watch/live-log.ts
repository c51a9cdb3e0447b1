import { type ActionError, bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { ControlPlane, ControlPlaneSettings } from "../../platform/control-plane.ts";
import { isTransient, isUnsupported } from "../../platform/error-kinds.ts";
import type { LogEndpoint, LogEntry, LogPage, RevisionLog } from "../../platform/revision-log.ts";
import { buildPhase, type Status } from "../../platform/status.ts";
import type { AppliedRevision } from "../apply/match-revision.ts";
import { controlPlaneForLogs, maxEndLines } from "./failure-log.ts";
import { LogLines } from "./log-lines.ts";
import { SeenEntries } from "./seen-entries.ts";

/** As many as the platform allows. */
const pageSize = 1000;
/** More would make the step's log unreadable. */
const maxLines = 10_000;
/** After so many failed reads in a row, the log is not requested any more. */
const maxFailures = 3;

/**
 * `build_log: live`: prints the build log of a revision while it grows, in a group of the step's log
 * (docs/specification.md#build-log). It needs one request per poll, and its failures never concern the deployment.
 */
export class LiveLog {
  readonly #log: RevisionLog;
  readonly #controlPlane: ControlPlane;
  readonly #context: RunContext;
  readonly #seen = new SeenEntries();
  readonly #lines: LogLines;
  #endpoint: LogEndpoint = "revision";
  #offset: string | undefined;
  #lastStatus: Status | undefined;
  #failures = 0;
  #hasFailed = false;
  #hasRead = false;
  #hasEnded = false;
  /** Whether everything up to the last read was printed. */
  #isComplete = false;
  #printedLines = 0;
  #lastLines: readonly string[] = [];
  #isGroupOpen = false;

  constructor(
    { deploymentId, revisionId }: AppliedRevision,
    settings: ControlPlaneSettings,
    context: RunContext,
  ) {
    this.#log = { deploymentId, revisionId, type: "build" };
    this.#controlPlane = controlPlaneForLogs(settings, context);
    this.#context = context;
    this.#lines = new LogLines(maxLines, context.redact);
  }

  /** The lines that were printed last. */
  get lastLines(): readonly string[] {
    return this.#lastLines;
  }

  /** Whether `lastLines` are the end of the log, as far as the platform shows it. */
  get isComplete(): boolean {
    return this.#isComplete && this.#lastLines.length > 0;
  }

  /** Prints what is new since the last poll. @throws the reason of a cancellation */
  async onPoll(status: Status): Promise<void> {
    const last = this.#lastStatus;
    this.#lastStatus = status;
    const phase = buildPhase(status);
    // A new status is logged after this: the group of its lines begins with the next poll, that of the last one ends here.
    const isBeginning = phase === "during" && (last === undefined || buildPhase(last) !== "during");
    if (this.#hasEnded || phase === "before" || isBeginning) return;
    const page = await this.#read();
    const entries = page === undefined ? [] : this.#newEntries(page);
    // The last lines of a build may be visible only after its end.
    const isDrained = phase === "after" && this.#isComplete && entries.length === 0;
    const isOver = isDrained || status.kind !== "pending";
    this.#print(this.#lines.add(entries));
    if (isOver) this.#print(this.#lines.end());
    const hasMore = page !== undefined && !this.#isComplete && !this.#hasEnded;
    if (hasMore && status.kind === "deployed") {
      this.#context.log.info("The log goes on. The platform shows the rest.");
    }
    if (status.raw !== last?.raw || phase === "after") this.#closeGroup();
    if (isOver) this.#hasEnded = true;
  }

  /** Prints what was held back, and closes the group. */
  close(): void {
    if (!this.#hasEnded) this.#print(this.#lines.end());
    this.#closeGroup();
  }

  /** If lines follow, they get another group. */
  #closeGroup(): void {
    if (this.#isGroupOpen) this.#context.log.endGroup();
    this.#isGroupOpen = false;
  }

  async #read(): Promise<LogPage | undefined> {
    this.#isComplete = false;
    const query = { order: "asc", limit: pageSize, offset: this.#offset } as const;
    const read = await bestEffort(
      () => this.#controlPlane.readLog(this.#log, query, this.#endpoint),
      this.#context.cancelled,
    );
    if ("error" in read) {
      this.#onFailure(read.error);
      return undefined;
    }
    this.#hasRead = true;
    this.#failures = 0;
    return read.value;
  }

  #onFailure(error: ActionError): void {
    if (isUnsupported(error) && !this.#hasRead && this.#endpoint === "revision") {
      this.#endpoint = "project";
      return;
    }
    if (!this.#hasFailed) {
      this.#context.log.notice(
        `The build log can't be read: ${error.message} The deployment is not affected.`,
      );
    }
    this.#hasFailed = true;
    this.#failures += 1;
    if (this.#failures === maxFailures || isUnsupported(error) || !isTransient(error)) this.#hasEnded = true;
  }

  #newEntries({ entries, nextOffset }: LogPage): LogEntry[] {
    const unseen = this.#seen.add(entries, this.#offset);
    this.#isComplete = entries.length < pageSize;
    this.#offset = nextOffset ?? this.#offset;
    return unseen;
  }

  #print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { log } = this.#context;
    if (!this.#isGroupOpen) log.group(this.#printedLines === 0 ? "Build log" : "Build log, continued");
    this.#isGroupOpen = true;
    const shown = lines.slice(0, maxLines - this.#printedLines);
    for (const line of shown) log.info(line);
    this.#printedLines += shown.length;
    this.#lastLines = [...this.#lastLines, ...shown].slice(-maxEndLines);
    if (shown.length === lines.length) return;
    log.info(`The build log has more than ${maxLines} lines. The platform shows the rest.`);
    this.#isComplete = false;
    this.#hasEnded = true;
    this.#closeGroup();
  }
}
