import type { RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";

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
  return isCollapsed
    ? `<details><summary>${title}</summary>\n\n${block}\n\n</details>`
    : `### ${title}\n\n${block}`;
}
