import type { Renderer } from "../report/renderer.ts";
import { markdownTable } from "../report/sections/tables.ts";
import { formatCount } from "../text/format.ts";
import { code } from "../text/message.ts";
import type { GroupBy } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";

const maxCellLength = 100;

/** The titles of the columns, the id last. */
const columns: Readonly<Record<GroupBy, readonly string[]>> = {
  workspace: ["Workspace", "Workspace ID"],
  project: ["Project", "Project ID"],
  user: ["User", "User ID"],
  api_key: ["API key"],
};

/** A Markdown table of the totals, largest first; empty if there was no usage. */
export function totalsTable(totals: UsageTotals, groupBy: GroupBy, render: Renderer): string {
  const { largest, others } = totals;
  if (largest.length === 0) return "";
  const titles = columns[groupBy];
  const rows = largest.map(({ id, name = "", traces }) => {
    const cells = titles.length === 1 ? [id] : [name, id];
    const shown = cells.map((cell) => (cell === "" ? "(none)" : render.cell(code(cell, maxCellLength))));
    return [...shown, ...numberCells(traces, totals)];
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
    return [...numberCells(traces, totals), name ? `${name} (${id})` : id];
  });
  if (others.count > 0) rows.push([...numberCells(others.traces, totals), formatOthers(others.count)]);
  return rows.map((cells) => cells.join("  "));
}

function formatOthers(count: number): string {
  return count === 1 ? "1 other" : `${formatCount(count)} others`;
}

function numberCells(traces: number, totals: UsageTotals): [count: string, share: string] {
  return [formatCount(traces), formatShare(traces, totals.traces)];
}

/** A part of a whole as a percentage. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return percent > 0 && percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}
