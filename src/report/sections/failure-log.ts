import { type FailureLog, type LogLine, maxEndLines } from "../../platform/log-lines.ts";
import { code, text } from "../../text/message.ts";
import { maxLineLength } from "../log-stream.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { folded } from "./folded.ts";

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

/** How much of a log is shown. */
export interface LogLimits {
  readonly maxLines: number;
  readonly maxLineLength: number;
}

/** The end of a failed build's or deploy's log as Markdown; empty without one. `isFolded`: whether readers have to open it. */
export function failureLogSection(
  { failureLog }: RunState,
  limits: LogLimits,
  isFolded: boolean,
  render: Renderer,
): string {
  if (failureLog === undefined) return "";
  const title = `End of the ${failureLog.type} log`;
  const block = render.endOfLogBlock(failureLog.lines, limits.maxLines, limits.maxLineLength);
  return isFolded ? folded(title, [block]) : `### ${title}\n\n${block}`;
}
