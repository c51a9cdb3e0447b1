import { Failure, undefinedIf } from "../../../errors.ts";
import type { LogType } from "../../../platform/revision-log.ts";
import { summaryLimits } from "../../../report/limits.ts";
import type { OwnRevision } from "../../../state/own-revision.ts";
import { linesOf } from "../../../text/strings.ts";
import type { RevisionContext } from "../../deploy-context.ts";
import { type ErrorLine, findErrorLine } from "./find-error-line.ts";

/** The output of a server arrives in the platform's log with a delay. */
const serverLogDelayMs = 2000;

/** Shows the end of a log; undefined if there is nothing to show: it can't be read, is empty or is switched off. */
export async function showLogEnd(
  { options, controlPlane, clock, cancelled, report, archive }: RevisionContext,
  ownRevision: OwnRevision,
  type: LogType,
): Promise<ErrorLine | undefined> {
  if (options.buildLog === "off") return undefined;
  const readPage = controlPlane.openLog({ ...ownRevision, type });
  if (readPage === undefined) return undefined;
  const readEnd = async () => {
    if (type === "deploy") await clock.sleep(serverLogDelayMs, cancelled);
    // A page is counted in entries. Some are blank, and others have several lines.
    return await readPage({ order: "desc", limit: 2 * summaryLimits.maxLines });
  };
  // A cancellation must not replace the failure that the log explains.
  const page = await undefinedIf(readEnd, (error) => error instanceof Failure);
  const lines = linesOf(page?.messages.toReversed() ?? []);
  return lines.length === 0 ? undefined : findErrorLine(report.showFailureLog({ type, lines }), archive);
}
