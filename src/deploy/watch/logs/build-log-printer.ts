import { type Failure, toResult } from "../../../errors.ts";
import { isNotFound } from "../../../http/request-error.ts";
import type { LogReader } from "../../../platform/revision-log.ts";
import { buildPhase, type Status } from "../../../platform/status.ts";
import type { Report } from "../../../report/report.ts";
import type { OwnRevision } from "../../../state/own-revision.ts";
import { text } from "../../../text/message.ts";
import { linesOf } from "../../../text/strings.ts";
import type { RevisionContext } from "../../deploy-context.ts";
import { maxLagMs } from "../../snapshot.ts";

/** The size of the largest page that the platform allows. */
const pageSize = 1000;
/** The maximum number of pages that are read at a poll, because they delay it. */
const maxPages = 10;
/** After so many failed reads, the log is not requested any more, because each delays a poll. */
const maxFailures = 5;

/** Returns the printer of a revision's build log; undefined if the log is not shown while it grows. */
export function createBuildLogPrinter(
  context: RevisionContext,
  ownRevision: OwnRevision,
): BuildLogPrinter | undefined {
  if (context.options.buildLog !== "live") return undefined;
  const readPage = context.controlPlane.openLog({ ...ownRevision, type: "build" });
  return readPage && new BuildLogPrinter(context, ownRevision, readPage);
}

/**
 * `build_log: live`: prints the build log of a revision while it grows, in a group of the step's log
 * (docs/specification.md#build-log). Its failures do not affect the deployment.
 */
export class BuildLogPrinter {
  readonly #context: RevisionContext;
  readonly #waitStartedAt: number;
  readonly #readPage: LogReader;
  readonly #stream: ReturnType<Report["stream"]>;
  /** The start of the page that is read next. */
  #offset: string | undefined;
  /** The number of printed entries of that page: the last page is read again while it grows. */
  #printedEntries = 0;
  #failures = 0;
  #hasEnded = false;

  constructor(context: RevisionContext, { waitStartedAt }: OwnRevision, readPage: LogReader) {
    this.#context = context;
    this.#waitStartedAt = waitStartedAt;
    this.#readPage = readPage;
    this.#stream = context.report.stream(text`Build log`);
  }

  /** Prints the new lines before the polled status is reported. `last`: the status of the poll before. */
  async onPoll(status: Status, last: Status | undefined): Promise<void> {
    const isPending = status.kind === "pending";
    // The poll that first shows the build is too early: the group would stand above that status.
    const wasBuilding = last !== undefined && buildPhase(last) !== "before";
    if (this.#hasEnded || (isPending && !wasBuilding)) return;
    const hasNoNew = await this.#printNew();
    const isAfterBuild = buildPhase(status) === "after";
    if (isAfterBuild || status.raw !== last?.raw) this.#stream.closeGroup();
    // The last lines of a build may be visible only after its end.
    if (!isPending || (isAfterBuild && hasNoNew)) this.#hasEnded = true;
  }

  close(): void {
    this.#stream.closeGroup();
  }

  /** Prints the new entries, and returns whether the log was read and has none at its end. */
  async #printNew(): Promise<boolean> {
    for (let pagesRead = 0; pagesRead < maxPages; pagesRead += 1) {
      const query = { order: "asc", limit: pageSize, offset: this.#offset } as const;
      const { value: page, error } = await toResult(() => this.#readPage(query));
      if (error !== undefined) {
        this.#onFailure(error);
        return false;
      }
      const { messages, nextOffset } = page;
      const entries = messages.slice(this.#printedEntries);
      this.#stream.add(linesOf(entries));
      const hasNextPage = nextOffset !== undefined && nextOffset !== this.#offset;
      this.#printedEntries = hasNextPage ? 0 : messages.length;
      if (hasNextPage) this.#offset = nextOffset;
      if (!hasNextPage || messages.length < pageSize) return entries.length === 0;
    }
    return false;
  }

  #onFailure(error: Failure): void {
    const { clock, report } = this.#context;
    if (isNotFound(error) && clock.now() < this.#waitStartedAt + maxLagMs) return;
    if (this.#failures === 0) {
      report.notice(
        text`The build log can't be read: ${error.ending.message} The deployment is not affected.`,
      );
    }
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    this.#hasEnded = true;
    // What follows, such as the next status, does not belong to the log.
    this.#stream.closeGroup();
  }
}
