import { codeBlock } from "../../text/markdown.ts";
import type { DocumentLimits } from "../limits.ts";
import type { Renderer } from "../renderer.ts";
import { lastStatus, type RunState } from "../state.ts";
import { folded } from "./blocks.ts";

/** Returns the end of a failed build's or deploy's log as Markdown, open if the revision failed; empty without one. */
export function failureLogSection(state: RunState, limits: DocumentLimits, render: Renderer): string {
  const { failureLog } = state;
  if (failureLog === undefined) return "";
  const { type, lines } = failureLog;
  const end = render.endOfLog(lines, limits.maxLines, limits.maxLineLength);
  return folded(`End of the ${type} log`, [codeBlock(end)], lastStatus(state.revision)?.kind === "failed");
}
