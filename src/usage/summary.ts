import type { Renderer } from "../report/renderer.ts";
import { factTable, markdownTable } from "../report/sections/tables.ts";
import { formatCount, formatSize } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import { formatStride, usageChart } from "./chart.ts";
import type { UsageInputs } from "./inputs.ts";
import type { GroupBy } from "./schemas.ts";
import { sumOf, type UsageTotals } from "./totals.ts";

/** What a run found out, as far as it got. */
export interface FoundUsage {
  inputs?: UsageInputs;
  totals?: UsageTotals;
  readonly files: { readonly name: string; readonly path: string; readonly bytes: number }[];
}

/** What the summary shows, as Markdown. */
export function usageSections({ inputs, totals, files }: FoundUsage, render: Renderer): string[] {
  return [
    factTable([
      ["Range", inputs && formatRange(inputs)],
      ["Workspaces", inputs && String(inputs.workspaceIds.length)],
      ["Counted by", inputs?.groupBy.replace("_", " ")],
      ["Traces", totals && formatCount(totals.traces)],
      ["Time buckets with usage", totals && `${totals.buckets.size}, of ${formatStride(totals.stride)} each`],
      ["Budget (`max_traces`)", inputs?.maxTraces === undefined ? undefined : formatCount(inputs.maxTraces)],
      ...files.map(({ name, path, bytes }): [string, string] => [
        `\`${name}\``,
        render.cell(text`${code(path)}, ${code(formatSize(bytes))}`),
      ]),
    ]),
    inputs && totals ? totalsTable(totals, inputs.groupBy, render) : "",
    totals ? usageChart(totals) : "",
  ];
}

/** A range in UTC. */
export function formatRange({ start, end }: UsageInputs): string {
  const [from, to] = [start, end].map((time) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z"));
  return `${from} to ${to}`;
}

const maxRows = 50;
const maxCellLength = 100;

/** The titles of the columns, the id last. */
const columns: Readonly<Record<GroupBy, readonly string[]>> = {
  workspace: ["Workspace", "Workspace ID"],
  project: ["Project", "Project ID"],
  user: ["User", "User ID"],
  api_key: ["API key"],
};

/** A Markdown table of the totals, largest first; empty if there was no usage. */
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
    const shown = cells.map((cell) => (cell === "" ? "(none)" : render.cell(code(cell, maxCellLength))));
    return [...shown, ...numbers(traces)];
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
