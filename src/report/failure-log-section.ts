import type { FailureLog } from "../events.ts";
import { codeBlock } from "../text/markdown.ts";
import { sanitizeIndented } from "../text/sanitize.ts";

/** The end of a failed build's or deploy's log as Markdown, for the job summary. */
export function failureLogSection(log: FailureLog): string {
  return `### End of the ${log.type} log\n\n${excerpt(log, 20, 500)}`;
}

/** The same for a comment, shorter. */
export function failureLogForComment(log: FailureLog): string {
  return `**End of the ${log.type} log:**\n\n${excerpt(log, 8, 200)}`;
}

function excerpt({ lines }: FailureLog, maxLines: number, maxLineLength: number): string {
  return codeBlock(lines.slice(-maxLines).map((line) => sanitizeIndented(line, maxLineLength)));
}
