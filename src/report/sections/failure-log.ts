import { type FailureLog, maxEndLines } from "../../platform/logs.ts";
import { codeBlock } from "../../text/markdown.ts";
import { code, text } from "../../text/message.ts";
import type { DocumentLimits } from "../limits.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { maxLineLength } from "../runner/log.ts";
import { lastStatus, type RunState } from "../state.ts";
import { folded } from "./blocks.ts";

/** Prints the end of a failed build's or deploy's log, and returns its lines as they were printed. */
export function logFailureLog({ type, lines }: FailureLog, log: MessageLog): readonly string[] {
  const end = log.render.endOfLog(lines, maxEndLines, maxLineLength);
  log.group(text`End of the ${code(type)} log`, end);
  return end;
}

/** Returns the end of a failed build's or deploy's log as Markdown, open if the revision failed; empty without one. */
export function failureLogSection(state: RunState, limits: DocumentLimits, render: Renderer): string {
  const { failureLog } = state;
  if (failureLog === undefined) return "";
  const { type, lines } = failureLog;
  const end = render.endOfLog(lines, limits.maxLines, limits.maxLineLength);
  return folded(`End of the ${type} log`, [codeBlock(end)], lastStatus(state.revision)?.kind === "failed");
}
