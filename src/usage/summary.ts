import { type Ending, formatOutcome, isSuccess } from "../ending.ts";
import { endingMarkdown, heading, joinSections } from "../report/summary.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import { codeCell, factTable } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { usageChart } from "./chart.ts";
import type { UsageQuery } from "./client.ts";
import type { FileInput, UsageInputs } from "./inputs.ts";
import type { Stride } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";
import { formatShare, totalsTable } from "./totals-table.ts";

/** What a summary shows, as far as the run got. */
export interface SummaryContent {
  readonly inputs: UsageInputs | undefined;
  readonly totals: UsageTotals | undefined;
  readonly notices: readonly string[];
  readonly files: readonly WrittenFile[];
}

export interface WrittenFile {
  readonly input: FileInput["input"];
  readonly bytes: number;
}

/** The summary as Markdown. Text from outside stands in code spans. */
export function usageSummary(content: SummaryContent, ending: Ending): string {
  const { inputs, totals, notices } = content;
  return joinSections([
    headingOf(ending, totals),
    endingMarkdown(ending),
    ...notices.map((notice) => `> [!NOTE]\n> ${prose(notice)}`),
    inputs === undefined ? "" : tableOf(content, inputs),
    inputs === undefined || totals === undefined ? "" : totalsTable(totals, inputs.query.groupBy),
    inputs === undefined || totals === undefined ? "" : usageChart(totals, inputs.query),
  ]);
}

function headingOf({ outcome }: Ending, totals: UsageTotals | undefined): string {
  if (totals === undefined) return heading("Usage", outcome);
  const count = `${formatCount(totals.traces)} traces`;
  return heading("Usage", outcome, isSuccess(outcome) ? count : `${formatOutcome(outcome)} (${count})`);
}

function tableOf({ totals, files }: SummaryContent, inputs: UsageInputs): string {
  const { query, jsonFile, csvFile, maxTraces } = inputs;
  return factTable([
    ["Range", formatRange(query)],
    ["Workspaces", String(query.workspaceIds.length)],
    ["Counted by", query.groupBy.replace("_", " ")],
    ["Time buckets with usage", totals && `${totals.buckets.length}, of ${formatStride(totals.stride)} each`],
    ["Budget (`max_traces`)", totals && formatBudget(totals.traces, maxTraces)],
    ["`json_file`", jsonFile && fileCell(jsonFile, files)],
    ["`csv_file`", csvFile && fileCell(csvFile, files)],
  ]);
}

function fileCell({ input, path }: FileInput, files: readonly WrittenFile[]): string {
  const written = files.find((file) => file.input === input);
  return `${codeCell(path)}, ${written === undefined ? "not written" : formatBytes(written.bytes)}`;
}

function formatBudget(traces: number, maxTraces: number | undefined): string | undefined {
  if (maxTraces === undefined) return undefined;
  const use =
    traces > maxTraces
      ? `exceeded by ${formatCount(traces - maxTraces)}`
      : `${formatShare(traces, maxTraces)} used`;
  return `${formatCount(maxTraces)}, ${use}`;
}

/** A range in UTC. */
export function formatRange({ start, end }: Pick<UsageQuery, "start" | "end">): string {
  const [from, to] = [start, end].map((time) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z"));
  return `${from} to ${to}`;
}

/** The length of a time bucket, such as `1 day` or `6 hours`. */
export function formatStride({ days, hours }: Stride): string {
  const [count, unit] = days > 0 ? [days, "day"] : [hours, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
