import { parseDateTime } from "../text/date-time.ts";
import type { UsageQuery } from "./query.ts";
import type { Stride } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** More bars than the platform's strides make of any sensible range. */
const maxBars = 40;
/** In pixels, so that the labels of two bars don't touch. */
const barHeight = 20;
const headHeight = 110;
/** In a lower chart Mermaid leaves out the axis' numbers. */
const minHeight = 230;

interface Bars {
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** How long each bar is, in milliseconds: a bucket, or several. */
  readonly length: number;
  readonly traces: readonly number[];
}

/**
 * A Mermaid chart of the usage over the range that was asked for, without gaps: buckets without usage, which the
 * platform leaves out, are there as empty bars. Lying bars leave room for whole dates as labels. Empty where there was
 * no usage, or the buckets can't be put on a time axis.
 */
export function usageChart(totals: UsageTotals, range: Pick<UsageQuery, "start" | "end">): string {
  const bars = barsOf(totals, range);
  if (bars === undefined) return "";
  const unit = unitFor(Math.max(...bars.traces));
  const values = bars.traces.map((traces) => Number((traces / unit.size).toFixed(3)));
  const labels = bars.traces.map(
    (_, index) => `"${formatStart(bars.start + index * bars.length, bars.length)}"`,
  );
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    `    height: ${Math.max(minHeight, headHeight + barHeight * values.length)}`,
    "---",
    "xychart-beta horizontal",
    `    title "Traces per ${formatLength(bars.length)} (UTC)"`,
    `    x-axis [${labels.join(", ")}]`,
    `    y-axis "Traces${unit.name}" 0 --> ${Math.max(...values)}`,
    `    bar [${values.join(", ")}]`,
    "```",
  ].join("\n");
}

/** The bars of the range; where there are too many, several buckets make one. */
function barsOf(totals: UsageTotals, range: Pick<UsageQuery, "start" | "end">): Bars | undefined {
  const stride = strideMs(totals.stride);
  const buckets = totals.buckets
    .map(({ start, traces }) => ({ at: parseDateTime(start)?.at ?? Number.NaN, traces }))
    .sort((one, other) => one.at - other.at);
  const [first, last] = [buckets.at(0), buckets.at(-1)];
  if (first === undefined || last === undefined || !(stride > 0)) return undefined;
  const start = first.at - stride * Math.max(0, Math.ceil((first.at - range.start) / stride));
  const end = Math.max(range.end, last.at + 1);
  if (buckets.some(({ at }) => Number.isNaN(at)) || Number.isNaN(new Date(start).getTime())) return undefined;
  const length = stride * Math.ceil((end - start) / stride / maxBars);
  const traces = new Array<number>(Math.ceil((end - start) / length)).fill(0);
  for (const bucket of buckets) {
    const bar = Math.floor((bucket.at - start) / length);
    traces[bar] = (traces[bar] ?? 0) + bucket.traces;
  }
  return { start, length, traces };
}

/** The length of a time bucket, in milliseconds. */
function strideMs({ days, hours }: Stride): number {
  return days * dayMs + hours * hourMs;
}

/** `1 day` is `day`, as in "per day". */
function formatLength(milliseconds: number): string {
  const [count, unit] =
    milliseconds % dayMs === 0 ? [milliseconds / dayMs, "day"] : [milliseconds / hourMs, "hour"];
  return count === 1 ? unit : `${count} ${unit}s`;
}

function formatStart(at: number, length: number): string {
  const text = new Date(at).toISOString();
  return length % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

/** A unit in which the axis' numbers stay short enough to stand beside each other. */
function unitFor(most: number): { size: number; name: string } {
  if (most < 1e4) return { size: 1, name: "" };
  if (most < 1e7) return { size: 1e3, name: " (thousands)" };
  return { size: 1e6, name: " (millions)" };
}
