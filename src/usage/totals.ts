import type { Renderer } from "../report/renderer.ts";
import { markdownTable } from "../report/sections/tables.ts";
import { formatCount } from "../text/format.ts";
import { code } from "../text/message.ts";
import { dimensionKeys, type GroupBy, type Stride, type UsageResponse } from "./schemas.ts";

/** What one workspace, project, user or API key used in the whole range. */
interface DimensionTotal {
  /** Empty if the platform gives none. */
  readonly id: string;
  /** The name of a workspace or project, the address of a user; the last one given. */
  readonly name: string | undefined;
  readonly traces: number;
}

/** What was used in one time bucket. */
export interface BucketTotal {
  /** As the platform writes it. */
  readonly start: string;
  readonly traces: number;
}

export interface UsageTotals {
  readonly traces: number;
  readonly stride: Stride;
  /** The ids of all workspaces, projects, users or API keys with a line in the report, in lower case. */
  readonly ids: ReadonlySet<string>;
  /** The largest totals, largest first. */
  readonly largest: readonly DimensionTotal[];
  /** All other totals together. */
  readonly others: { readonly count: number; readonly traces: number };
  /** Those with usage, in the order of the response. */
  readonly buckets: readonly BucketTotal[];
}

const maxLargest = 50;

/** Adds up a report. */
export function sumUsage({ stride, usage }: UsageResponse, groupBy: GroupBy): UsageTotals {
  const [idKey, nameKey]: readonly [id: string, name?: string] = dimensionKeys[groupBy];
  const dimensions = new Map<string, DimensionTotal>();
  const buckets = new Map<string, number>();
  for (const { dimensions: values, time_bucket: start, traces } of usage) {
    const id = values[idKey] ?? "";
    const known = dimensions.get(id);
    const name = (nameKey && values[nameKey]) ?? known?.name;
    dimensions.set(id, { id, name, traces: traces + (known?.traces ?? 0) });
    buckets.set(start, traces + (buckets.get(start) ?? 0));
  }
  const sorted = [...dimensions.values()].sort(
    (one, other) => other.traces - one.traces || (one.id < other.id ? -1 : 1),
  );
  const others = sorted.slice(maxLargest);
  return {
    traces: sumOf(usage),
    stride,
    ids: new Set([...dimensions.keys()].map((id) => id.toLowerCase())),
    largest: sorted.slice(0, maxLargest),
    others: { count: others.length, traces: sumOf(others) },
    buckets: [...buckets].filter(([, traces]) => traces > 0).map(([start, traces]) => ({ start, traces })),
  };
}

function sumOf(parts: readonly { readonly traces: number }[]): number {
  return parts.reduce((sum, { traces }) => sum + traces, 0);
}

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
