import { toResult } from "../../../errors.ts";
import type { LogType } from "../../../platform/revision-log.ts";
import { summaryLimits } from "../../../report/limits.ts";
import { linesOf } from "../../../text/strings.ts";
import type { RevisionContext } from "../../deploy-context.ts";
import type { OwnRevision } from "../../own-revision.ts";
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
  if (!showsLogs(context)) return undefined;
  await context.clock.sleep(logDelayMs, context.cancelled);
  return await showLogEnd(context, ownRevision, "deploy");
}

/** Shows the end of a log; undefined if there is nothing to show: it can't be read, is empty or is switched off. */
export async function showLogEnd(
  context: RevisionContext,
  ownRevision: OwnRevision,
  type: LogType,
): Promise<ShownLog | undefined> {
  const readPage = showsLogs(context) ? context.controlPlane.openLog({ ...ownRevision, type }) : undefined;
  if (readPage === undefined) return undefined;
  // A page is counted in entries. Some are blank, and others have several lines.
  const maxEntries = 2 * summaryLimits.maxLines;
  // A cancellation must not replace the failure that the log explains.
  const read = await toResult(() => readPage({ order: "desc", limit: maxEntries }), undefined);
  const lines = read.error === undefined ? linesOf(read.value.messages.toReversed()) : [];
  if (lines.length === 0) return undefined;
  return { type, ...findErrorLine(context.report.showFailureLog({ type, lines }), context.archive) };
}

function showsLogs({ options, settings }: RevisionContext): boolean {
  return options.buildLog !== "off" && settings.platform.openLog !== undefined;
}
