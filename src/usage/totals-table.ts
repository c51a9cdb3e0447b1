import { formatCount } from "../text/format.ts";
import { codeCell, markdownTable } from "../text/markdown.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { GroupBy } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";

const maxCellLength = 100;

/** The titles of the columns, the id last. */
const columns: Readonly<Record<GroupBy, readonly string[]>> = {
  workspace: ["Workspace", "Workspace id"],
  project: ["Project", "Project id"],
  user: ["User", "User id"],
  api_key: ["API key"],
};

/** A Markdown table of the totals, largest first; empty if there was no usage. */
export function totalsTable(totals: UsageTotals, groupBy: GroupBy): string {
  const { largest, others } = totals;
  if (largest.length === 0) return "";
  const titles = columns[groupBy];
  const rows = largest.map(({ id, name = "", traces }) => {
    const cells = titles.length === 1 ? [id] : [name, id];
    return [...cells.map(textCell), ...numberCells(traces, totals)];
  });
  if (others.count > 0) {
    const labels = titles.map((_title, index) => (index === 0 ? formatOthers(others.count) : ""));
    rows.push([...labels, ...numberCells(others.traces, totals)]);
  }
  return markdownTable([...titles, "Traces", "Share"], rows, 2);
}

/** The totals as lines for the log. */
export function totalsLines(totals: UsageTotals): string[] {
  const { largest, others } = totals;
  const rows = largest.map(({ id, name, traces }) => {
    const label = name ? `${name} (${id})` : id;
    return [...numberCells(traces, totals), sanitizeExcerpt(label, 2 * maxCellLength)];
  });
  if (others.count > 0) rows.push([...numberCells(others.traces, totals), formatOthers(others.count)]);
  return rows.map((cells) => cells.join("  "));
}

function formatOthers(count: number): string {
  return count === 1 ? "1 other" : `${formatCount(count)} others`;
}

function textCell(text: string): string {
  return text === "" ? "(none)" : codeCell(sanitizeExcerpt(text, maxCellLength));
}

function numberCells(traces: number, totals: UsageTotals): [count: string, share: string] {
  return [formatCount(traces), formatShare(traces, totals.traces)];
}

/** A part of a whole as a percentage. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return percent > 0 && percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}
