import { formatSeconds } from "../text/format.ts";
import { inCell } from "../text/markdown.ts";
import { code, text } from "../text/message.ts";
import type { CheckResult } from "../watch-results.ts";
import { evidenceLines } from "./check-messages.ts";
import { markdownTable, type Renderer } from "./renderer.ts";

/** How much of the checks is shown. */
interface Limits {
  readonly maxRows: number;
  readonly maxBlocks: number;
  readonly maxLineLength: number;
  /** Whether the first failed check is shown without being opened. */
  readonly isFirstOpen: boolean;
}

export const summaryLimits: Limits = { maxRows: 200, maxBlocks: 20, maxLineLength: 1000, isFirstOpen: true };
export const commentLimits: Limits = { maxRows: 50, maxBlocks: 5, maxLineLength: 500, isFirstOpen: false };

const maxLines = 12;

/** A table of the checks as Markdown, and a block for each that failed; empty if there were none. */
export function checksSection(checks: readonly CheckResult[], limits: Limits, render: Renderer): string {
  if (checks.length === 0) return "";
  const { maxRows, maxBlocks } = limits;
  // Without a request there is no more to say than the message does.
  const failed = checks.filter(({ passed, evidence }) => !passed && evidence !== undefined);
  const rows = checks.slice(0, maxRows).map(({ kind, name, passed, durationMs }) => {
    const check = inCell(`${kind} ${render.markdown(text`${code(name, 100)}`)}`);
    return [passed ? "✅" : "❌", check, formatSeconds(durationMs)];
  });
  return [
    markdownTable(["", "Check", "Seconds"], rows, 1),
    ...more(checks.length - maxRows, "checks"),
    ...failed
      .slice(0, maxBlocks)
      .map((check, index) => failedBlock(check, limits, index === 0 && limits.isFirstOpen, render)),
    ...more(failed.length - maxBlocks, "failed checks"),
  ].join("\n\n");
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`${count} more ${what} are in the log.`] : [];
}

/** Its first line is fixed text, because Markdown in it would not be rendered. */
function failedBlock(
  check: CheckResult,
  { maxLineLength }: Limits,
  isOpen: boolean,
  render: Renderer,
): string {
  const { kind, name, durationMs } = check;
  const lines = [
    `${kind} ${name}`,
    ...evidenceLines(check, (message) => render.inBlock(message)),
    `Took:     ${formatSeconds(durationMs)} s`,
  ];
  const block = render.block(lines.slice(0, maxLines), maxLineLength);
  return `<details${isOpen ? " open" : ""}><summary>Details of a failed ${kind}</summary>\n\n${block}\n\n</details>`;
}
