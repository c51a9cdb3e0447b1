import type { Renderer } from "../report/renderer.ts";
import { markdownTable } from "../report/sections/blocks.ts";
import { formatCount } from "../text/format.ts";
import { code } from "../text/message.ts";
import type { GroupBy } from "./schemas.ts";
import { sumOf, type UsageTotals } from "./totals.ts";

const maxRows = 50;
const maxCellLength = 100;

/** The titles of the columns, the ID last. */
const columns: Readonly<Record<GroupBy, readonly string[]>> = {
  workspace: ["Workspace", "Workspace ID"],
  project: ["Project", "Project ID"],
  user: ["User", "User ID"],
  api_key: ["API key"],
};

/** Returns a Markdown table of the totals, largest first; empty if there was no usage. */
export function totalsTable(
  { dimensions, traces: all }: UsageTotals,
  groupBy: GroupBy,
  render: Renderer,
): string {
  if (dimensions.length === 0) return "";
  const titles = columns[groupBy];
  const numbers = (traces: number) => [formatCount(traces), formatShare(traces, all)];
  const rows = dimensions.slice(0, maxRows).map(({ id, name = "", traces }) => {
    const cells = [name, id].slice(-titles.length);
    const labels = cells.map((cell) => (cell === "" ? "(none)" : render.cell(code(cell, maxCellLength))));
    return [...labels, ...numbers(traces)];
  });
  const others = dimensions.slice(maxRows);
  if (others.length > 0) {
    const labels = titles.map((_title, index) => (index === 0 ? `${formatCount(others.length)} more` : ""));
    rows.push([...labels, ...numbers(sumOf(others))]);
  }
  return markdownTable([...titles, "Traces", "Share"], rows, 2);
}

function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return percent > 0 && percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}
