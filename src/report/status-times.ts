import { formatDuration } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import type { SeenStatus } from "./facts.ts";
import { markdownTable, type Renderer } from "./renderer.ts";

interface StatusSpan extends SeenStatus {
  readonly startedAfterMs: number;
  /** The last phase lasts until now. */
  readonly durationMs: number;
}

/** In milliseconds. Of a shorter run, a chart says no more than the table. */
const minChartMs = 20_000;

/** How long each status lasted. `start` (of the write) and `now`: milliseconds since the epoch. */
function spansOf(statuses: readonly SeenStatus[], start: number, now: number): StatusSpan[] {
  return statuses.map(({ status, at }, index) => ({
    status,
    at,
    startedAfterMs: at - start,
    durationMs: (statuses[index + 1]?.at ?? now) - at,
  }));
}

/** A Markdown table of the statuses; empty if none was seen. A status that ended the revision has no duration. */
export function statusTable(
  statuses: readonly SeenStatus[],
  start: number,
  now: number,
  render: Renderer,
): string {
  if (statuses.length === 0) return "";
  const rows = spansOf(statuses, start, now).map(({ status, startedAfterMs, durationMs }) => {
    const duration = status.kind === "pending" ? formatDuration(durationMs) : "";
    return [render.cell(code(status.raw)), formatDuration(startedAfterMs), duration];
  });
  return markdownTable(["Status", "First seen after", "Duration"], rows, 2);
}

/**
 * A Mermaid chart of the same for a run of some length, with a milestone at its start and at the end of the revision. In seconds,
 * because Mermaid shows minutes in the reader's time zone, which may differ by half an hour.
 */
export function statusChart(
  statuses: readonly SeenStatus[],
  start: number,
  now: number,
  render: Renderer,
): string {
  const spans = spansOf(statuses, start, now);
  const last = spans.at(-1);
  if (last === undefined) return "";
  const isPending = last.status.kind === "pending";
  if (last.startedAfterMs + (isPending ? last.durationMs : 0) < minChartMs) return "";
  const rows = spans.map(({ status, startedAfterMs, durationMs }, index) => {
    const label = chartLabel(render.plain(text`${code(status.raw)}`));
    const at = Math.round(startedAfterMs);
    if (status.kind !== "pending")
      return `${label} :${status.kind === "failed" ? "crit, " : ""}milestone, ${at}, ${at}`;
    const isFailed = spans[index + 1]?.status.kind === "failed";
    return `${label} :${isFailed ? "crit, " : ""}${at}, ${Math.round(startedAfterMs + durationMs)}`;
  });
  return [
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
    // The axis begins with the first row.
    ...["Request sent :milestone, 0, 0", ...rows].map((row) => `    ${row}`),
    "```",
  ].join("\n");
}

/** Mermaid has no escapes in the name of a task, so only word characters stay. */
function chartLabel(status: string): string {
  const label = status.replace(/[^A-Za-z0-9_]+/g, " ").trim();
  return label.slice(0, 40) || "unnamed";
}
