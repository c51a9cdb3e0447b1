import { dayMs, hourMs, parseDateTime } from "../text/time.ts";
import type { UsageQuery } from "./client.ts";
import type { Stride } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";

/** More than the platform's strides make of any range: https://docs.langchain.com/langsmith/granular-usage */
const maxBars = 40;
/** In pixels, so that the labels of two bars don't touch. */
const barHeight = 20;
const titleAndAxisHeight = 110;
/** Mermaid omits the numbers of the axis in a lower chart. */
const minHeight = 230;

interface Bars {
  /** Of the first one, in milliseconds since the epoch. */
  readonly start: number;
  readonly traces: readonly number[];
}

/**
 * A Mermaid chart of the usage over the range, with a bar for each time bucket, empty for those without usage, which the
 * platform leaves out. The bars are horizontal, which leaves room for dates as labels. Empty if there was no usage, or if
 * the times or the stride of the buckets make no sense.
 */
export function usageChart(
  { stride, buckets }: Pick<UsageTotals, "stride" | "buckets">,
  range: Pick<UsageQuery, "start" | "end">,
): string {
  const strideMs = stride.days * dayMs + stride.hours * hourMs;
  const bars = barsOf(buckets, strideMs, range);
  if (bars === undefined) return "";
  const { start, traces } = bars;
  const unit = unitFor(Math.max(...traces));
  const values = traces.map((count) => Number((count / unit.size).toFixed(3)));
  const labels = traces.map((_, index) => `"${formatStart(start + index * strideMs, strideMs)}"`);
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    `    height: ${Math.max(minHeight, titleAndAxisHeight + barHeight * values.length)}`,
    "---",
    "xychart-beta horizontal",
    `    title "Traces per ${formatStride(stride).replace(/^1 /, "")} (UTC)"`,
    `    x-axis [${labels.join(", ")}]`,
    `    y-axis "Traces${unit.name}" 0 --> ${Math.max(...values)}`,
    `    bar [${values.join(", ")}]`,
    "```",
  ].join("\n");
}

function barsOf(
  buckets: UsageTotals["buckets"],
  strideMs: number,
  range: Pick<UsageQuery, "start" | "end">,
): Bars | undefined {
  if (buckets.length > maxBars) return undefined;
  const times = buckets.map(({ start }) => parseDateTime(start)?.at ?? Number.NaN);
  const first = Math.min(...times);
  const start = first - strideMs * Math.max(0, Math.ceil((first - range.start) / strideMs));
  const end = Math.max(range.end, ...times.map((time) => time + 1));
  const count = Math.ceil((end - start) / strideMs);
  // Not a number if a time is not one, or if there is no bucket or no stride.
  if (!(count <= maxBars) || Number.isNaN(new Date(start).getTime())) return undefined;
  const traces = new Array<number>(count).fill(0);
  for (const [index, time] of times.entries()) {
    const bar = Math.floor((time - start) / strideMs);
    traces[bar] = (traces[bar] ?? 0) + (buckets[index]?.traces ?? 0);
  }
  return { start, traces };
}

/** The length of a time bucket, such as `1 day` or `6 hours`. */
export function formatStride({ days, hours }: Stride): string {
  const [count, unit] = days > 0 ? [days, "day"] : [hours, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function formatStart(at: number, strideMs: number): string {
  const text = new Date(at).toISOString();
  return strideMs % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

/** A unit in which the numbers of the axis are short enough to stand side by side. */
function unitFor(maxTraces: number): { size: number; name: string } {
  if (maxTraces < 1e4) return { size: 1, name: "" };
  if (maxTraces < 1e7) return { size: 1e3, name: " (thousands)" };
  return { size: 1e6, name: " (millions)" };
}
