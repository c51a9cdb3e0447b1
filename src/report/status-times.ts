import { formatDuration } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import type { SeenStatus } from "./facts.ts";
import { markdownTable, type Renderer } from "./renderer.ts";

interface StatusSpan extends SeenStatus {
  readonly startedAfterMs: number;
  /** The last phase lasts until now. */
  readonly durationMs: number;
}

/** In milliseconds. Charts shorter than this need explicit marks at whole seconds. */
const minMarkedMs = 10_000;

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
 * A Mermaid chart of the same; empty if nothing took any time. In seconds, because Mermaid shows minutes in the reader's
 * time zone, which may differ by half an hour.
 */
export function statusChart(
  statuses: readonly SeenStatus[],
  start: number,
  now: number,
  render: Renderer,
): string {
  const phases = spansOf(statuses, start, now).filter(({ status }) => status.kind === "pending");
  if (phases.every(({ durationMs }) => durationMs === 0)) return "";
  const endMs = Math.max(...phases.map(({ startedAfterMs, durationMs }) => startedAfterMs + durationMs));
  const bars = phases.map(
    ({ status, startedAfterMs, durationMs }) =>
      `    ${chartLabel(render.plain(text`${code(status.raw)}`))} :${Math.round(startedAfterMs)}, ${Math.round(startedAfterMs + durationMs)}`,
  );
  const head = [
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
    // Mermaid would put a mark at each half of a second, and round its label.
    ...(endMs < minMarkedMs ? ["    tickInterval 1second"] : []),
  ];
  return [...head, ...bars, "```"].join("\n");
}

/** Mermaid has no escapes in the name of a task, so only word characters stay. */
function chartLabel(status: string): string {
  const label = status.replace(/[^A-Za-z0-9_]+/g, " ").trim();
  return label.slice(0, 40) || "unnamed";
}
