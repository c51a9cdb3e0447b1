import { kindOfStatus } from "../platform/status.ts";
import type { SeenStatus } from "../progress/facts.ts";
import { formatDuration } from "../text/duration.ts";
import { codeCell } from "../text/markdown.ts";

interface Phase {
  readonly status: string;
  /** Both in milliseconds; the last phase lasts until now. */
  readonly startedAfterMs: number;
  readonly lastedMs: number;
}

/** How long each status was seen, counted from the write as in the log. All moments in milliseconds since the epoch. */
export function phasesOf(statuses: readonly SeenStatus[], start: number, now: number): Phase[] {
  return statuses.map(({ status, at }, index) => ({
    status,
    startedAfterMs: at - start,
    lastedMs: (statuses[index + 1]?.at ?? now) - at,
  }));
}

/** A Markdown table of the statuses; empty where none was seen. */
export function statusTable(statuses: readonly SeenStatus[], start: number, now: number): string {
  if (statuses.length === 0) return "";
  const rows = phasesOf(statuses, start, now).map(({ status, startedAfterMs, lastedMs }) => {
    const lasted = isPending(status) ? formatDuration(lastedMs) : "";
    return `| ${codeCell(status)} | ${formatDuration(startedAfterMs)} | ${lasted} |`;
  });
  return ["| Status | first seen after | lasted |", "|---|---:|---:|", ...rows].join("\n");
}

/**
 * A Mermaid chart of the same; empty where there is no length to show. In seconds, because Mermaid shows minutes in the
 * reader's time zone, which may be half an hour off.
 */
export function statusChart(statuses: readonly SeenStatus[], start: number, now: number): string {
  const phases = phasesOf(statuses, start, now).filter(({ status }) => isPending(status));
  if (phases.every(({ lastedMs }) => lastedMs === 0)) return "";
  const bars = phases.map(
    ({ status, startedAfterMs, lastedMs }) =>
      `    ${chartLabel(status)} :${Math.round(startedAfterMs)}, ${Math.round(startedAfterMs + lastedMs)}`,
  );
  const head = [
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
  ];
  return [...head, ...bars, "```"].join("\n");
}

/** A status that ended the revision lasts for ever: how long it was seen says nothing. */
function isPending(status: string): boolean {
  return kindOfStatus(status) === "pending";
}

/** Mermaid has no escapes for a task's name, so what isn't a word character goes. */
function chartLabel(status: string): string {
  return (
    status
      .replace(/[^A-Za-z0-9_]+/g, " ")
      .trim()
      .slice(0, 40) || "unnamed"
  );
}
