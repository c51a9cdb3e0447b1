import { type Failure, toResult } from "../../../errors.ts";
import { isNotFound } from "../../../http/request-error.ts";
import type { LogPage, LogReader } from "../../../platform/revision-log.ts";
import { buildPhase, type Status } from "../../../platform/status.ts";
import type { Report } from "../../../report/report.ts";
import { text } from "../../../text/message.ts";
import { linesOf } from "../../../text/strings.ts";
import type { RevisionContext } from "../../deploy-context.ts";
import { maxLagMs, type OwnRevision } from "../../own-revision.ts";

/** The size of the largest page that the platform allows. */
const pageSize = 1000;
/** The maximum number of pages that are read at a poll, because they delay it. */
const maxPages = 10;
/** After so many failed reads in a row, the log is not requested any more. */
const maxFailures = 3;

/**
 * `build_log: live`: prints the build log of a revision while it grows, in a group of the step's log
 * (docs/specification.md#build-log). Its failures do not affect the deployment.
 */
export class BuildLogPrinter {
  readonly #context: RevisionContext;
  readonly #waitStartedAt: number;
  readonly #readPage: LogReader | undefined;
  readonly #stream: ReturnType<Report["stream"]>;
  /** The start of the next page. */
  #offset: string | undefined;
  /** The number of printed entries of the page at the offset. The page is read again if the platform reports no next one. */
  #printedOfPage = 0;
  /** Whether the last page that was read was full. */
  #mayHaveMore = false;
  #lastStatus: Status | undefined;
  /** The number of failed reads in a row. */
  #failures = 0;
  #wasReported = false;
  #hasEnded = false;

  constructor(context: RevisionContext, ownRevision: OwnRevision) {
    this.#context = context;
    this.#waitStartedAt = ownRevision.waitStartedAt;
    this.#readPage = context.controlPlane.openLog({ ...ownRevision, type: "build" });
    this.#stream = context.report.stream(text`Build log`);
  }

  /** Prints the new lines since the last poll. */
  async onPoll(status: Status): Promise<void> {
    const last = this.#lastStatus;
    this.#lastStatus = status;
    const phase = buildPhase(status);
    // The report logs a new status after this call. To put the group below that, the log is read from the next poll on.
    const isBeginning = phase === "during" && (last === undefined || buildPhase(last) !== "during");
    if (this.#hasEnded || phase === "before" || isBeginning) return;
    const hasNew = await this.#printNew();
    // The last lines of a build may be visible only after its end.
    const isOver = status.kind !== "pending" || (phase === "after" && !hasNew);
    if (status.raw !== last?.raw || phase === "after") this.#stream.closeGroup();
    if (!isOver) return;
    this.#hasEnded = true;
    if (this.#mayHaveMore) this.#context.report.info(maybeLongerNotice);
  }

  close(): void {
    this.#stream.closeGroup();
  }

  /** Prints the pages that are new. Returns whether they have any lines. */
  async #printNew(): Promise<boolean> {
    let hasNew = false;
    for (let pagesRead = 0; pagesRead < maxPages; pagesRead += 1) {
      const start = this.#offset;
      const lines = linesOf(await this.#readNew());
      this.#stream.add(lines);
      hasNew ||= lines.length > 0;
      if (!this.#mayHaveMore || this.#offset === start) break;
    }
    return hasNew;
  }

  /** Returns the messages of the next page that were not printed yet; an empty list if it can't be read. */
  async #readNew(): Promise<readonly string[]> {
    const readPage = this.#readPage;
    if (readPage === undefined) return [];
    const query = { order: "asc", limit: pageSize, offset: this.#offset } as const;
    const read = await toResult(() => readPage(query), this.#context.cancelled);
    if (read.error !== undefined) {
      this.#onFailure(read.error);
      return [];
    }
    this.#failures = 0;
    return this.#newMessages(read.value);
  }

  #newMessages({ messages, nextOffset }: LogPage): readonly string[] {
    this.#mayHaveMore = messages.length >= pageSize;
    const unseen = messages.slice(this.#printedOfPage);
    const isNextPage = nextOffset !== undefined && nextOffset !== this.#offset;
    this.#printedOfPage = isNextPage ? 0 : messages.length;
    this.#offset = isNextPage ? nextOffset : this.#offset;
    return unseen;
  }

  #onFailure(error: Failure): void {
    const { clock, report } = this.#context;
    if (isNotFound(error) && clock.now() < this.#waitStartedAt + maxLagMs) return;
    if (!this.#wasReported) {
      report.notice(
        text`The build log can't be read: ${error.ending.message} The deployment is not affected.`,
      );
    }
    this.#wasReported = true;
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    this.#hasEnded = true;
    // What follows, such as the next status, does not belong to the log.
    this.#stream.closeGroup();
  }
}

const maybeLongerNotice = text`The build log may be longer than what is shown here. It is on the platform.`;
