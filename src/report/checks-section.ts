import type { CheckResult } from "../events.ts";
import { codeBlock, codeCell, markdownTable } from "../text/markdown.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** How much of the checks is shown. */
interface Limits {
  readonly maxRows: number;
  readonly maxBlocks: number;
  readonly maxLineLength: number;
}

/** The checks of the agent as Markdown, for the job summary; empty if there were none. */
export function checksSection(checks: readonly CheckResult[]): string {
  return section(checks, { maxRows: 200, maxBlocks: 20, maxLineLength: 1000 });
}

/** The same for a comment, shorter. */
export function checksForComment(checks: readonly CheckResult[]): string {
  return section(checks, { maxRows: 50, maxBlocks: 5, maxLineLength: 500 });
}

const maxNameLength = 100;
const maxLines = 12;

/** A table of the checks, and a collapsed block for each that failed. */
function section(checks: readonly CheckResult[], { maxRows, maxBlocks, maxLineLength }: Limits): string {
  if (checks.length === 0) return "";
  const failed = checks.filter(({ passed }) => !passed);
  return [
    markdownTable(["", "Check", "Seconds"], checks.slice(0, maxRows).map(row), 1),
    ...more(checks.length - maxRows, "checks"),
    ...failed.slice(0, maxBlocks).map((check) => failedBlock(check, maxLineLength)),
    ...more(failed.length - maxBlocks, "failed checks"),
  ].join("\n\n");
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`${count} more ${what} are in the log.`] : [];
}

function row({ kind, name, passed, durationMs }: CheckResult): string[] {
  const check = `${kind} ${codeCell(sanitizeExcerpt(name, maxNameLength))}`;
  return [passed ? "✅" : "❌", check, formatSeconds(durationMs)];
}

/** Its first line is fixed text, because Markdown in it would not be rendered. */
function failedBlock(
  { kind, name, message, durationMs, evidence }: CheckResult,
  maxLineLength: number,
): string {
  const lines = [
    `${kind} ${name}`,
    message,
    ...(evidence
      ? [
          `Request:  ${evidence.request}`,
          ...evidence.expected.map((line) => `Expected: ${line}`),
          ...evidence.received.map((line) => `Received: ${line}`),
        ]
      : []),
    `Took:     ${formatSeconds(durationMs)} s`,
  ];
  const shown = lines.slice(0, maxLines).map((line) => sanitizeExcerpt(line, maxLineLength));
  return `<details><summary>Details of a failed ${kind}</summary>\n\n${codeBlock(shown)}\n\n</details>`;
}

/** With one decimal, as in `0.4`. */
export function formatSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}
