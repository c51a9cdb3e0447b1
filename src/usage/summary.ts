import type { Renderer } from "../report/renderer.ts";
import { formatOutcome, isSuccess, type RunResult } from "../report/result.ts";
import { heading, joinSections, resultMarkdown } from "../report/sections/result.ts";
import { factTable } from "../report/sections/tables.ts";
import { formatCount, formatSize } from "../text/format.ts";
import { code, type Message } from "../text/message.ts";
import { formatStride, usageChart } from "./chart.ts";
import type { UsageQuery } from "./client.ts";
import type { FileInput, UsageInputs } from "./inputs.ts";
import type { UsageTotals } from "./totals.ts";
import { formatShare, totalsTable } from "./totals-table.ts";

/** What a summary shows, as far as the run got. */
export interface SummaryContent {
  readonly inputs: UsageInputs | undefined;
  readonly totals: UsageTotals | undefined;
  readonly notices: readonly Message[];
  readonly files: readonly WrittenFile[];
}

interface WrittenFile {
  readonly input: FileInput["input"];
  readonly bytes: number;
}

/** The summary as Markdown. */
export function usageSummary(content: SummaryContent, result: RunResult, render: Renderer): string {
  const { inputs, totals, notices } = content;
  return joinSections([
    headingOf(result, totals),
    resultMarkdown(result, render),
    ...notices.map((notice) => `> [!NOTE]\n> ${render.markdown(notice)}`),
    inputs === undefined ? "" : tableOf(content, inputs, render),
    inputs === undefined || totals === undefined ? "" : totalsTable(totals, inputs.query.groupBy, render),
    inputs === undefined || totals === undefined ? "" : usageChart(totals, inputs.query),
  ]);
}

function headingOf({ outcome }: RunResult, totals: UsageTotals | undefined): string {
  if (totals === undefined) return heading("Usage", outcome);
  const count = `${formatCount(totals.traces)} traces`;
  return heading("Usage", outcome, isSuccess(outcome) ? count : `${formatOutcome(outcome)} (${count})`);
}

function tableOf({ totals, files }: SummaryContent, inputs: UsageInputs, render: Renderer): string {
  const { query, jsonFile, csvFile, maxTraces } = inputs;
  return factTable([
    ["Range", formatRange(query)],
    ["Workspaces", String(query.workspaceIds.length)],
    ["Counted by", query.groupBy.replace("_", " ")],
    ["Time buckets with usage", totals && `${totals.buckets.length}, of ${formatStride(totals.stride)} each`],
    ["Budget (`max_traces`)", totals && formatBudget(totals.traces, maxTraces)],
    ["`json_file`", jsonFile && fileCell(jsonFile, files, render)],
    ["`csv_file`", csvFile && fileCell(csvFile, files, render)],
  ]);
}

function fileCell({ input, path }: FileInput, files: readonly WrittenFile[], render: Renderer): string {
  const written = files.find((file) => file.input === input);
  return `${render.cell(code(path))}, ${written === undefined ? "not written" : formatSize(written.bytes)}`;
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
