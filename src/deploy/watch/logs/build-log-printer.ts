import { type Failure, toResult } from "../../../errors.ts";
import { isNotFound } from "../../../http/request-error.ts";
import type { LogReader } from "../../../platform/revision-log.ts";
import { buildPhase, type Status } from "../../../platform/status.ts";
import type { Report } from "../../../report/report.ts";
import type { OwnRevision } from "../../../state/own-revision.ts";
import { text } from "../../../text/message.ts";
import type { RevisionContext } from "../../deploy-context.ts";
import { maxLagMs } from "../../snapshot.ts";
import { LogFollower } from "./log-follower.ts";

/** The maximum number of pages that are read at a poll, because they delay it. */
const maxPages = 10;
/** After so many failed reads in a row, the log is not requested any more. */
const maxFailures = 3;

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
  readonly #follower: LogFollower;
  readonly #stream: ReturnType<Report["stream"]>;
  /** The number of failed reads in a row. */
  #failures = 0;
  #wasReported = false;
  #hasEnded = false;

  constructor(context: RevisionContext, { waitStartedAt }: OwnRevision, readPage: LogReader) {
    this.#context = context;
    this.#waitStartedAt = waitStartedAt;
    this.#follower = new LogFollower(readPage);
    this.#stream = context.report.stream(text`Build log`);
  }

  /** Prints the new lines since the last poll. `last`: its status. */
  async onPoll(status: Status, last: Status | undefined): Promise<void> {
    const phase = buildPhase(status);
    // To put the group below the status with which the build begins, the log is read from the next poll on.
    const isBeginning = phase === "during" && (last === undefined || buildPhase(last) !== "during");
    if (this.#hasEnded || phase === "before" || isBeginning) return;
    const hasNone = await this.#printNew();
    if (status.raw !== last?.raw || phase === "after") this.#stream.closeGroup();
    // The last lines of a build may be visible only after its end.
    if (status.kind !== "pending" || (phase === "after" && hasNone)) this.#hasEnded = true;
  }

  close(): void {
    this.#stream.closeGroup();
  }

  /** Prints the pages that are new. Returns whether the log surely has no new line. */
  async #printNew(): Promise<boolean> {
    let hasNone = true;
    for (let pagesRead = 0; pagesRead < maxPages; pagesRead += 1) {
      const read = await toResult(() => this.#follower.readNext());
      if (read.error !== undefined) {
        this.#onFailure(read.error);
        return false;
      }
      this.#failures = 0;
      const { lines, isLast } = read.value;
      this.#stream.add(lines);
      hasNone &&= lines.length === 0;
      if (isLast) break;
    }
    return hasNone;
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
