import { type FailureLog, type LogLine, maxEndLines } from "../../platform/log-lines.ts";
import { codeBlock } from "../../text/markdown.ts";
import { code, text } from "../../text/message.ts";
import type { DocumentLimits } from "../limits.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { maxLineLength } from "../runner/log.ts";
import { lastStatus, type RunState } from "../state.ts";
import { folded } from "./folded.ts";

/** Prints the end of a failed build's or deploy's log. */
export function logFailureLog({ type, lines }: FailureLog, log: MessageLog): void {
  log.group(text`End of the ${code(type)} log`, log.render.endOfLog(lines, maxEndLines, maxLineLength));
}

/** The lines of a log without times and levels. */
export function textsOfLog(lines: readonly LogLine[], render: Renderer): readonly string[] {
  const texts = lines.map((line) => ({ ...line, label: "" }));
  return render.endOfLog(texts, maxEndLines, maxLineLength);
}

/** The end of a failed build's or deploy's log as Markdown, open if the revision failed; empty without one. */
export function failureLogSection(state: RunState, limits: DocumentLimits, render: Renderer): string {
  const { failureLog } = state;
  if (failureLog === undefined) return "";
  const { type, lines } = failureLog;
  const shown = render.endOfLog(lines, limits.maxLines, limits.maxLineLength);
  return folded(`End of the ${type} log`, [codeBlock(shown)], lastStatus(state)?.kind === "failed");
}
