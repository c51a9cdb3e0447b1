import type { FailureLog, LogLine } from "../../results/watch.ts";
import { code, text } from "../../text/message.ts";
import type { RunFacts } from "../facts.ts";
import { type MessageLog, maxLineLength } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { folded } from "./folded.ts";

/** How many lines of the end of a log are printed. */
export const maxEndLines = 50;

/** Prints the end of a failed build's or deploy's log, without the lines that a stream has `printed`. */
export function logFailureLog(
  { type, lines }: FailureLog,
  printed: readonly LogLine[],
  log: MessageLog,
): void {
  const { render } = log;
  const known = new Set(render.endOfLog(printed, printed.length, maxLineLength));
  const fresh = render.endOfLog(lines, maxEndLines, maxLineLength).filter((line) => !known.has(line));
  if (fresh.length > 0) log.renderedGroup(text`End of the ${code(type)} log`, fresh);
}

/** How much of a log is shown, and whether readers have to open it. */
interface LogLimits {
  readonly maxLines: number;
  readonly maxLineLength: number;
  readonly isCollapsed: boolean;
}

/** The end of a failed build's or deploy's log as Markdown; empty without one. */
export function failureLogSection({ failureLog }: RunFacts, limits: LogLimits, render: Renderer): string {
  if (failureLog === undefined) return "";
  const { maxLines, maxLineLength, isCollapsed } = limits;
  const title = `End of the ${failureLog.type} log`;
  const block = render.endOfLogBlock(failureLog.lines, maxLines, maxLineLength);
  return isCollapsed ? folded(title, [block]) : `### ${title}\n\n${block}`;
}
