import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import { endingMarkdown, joinSections, plainHeading } from "../report/document.ts";
import { formatOutcome, isSuccess } from "../report/ending.ts";
import type { Renderer } from "../report/renderer.ts";
import { factTable } from "../report/sections/tables.ts";
import { formatCount, formatSize } from "../text/format.ts";
import { code, input, joined, type Message, text } from "../text/message.ts";
import { formatStride, usageChart } from "./chart.ts";
import type { UsageQuery } from "./client.ts";
import type { FileInput, UsageInputs } from "./inputs.ts";
import { formatShare, totalsLines, totalsTable, type UsageTotals } from "./totals.ts";

/** What a summary shows, as far as the run got. */
interface SummaryContent {
  readonly inputs: UsageInputs | undefined;
  readonly totals: UsageTotals | undefined;
  readonly notices: readonly Message[];
  readonly files: readonly WrittenFile[];
}

interface WrittenFile {
  readonly input: FileInput["input"];
  readonly bytes: number;
}

/** On the cloud platform (https://docs.langchain.com/langsmith/granular-usage). */
const firstDay = "2026-01-05";

/** Shows what a run finds out: at once in the log and the outputs, and at the end in the summary. */
export class UsageWriter {
  readonly #context: Context;
  #shown: SummaryContent = { inputs: undefined, totals: undefined, notices: [], files: [] };

  constructor(context: Context) {
    this.#context = context;
    const { report } = context;
    report.summarizeBy((ending) => usageSummary(this.#shown, ending, report.render));
  }

  inputs(inputs: UsageInputs): void {
    this.#shown = { ...this.#shown, inputs };
    const { start, groupBy, workspaceIds } = inputs.query;
    const workspaces =
      workspaceIds.length === 1 ? text`1 workspace` : text`${workspaceIds.length} workspaces`;
    this.#context.report.info(
      text`Usage of ${workspaces} from ${code(formatRange(inputs.query))}, by ${code(groupBy)}.`,
    );
    if (start < Date.parse(firstDay)) {
      this.#notice(
        text`The range starts before ${code(firstDay)}. The cloud platform has no usage data from before that day, and a self-hosted platform none from before it was enabled.`,
      );
    }
  }

  totals(totals: UsageTotals, { groupBy, workspaceIds }: UsageInputs["query"]): void {
    this.#shown = { ...this.#shown, totals };
    const { report } = this.#context;
    const { traces, buckets, stride, ids } = totals;
    this.#setOutputs({
      total_traces: String(traces),
      buckets: String(buckets.length),
      stride_days: String(stride.days),
      stride_hours: String(stride.hours),
    });
    report.info(text`${code(formatCount(traces))} traces in time buckets of ${code(formatStride(stride))}.`);
    report.group(text`Totals, largest first`, totalsLines(totals));
    const missing = workspaceIds.filter((id) => !ids.has(id)).map((id) => code(id));
    if (groupBy === "workspace" && missing.length > 0) {
      this.#notice(
        text`No usage is reported for ${joined(missing, ", ")}: nothing was used in this range, or the key has no read access.`,
      );
    }
  }

  file(file: FileInput, bytes: number): void {
    const { report } = this.#context;
    this.#shown = { ...this.#shown, files: [...this.#shown.files, { input: file.input, bytes }] };
    this.#setOutputs({ [file.input]: report.render.value(file.path) });
    report.info(text`Wrote ${input(file.input)}: ${code(formatSize(bytes))} to ${code(file.path)}.`);
  }

  #setOutputs(outputs: Readonly<Record<string, string>>): void {
    const { report } = this.#context;
    report.set({ outputs: { ...report.state.outputs, ...outputs } });
  }

  #notice(notice: Message): void {
    this.#shown = { ...this.#shown, notices: [...this.#shown.notices, notice] };
    this.#context.report.notice(notice);
  }
}

/** The summary as Markdown. */
function usageSummary(content: SummaryContent, ending: Ending, render: Renderer): string {
  const { inputs, totals, notices } = content;
  return joinSections([
    headingOf(ending, totals),
    endingMarkdown(ending, render),
    ...notices.map((notice) => `> [!NOTE]\n> ${render.markdown(notice)}`),
    inputs === undefined ? "" : tableOf(content, inputs, render),
    inputs === undefined || totals === undefined ? "" : totalsTable(totals, inputs.query.groupBy, render),
    inputs === undefined || totals === undefined ? "" : usageChart(totals, inputs.query),
  ]);
}

function headingOf(ending: Ending, totals: UsageTotals | undefined): string {
  const { outcome } = ending;
  if (totals === undefined) return plainHeading(ending, "Usage");
  const count = `${formatCount(totals.traces)} traces`;
  return plainHeading(ending, "Usage", isSuccess(outcome) ? count : `${formatOutcome(outcome)} (${count})`);
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
function formatRange({ start, end }: Pick<UsageQuery, "start" | "end">): string {
  const [from, to] = [start, end].map((time) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z"));
  return `${from} to ${to}`;
}
