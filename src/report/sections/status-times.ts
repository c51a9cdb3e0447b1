import { type RunState, revisionsOf } from "../../state/run-state.ts";
import { formatDuration } from "../../text/format.ts";
import { code, phrase } from "../../text/message.ts";
import type { Renderer } from "../renderer.ts";
import { markdownTable } from "./blocks.ts";

/** The shortest run with a chart. For a shorter one, a chart says no more than the table. */
const minChartMs = 20_000;

/**
 * Returns how long each status lasted, the last one until the end of the run, as a Markdown table and a chart; empty if no
 * pending status was seen.
 */
export function statusTimes(state: RunState, render: Renderer): string {
  const { startedAt, waitStartedAt: since = startedAt } = state;
  const spans = revisionsOf(state).flatMap(({ statuses, label }) =>
    statuses.map(({ status, at }, index) => ({
      title: phrase`${label}${code(status.raw)}`,
      // A status that ended the revision has no duration.
      isPending: status.kind === "pending",
      start: at - since,
      end: (statuses[index + 1]?.at ?? state.endedAt ?? at) - since,
    })),
  );
  const bars = spans.filter(({ isPending }) => isPending);
  if (bars.length === 0) return "";
  const rows = spans.map(({ title, isPending, start, end }) => [
    render.cell(title),
    formatDuration(start),
    isPending ? formatDuration(end - start) : "",
  ]);
  const table = markdownTable(["Status", "First seen after", "Duration"], rows, 2);
  if ((bars.at(-1)?.end ?? 0) < minChartMs) return table;
  const tasks = bars.map(({ title, start, end }) => `${chartLabel(render.plain(title))} :${start}, ${end}`);
  return `${table}\n\n${chartOf(tasks)}`;
}

/** A chart in seconds, because Mermaid shows minutes in the reader's time zone, which may differ by half an hour. */
function chartOf(tasks: readonly string[]): string {
  return [
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
    // Without this row, the axis would begin with the first status.
    ...["Request sent :milestone, 0, 0", ...tasks].map((task) => `    ${task}`),
    "```",
  ].join("\n");
}

/** Mermaid has no escapes in the name of a task, so only word characters stay. */
function chartLabel(status: string): string {
  const label = status.replace(/[^A-Za-z0-9_]+/g, " ").trim();
  return label.slice(0, 40) || "unnamed";
}
