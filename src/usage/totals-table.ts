import { codeCell } from "../text/markdown.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { GroupBy } from "./schemas.ts";
import type { DimensionTotal, UsageTotals } from "./totals.ts";

/** The rest is added up in one line. */
const maxRows = 50;
const maxCell = 100;

/** What usage is counted by: the heads of its columns, the id last. */
const columns: Readonly<Record<GroupBy, readonly string[]>> = {
  workspace: ["Workspace", "Workspace id"],
  project: ["Project", "Project id"],
  user: ["User", "User id"],
  api_key: ["API key"],
};

/** A Markdown table of the totals, the largest first; empty where there was no usage. */
export function totalsTable(totals: UsageTotals, groupBy: GroupBy): string {
  if (totals.dimensions.length === 0) return "";
  const heads = columns[groupBy];
  const { shown, rest } = shownOf(totals);
  const rows = shown.map((total) => {
    const cells = heads.length === 1 ? [total.id] : [total.name ?? "", total.id];
    return [...cells.map(cellOf), ...numbersOf(total.traces, totals.traces)];
  });
  if (rest !== undefined) {
    const blanks = heads.slice(1).map(() => "");
    rows.push([formatOthers(rest.count), ...blanks, ...numbersOf(rest.traces, totals.traces)]);
  }
  return [
    row([...heads, "Traces", "Share"]),
    `|${heads.map(() => "---|").join("")}---:|---:|`,
    ...rows.map(row),
  ].join("\n");
}

/** The same as lines for the log. */
export function totalsLines(totals: UsageTotals): string[] {
  const { shown, rest } = shownOf(totals);
  const lines = shown.map(({ id, name, traces }) => {
    const label = [name, name === undefined ? id : `(${id})`].filter((part) => part).join(" ");
    return `${numbersOf(traces, totals.traces).join("  ")}  ${sanitizeExcerpt(label, 2 * maxCell)}`;
  });
  if (rest !== undefined)
    lines.push(`${numbersOf(rest.traces, totals.traces).join("  ")}  ${formatOthers(rest.count)}`);
  return lines;
}

interface Rest {
  readonly count: number;
  readonly traces: number;
}

function shownOf({ dimensions }: UsageTotals): {
  shown: readonly DimensionTotal[];
  rest: Rest | undefined;
} {
  const others = dimensions.slice(maxRows);
  const traces = others.reduce((sum, other) => sum + other.traces, 0);
  return {
    shown: dimensions.slice(0, maxRows),
    rest: others.length === 0 ? undefined : { count: others.length, traces },
  };
}

function formatOthers(count: number): string {
  return count === 1 ? "1 other" : `${spellCount(count)} others`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function cellOf(text: string): string {
  return text === "" ? "(none)" : codeCell(sanitizeExcerpt(text, maxCell));
}

function numbersOf(traces: number, all: number): [count: string, share: string] {
  return [spellCount(traces), formatShare(traces, all)];
}

/** A part of a whole as a percentage. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return percent > 0 && percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}

/** A count as people read it: `1234567` is `1,234,567`. */
export function spellCount(count: number): string {
  return count.toLocaleString("en-US");
}
