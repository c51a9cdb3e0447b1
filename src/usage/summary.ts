import type { Context } from "../context.ts";
import { type Ending, formatOutcome, succeeded } from "../progress/ending.ts";
import type { Reporter } from "../progress/progress.ts";
import { factTable } from "../report/fact-table.ts";
import { endingText } from "../report/summary.ts";
import { formatBytes } from "../text/bytes.ts";
import { codeCell } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { usageChart } from "./chart.ts";
import type { FileInput, UsageInputs } from "./inputs.ts";
import type { UsageQuery } from "./query.ts";
import type { Stride } from "./schemas.ts";
import type { UsageTotals } from "./totals.ts";
import { formatShare, spellCount, totalsTable } from "./totals-table.ts";

/** A file that was written. */
export interface WrittenFile {
  readonly input: FileInput["input"];
  readonly bytes: number;
}

/** What is known of a usage report; grows as it goes. */
export interface UsageFacts {
  inputs: UsageInputs | undefined;
  totals: UsageTotals | undefined;
  readonly notices: string[];
  readonly files: WrittenFile[];
}

/** Writes the job summary when the run has ended, however it did (contract, 7). */
export function usageSummaryReporter(facts: Readonly<UsageFacts>, context: Context): Reporter {
  return { onEnd: (_, ending) => context.files.appendSummary(usageSummary(facts, ending)) };
}

/** The summary as Markdown. What comes from outside stands in code spans. */
export function usageSummary(facts: Readonly<UsageFacts>, ending: Ending): string {
  const { inputs, totals } = facts;
  const sections = [
    heading(ending, totals),
    endingText(ending),
    ...facts.notices.map((notice) => `> [!NOTE]\n> ${prose(notice)}`),
    inputs === undefined ? "" : tableOf(facts, inputs),
    inputs === undefined || totals === undefined ? "" : totalsTable(totals, inputs.query.groupBy),
    inputs === undefined || totals === undefined ? "" : usageChart(totals, inputs.query),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

function heading({ outcome }: Ending, totals: UsageTotals | undefined): string {
  const count = totals === undefined ? undefined : `${spellCount(totals.traces)} traces`;
  if (succeeded(outcome)) return `## ✅ Usage: ${count ?? formatOutcome(outcome)}`;
  return `## ❌ Usage: ${formatOutcome(outcome)}${count === undefined ? "" : ` (${count})`}`;
}

function tableOf({ totals, files }: Readonly<UsageFacts>, inputs: UsageInputs): string {
  const { query, jsonFile, csvFile } = inputs;
  return factTable([
    ["Range", formatRange(query)],
    ["Workspaces", String(query.workspaceIds.length)],
    ["Counted by", query.groupBy.replace("_", " ")],
    ["Time buckets with usage", totals && `${totals.buckets.length}, of ${formatStride(totals.stride)} each`],
    ["Budget (`max_traces`)", totals && formatBudget(totals.traces, inputs.maxTraces)],
    ["`json_file`", jsonFile && formatFile(jsonFile, files)],
    ["`csv_file`", csvFile && formatFile(csvFile, files)],
  ]);
}

function formatFile({ input, path }: FileInput, files: readonly WrittenFile[]): string {
  const written = files.find((file) => file.input === input);
  return `${codeCell(path)}, ${written === undefined ? "not written" : formatBytes(written.bytes)}`;
}

function formatBudget(traces: number, maxTraces: number | undefined): string | undefined {
  if (maxTraces === undefined) return undefined;
  const more = traces - maxTraces;
  return more > 0
    ? `${spellCount(maxTraces)}, exceeded by ${spellCount(more)}`
    : `${spellCount(maxTraces)}, ${formatShare(traces, maxTraces)} used`;
}

/** A range as people read it, in UTC. */
export function formatRange({ start, end }: Pick<UsageQuery, "start" | "end">): string {
  const [from, to] = [start, end].map((time) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z"));
  return `${from} to ${to}`;
}

/** The size of a time bucket as people say it. */
export function formatStride({ days, hours }: Stride): string {
  const [count, unit] = days > 0 ? [days, "day"] : [hours, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
