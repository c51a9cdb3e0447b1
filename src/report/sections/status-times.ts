import { formatDuration } from "../../text/format.ts";
import { code, type Message, text } from "../../text/message.ts";
import type { Renderer } from "../renderer.ts";
import type { SeenStatus } from "../state.ts";
import { markdownTable } from "./tables.ts";

/**
 * What a run's revision went through, and the one that rolled it back. `start` (of the write) and `now`: milliseconds since the
 * epoch.
 */
interface StatusTimes {
  readonly statuses: readonly SeenStatus[];
  readonly rollbackStatuses?: readonly SeenStatus[] | undefined;
  readonly start: number;
  readonly now: number;
}

/** In milliseconds. Of a shorter run, a chart says no more than the table. */
const minChartMs = 20_000;

/** How long each status lasted, the last one until now. */
function spansOf({ statuses, rollbackStatuses = [], start, now }: StatusTimes) {
  const spansFrom = (seen: readonly SeenStatus[], subject?: Message) =>
    seen.map(({ status, at }, index) => {
      const next = seen[index + 1];
      const label = text`${subject}${code(status.raw)}`;
      return { status, label, next: next?.status, startMs: at - start, endMs: (next?.at ?? now) - start };
    });
  return [...spansFrom(statuses), ...spansFrom(rollbackStatuses, text`Rollback: `)];
}

/** A Markdown table of the statuses; empty if none was seen. A status that ended the revision has no duration. */
export function statusTable(times: StatusTimes, render: Renderer): string {
  const rows = spansOf(times).map(({ status, label, startMs, endMs }) => {
    const duration = status.kind === "pending" ? formatDuration(endMs - startMs) : "";
    return [render.cell(label), formatDuration(startMs), duration];
  });
  return rows.length === 0 ? "" : markdownTable(["Status", "First seen after", "Duration"], rows, 2);
}

/**
 * A Mermaid chart of the statuses, unless the run was too short for one, with a milestone at its start and at the end of the
 * revision. In seconds, because Mermaid shows minutes in the reader's time zone, which may differ by half an hour.
 */
export function statusChart(times: StatusTimes, render: Renderer): string {
  const spans = spansOf(times);
  const last = spans.at(-1);
  if (last === undefined) return "";
  if ((last.status.kind === "pending" ? last.endMs : last.startMs) < minChartMs) return "";
  const rows = spans.map(({ status, label, next, startMs, endMs }) => {
    const isEnd = status.kind !== "pending";
    const isRed = (isEnd ? status : next)?.kind === "failed";
    const bar = isEnd ? `milestone, ${startMs}, ${startMs}` : `${startMs}, ${endMs}`;
    return `${chartLabel(render.plain(label))} :${isRed ? "crit, " : ""}${bar}`;
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
