import { type Failure, toResult } from "../../errors.ts";
import { isUnsupported, mayKeepPolling } from "../../platform/error-kinds.ts";
import type { LogEntry, LogPage, LogReader } from "../../platform/logs.ts";
import { buildPhase, type Status } from "../../platform/status.ts";
import type { LogStream } from "../../report/log-stream.ts";
import type { LogLine } from "../../results/watch.ts";
import { text } from "../../text/message.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { RevisionJob } from "../job.ts";
import { maxKeptLines, openLog, type PrintedLog, toLogLines } from "./log-lines.ts";

/** As many as the platform allows. */
const pageSize = 1000;
/** After so many failed reads in a row, the log is not requested any more. */
const maxFailures = 3;

/**
 * `build_log: live`: prints the build log of a revision while it grows, in a group of the step's log
 * (docs/specification.md#build-log). It needs one request per poll, and its failures never concern the deployment.
 */
export class LiveLog implements PrintedLog {
  readonly #job: RevisionJob;
  readonly #readPage: LogReader | undefined;
  readonly #seen = new SeenEntries();
  readonly #stream: LogStream;
  #offset: string | undefined;
  #lastStatus: Status | undefined;
  #failures = 0;
  #hasFailed = false;
  #hasEnded = false;
  /** Whether everything up to the last read was printed. */
  #isComplete = false;
  #lastLines: readonly LogLine[] = [];

  constructor(job: RevisionJob, { deploymentId, revisionId }: RunRevision) {
    this.#job = job;
    this.#readPage = openLog(job, { deploymentId, revisionId, type: "build" });
    this.#stream = job.report.stream(text`Build log`);
  }

  get lastLines(): readonly LogLine[] {
    return this.#lastLines;
  }

  /** Whether `lastLines` are the end of the log, as far as the platform shows it. */
  get isComplete(): boolean {
    return this.#isComplete && !this.#stream.isFull;
  }

  /** Prints what is new since the last poll. @throws the reason of a cancellation */
  async onPoll(status: Status): Promise<void> {
    const last = this.#lastStatus;
    this.#lastStatus = status;
    const phase = buildPhase(status);
    // The report logs a new status after this call. Start reading at the next poll, so that the group stands below it.
    const isBeginning = phase === "during" && (last === undefined || buildPhase(last) !== "during");
    if (this.#hasEnded || phase === "before" || isBeginning) return;
    const page = await this.#read();
    const entries = page === undefined ? [] : this.#newEntries(page);
    // The last lines of a build may be visible only after its end.
    const isDrained = phase === "after" && this.#isComplete && entries.length === 0;
    const isOver = isDrained || status.kind !== "pending";
    this.#print(toLogLines(entries));
    if (isOver) this.#stream.end();
    const hasMore = page !== undefined && !this.#isComplete && !this.#stream.isFull;
    if (hasMore && status.kind === "deployed") {
      this.#job.report.info(text`The log is longer. The platform shows the rest.`);
    }
    if (status.raw !== last?.raw || phase === "after") this.#stream.closeGroup();
    if (isOver || this.#stream.isFull) this.#hasEnded = true;
  }

  /** Prints what was held back, and closes the group. */
  close(): void {
    this.#stream.end();
    this.#stream.closeGroup();
  }

  async #read(): Promise<LogPage | undefined> {
    this.#isComplete = false;
    const query = { order: "asc", limit: pageSize, offset: this.#offset } as const;
    const readPage = this.#readPage;
    if (readPage === undefined) return undefined;
    const read = await toResult(() => readPage(query), this.#job.cancelled);
    if ("error" in read) {
      this.#onFailure(read.error);
      return undefined;
    }
    this.#failures = 0;
    return read.value;
  }

  #onFailure(error: Failure): void {
    if (!this.#hasFailed) {
      this.#job.report.notice(
        text`The build log can't be read: ${error.ending.message} The deployment is not affected.`,
      );
    }
    this.#hasFailed = true;
    this.#failures += 1;
    if (this.#failures === maxFailures || isUnsupported(error) || !mayKeepPolling(error)) {
      this.#hasEnded = true;
    }
  }

  #newEntries({ entries, nextOffset }: LogPage): LogEntry[] {
    const unseen = this.#seen.add(entries, this.#offset);
    this.#isComplete = entries.length < pageSize;
    this.#offset = nextOffset ?? this.#offset;
    return unseen;
  }

  #print(lines: readonly LogLine[]): void {
    this.#stream.add(lines);
    this.#lastLines = [...this.#lastLines, ...lines].slice(-maxKeptLines);
  }
}

/** Which entries of a log were seen. Its pages may overlap, because a log grows while it is read. */
class SeenEntries {
  readonly #keys = new Set<string>();

  /** The entries of a page that were not seen before. `offset`: where the page begins. */
  add(entries: readonly LogEntry[], offset: string | undefined): LogEntry[] {
    const counts = new Map<string, number>();
    return entries.filter((entry) => {
      const content = contentOf(entry, offset);
      const count = (counts.get(content) ?? 0) + 1;
      counts.set(content, count);
      const key = entry.id === undefined ? `${count} ${content}` : content;
      if (this.#keys.has(key)) return false;
      this.#keys.add(key);
      return true;
    });
  }
}

/** What an entry is known by: its id, or its time and text, or its text on this page, which may be there several times. */
function contentOf({ id, at, level, message }: LogEntry, offset: string | undefined): string {
  if (id !== undefined) return JSON.stringify([id]);
  return JSON.stringify(at === undefined ? [offset, level, message] : [at, level, message]);
}
