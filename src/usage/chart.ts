import { parseDateTime } from "../text/time.ts";
import type { UsageQuery } from "./client.ts";
import type { Stride } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const maxBars = 40;
/** In pixels, so that the labels of two bars don't touch. */
const barHeight = 20;
const titleAndAxisHeight = 110;
/** Mermaid omits the numbers of the axis in a lower chart. */
const minHeight = 230;

interface Bars {
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** The time that each bar covers, one bucket or several. */
  readonly lengthMs: number;
  readonly traces: readonly number[];
}

type BucketTotals = Pick<UsageTotals, "stride" | "buckets">;
type Range = Pick<UsageQuery, "start" | "end">;

/**
 * A Mermaid chart of the usage over the range. Buckets without usage, which the platform leaves out, are empty bars.
 * The bars are horizontal, which leaves room for dates as labels. Empty if there was no usage, or if the times of the
 * buckets can't be parsed.
 */
export function usageChart(totals: BucketTotals, range: Range): string {
  const bars = barsOf(totals, range);
  if (bars === undefined) return "";
  const { start, lengthMs, traces } = bars;
  const unit = unitFor(Math.max(...traces));
  const values = traces.map((count) => Number((count / unit.size).toFixed(3)));
  const labels = traces.map((_, index) => `"${formatStart(start + index * lengthMs, lengthMs)}"`);
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    `    height: ${Math.max(minHeight, titleAndAxisHeight + barHeight * values.length)}`,
    "---",
    "xychart-beta horizontal",
    `    title "Traces per ${formatLength(lengthMs)} (UTC)"`,
    `    x-axis [${labels.join(", ")}]`,
    `    y-axis "Traces${unit.name}" 0 --> ${Math.max(...values)}`,
    `    bar [${values.join(", ")}]`,
    "```",
  ].join("\n");
}

/** The bars of the range; several buckets share a bar if there are too many. */
function barsOf(totals: BucketTotals, range: Range): Bars | undefined {
  const stride = strideMs(totals.stride);
  const buckets = totals.buckets
    .map(({ start, traces }) => ({ at: parseDateTime(start)?.at ?? Number.NaN, traces }))
    .sort((one, other) => one.at - other.at);
  const [first, last] = [buckets.at(0), buckets.at(-1)];
  if (first === undefined || last === undefined || !(stride > 0)) return undefined;
  const start = first.at - stride * Math.max(0, Math.ceil((first.at - range.start) / stride));
  const end = Math.max(range.end, last.at + 1);
  if (buckets.some(({ at }) => Number.isNaN(at)) || Number.isNaN(new Date(start).getTime())) return undefined;
  const lengthMs = stride * Math.ceil((end - start) / stride / maxBars);
  const traces = new Array<number>(Math.ceil((end - start) / lengthMs)).fill(0);
  for (const bucket of buckets) {
    const bar = Math.floor((bucket.at - start) / lengthMs);
    traces[bar] = (traces[bar] ?? 0) + bucket.traces;
  }
  return { start, lengthMs, traces };
}

function strideMs({ days, hours }: Stride): number {
  return days * dayMs + hours * hourMs;
}

/** Such as `day` or `7 days`, to follow "per". */
function formatLength(lengthMs: number): string {
  const [count, unit] = lengthMs % dayMs === 0 ? [lengthMs / dayMs, "day"] : [lengthMs / hourMs, "hour"];
  return count === 1 ? unit : `${count} ${unit}s`;
}

function formatStart(at: number, lengthMs: number): string {
  const text = new Date(at).toISOString();
  return lengthMs % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

/** A unit in which the numbers of the axis are short enough to stand side by side. */
function unitFor(maxTraces: number): { size: number; name: string } {
  if (maxTraces < 1e4) return { size: 1, name: "" };
  if (maxTraces < 1e7) return { size: 1e3, name: " (thousands)" };
  return { size: 1e6, name: " (millions)" };
}
