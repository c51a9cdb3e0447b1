import type { Renderer } from "../report/renderer.ts";
import { markdownTable, moreOf } from "../report/sections/blocks.ts";
import { formatCount } from "../text/format.ts";
import { code } from "../text/message.ts";
import { dimensionKeys, type GroupBy, type UsageResponse } from "./schemas.ts";

export type UsageTotals = Readonly<ReturnType<typeof sumUsage>>;

export function sumUsage({ stride, usage }: UsageResponse, groupBy: GroupBy) {
  const [idKey, nameKey]: readonly [id: string, name?: string] = dimensionKeys[groupBy];
  /** By their ID, which is empty if the platform gives none. `name`: the last reported one, or the address of a user. */
  const dimensions = new Map<string, { id: string; name: string | undefined; traces: number }>();
  /** By their start as the platform writes it. */
  const buckets = new Map<string, number>();
  for (const { dimensions: values, time_bucket: start, traces } of usage) {
    const id = values[idKey] ?? "";
    const known = dimensions.get(id);
    const name = (nameKey && values[nameKey]) ?? known?.name;
    dimensions.set(id, { id, name, traces: traces + (known?.traces ?? 0) });
    if (traces > 0) buckets.set(start, traces + (buckets.get(start) ?? 0));
  }
  return {
    traces: usage.reduce((sum, { traces }) => sum + traces, 0),
    stride,
    /** The largest first. */
    dimensions: [...dimensions.values()].sort((left, right) => right.traces - left.traces),
    /** The traces of each time bucket with usage. */
    buckets,
  };
}

const maxRows = 50;

/** The titles of the columns, the ID last. */
const columns: Readonly<Record<GroupBy, readonly string[]>> = {
  workspace: ["Workspace", "Workspace ID"],
  project: ["Project", "Project ID"],
  user: ["User", "User ID"],
  api_key: ["API key"],
};

/** Returns a Markdown table of the totals, largest first; empty if there was no usage. */
export function totalsTable({ dimensions }: UsageTotals, groupBy: GroupBy, render: Renderer): string {
  if (dimensions.length === 0) return "";
  const titles = columns[groupBy];
  const rows = dimensions.slice(0, maxRows).map(({ id, name = "", traces }) => {
    const cells = [name, id].slice(-titles.length);
    const labels = cells.map((cell) => (cell === "" ? "(none)" : render.cell(code(cell, 100))));
    return [...labels, formatCount(traces)];
  });
  const table = markdownTable([...titles, "Traces"], rows, 1);
  return [table, moreOf(dimensions.length, maxRows)].join("\n\n").trim();
}
