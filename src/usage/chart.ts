import { dayMs, hourMs, parseTimestamp } from "../text/time.ts";
import type { Stride } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";

/** The platform's strides need fewer bars for any range: https://docs.langchain.com/langsmith/granular-usage */
const maxBars = 40;

/**
 * Returns a Mermaid chart with a bar for each time bucket, also for those without usage, which the platform leaves out. Empty
 * without usage, and for buckets that do not fit into a chart.
 */
export function usageChart({ stride, buckets }: Pick<UsageTotals, "stride" | "buckets">): string {
  if (buckets.size > maxBars) return "";
  const strideMs = stride.days * dayMs + stride.hours * hourMs;
  const times = [...buckets.keys()].map(parseTimestamp);
  const start = Math.min(...times);
  const intervalCount = Math.floor((Math.max(...times) - start) / strideMs) + 1;
  if (!(intervalCount >= 1 && intervalCount <= maxBars)) return "";
  const traces = new Array<number>(intervalCount).fill(0);
  for (const [time, used] of buckets) {
    const bar = Math.floor((parseTimestamp(time) - start) / strideMs);
    traces[bar] = (traces[bar] ?? 0) + used;
  }
  const labels = traces.map((_, index) => `"${formatStart(start + index * strideMs, strideMs)}"`);
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    // In pixels, with room for a label at each bar, and enough for the numbers of the axis, which Mermaid omits otherwise.
    `    height: ${Math.max(230, 110 + 20 * intervalCount)}`,
    "---",
    // Horizontal bars leave room for dates as labels.
    "xychart-beta horizontal",
    `    title "Traces per ${formatStride(stride).replace(/^1 /, "")} (UTC)"`,
    `    x-axis [${labels.join(", ")}]`,
    `    y-axis "Traces" 0 --> ${Math.max(...traces)}`,
    `    bar [${traces.join(", ")}]`,
    "```",
  ].join("\n");
}

/** Returns the length of a time bucket, such as `1 day` or `6 hours`. */
export function formatStride({ days, hours }: Stride): string {
  const [amount, unit] = days > 0 ? [days, "day"] : [hours, "hour"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

function formatStart(at: number, strideMs: number): string {
  const iso = new Date(at).toISOString();
  return strideMs % dayMs === 0 ? iso.slice(0, 10) : iso.slice(0, 16).replace("T", " ");
}
