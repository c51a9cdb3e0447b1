import { Failure, undefinedIf } from "../../../errors.ts";
import type { LogType } from "../../../platform/revision-log.ts";
import { summaryLimits } from "../../../report/limits.ts";
import type { OwnRevision } from "../../../state/own-revision.ts";
import { linesOf } from "../../../text/strings.ts";
import type { RevisionContext } from "../../deploy-context.ts";
import { type ErrorLine, findErrorLine } from "./find-error-line.ts";

/** A log whose end was shown. */
export interface ShownLog extends ErrorLine {
  readonly type: LogType;
}

/** The output of a server arrives in the platform's log with a delay. */
const logDelayMs = 2000;

/** Shows the end of the server's log after a failed check; undefined if there is nothing to show. */
export async function showServerLog(
  context: RevisionContext,
  ownRevision: OwnRevision,
): Promise<ShownLog | undefined> {
  return await showLogEnd(context, ownRevision, "deploy", logDelayMs);
}

/** Shows the end of a log; undefined if there is nothing to show: it can't be read, is empty or is switched off. */
export async function showLogEnd(
  { options, controlPlane, clock, cancelled, report, archive }: RevisionContext,
  ownRevision: OwnRevision,
  type: LogType,
  delayMs = 0,
): Promise<ShownLog | undefined> {
  if (options.buildLog === "off") return undefined;
  const readPage = controlPlane.openLog({ ...ownRevision, type });
  if (readPage === undefined) return undefined;
  if (delayMs > 0) await clock.sleep(delayMs, cancelled);
  // A page is counted in entries. Some are blank, and others have several lines.
  const maxEntries = 2 * summaryLimits.maxLines;
  // A cancellation must not replace the failure that the log explains.
  const readEnd = () => readPage({ order: "desc", limit: maxEntries });
  const page = await undefinedIf(readEnd, (error) => error instanceof Failure);
  const lines = linesOf(page?.messages.toReversed() ?? []);
  if (lines.length === 0) return undefined;
  return { type, ...findErrorLine(report.showFailureLog({ type, lines }), archive) };
}
