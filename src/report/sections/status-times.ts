import { formatDuration } from "../../text/format.ts";
import { code, type Message, text } from "../../text/message.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState, SeenStatus } from "../state.ts";
import { markdownTable } from "./tables.ts";

/** In milliseconds. Of a shorter run, a chart says no more than the table. */
const minChartMs = 20_000;

/**
 * How long each status lasted, the last one until `now` (milliseconds since the epoch), as a Markdown table and a chart; empty
 * if none was seen.
 */
export function statusTimes(
  { statuses, rollbackStatuses = [], sentAt, startedAt, unchangedSince }: RunState,
  now: number,
  render: Renderer,
): string {
  const start = sentAt ?? startedAt;
  const spansFrom = (seen: readonly SeenStatus[], subject?: Message): Span[] =>
    seen.map(({ status, at }, index) => ({
      label: text`${subject}${code(status.raw)}`,
      isPending: status.kind === "pending",
      startMs: at - start,
      endMs: (seen[index + 1]?.at ?? now) - start,
    }));
  const spans = [...spansFrom(statuses), ...spansFrom(rollbackStatuses, text`Rollback: `)];
  // An earlier run watched those of an unchanged revision.
  if (spans.length === 0 || unchangedSince !== undefined) return "";
  const table = markdownTable(["Status", "First seen after", "Duration"], rowsOf(spans, render), 2);
  const bars = spans.filter(({ isPending }) => isPending);
  const isLong = (bars.at(-1)?.endMs ?? 0) >= minChartMs;
  return isLong ? `${table}\n\n${chartOf(bars, render)}` : table;
}

interface Span {
  readonly label: Message;
  readonly isPending: boolean;
  /** In milliseconds since the write. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A status that ended the revision has no duration. */
function rowsOf(spans: readonly Span[], render: Renderer): string[][] {
  return spans.map(({ label, isPending, startMs, endMs }) => [
    render.cell(label),
    formatDuration(startMs),
    isPending ? formatDuration(endMs - startMs) : "",
  ]);
}

/** In seconds, because Mermaid shows minutes in the reader's time zone, which may differ by half an hour. */
function chartOf(spans: readonly Span[], render: Renderer): string {
  const bars = spans.map(
    ({ label, startMs, endMs }) => `    ${chartLabel(render.plain(label))} :${startMs}, ${endMs}`,
  );
  return [
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
    // The axis begins with the first row.
    "    Request sent :milestone, 0, 0",
    ...bars,
    "```",
  ].join("\n");
}

/** Mermaid has no escapes in the name of a task, so only word characters stay. */
function chartLabel(status: string): string {
  const label = status.replace(/[^A-Za-z0-9_]+/g, " ").trim();
  return label.slice(0, 40) || "unnamed";
}
