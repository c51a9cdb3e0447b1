import type { Context } from "../context.ts";
import type { RunFacts } from "../report/facts.ts";
import type { RunResult } from "../report/result.ts";
import type { Writer } from "../report/writer.ts";
import { formatCount, formatSize } from "../text/format.ts";
import { code, input, joined, type Message, text } from "../text/message.ts";
import { formatStride } from "./chart.ts";
import type { FileInput, UsageInputs } from "./inputs.ts";
import { formatRange, type SummaryContent, usageSummary } from "./summary.ts";
import type { UsageTotals } from "./totals.ts";
import { totalsLines } from "./totals-table.ts";

/** On the cloud platform (https://docs.langchain.com/langsmith/granular-usage). */
const firstDay = "2026-01-05";

/** Shows what a run finds out: at once in the log and the outputs, and at the end in the summary. */
export class UsageWriter implements Writer {
  readonly #context: Context;
  #shown: SummaryContent = { inputs: undefined, totals: undefined, notices: [], files: [] };

  constructor(context: Context) {
    this.#context = context;
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
    const { files, report } = this.#context;
    const { traces, buckets, stride, ids } = totals;
    files.setOutput("total_traces", String(traces));
    files.setOutput("buckets", String(buckets.length));
    files.setOutput("stride_days", String(stride.days));
    files.setOutput("stride_hours", String(stride.hours));
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
    const { files, report } = this.#context;
    this.#shown = { ...this.#shown, files: [...this.#shown.files, { input: file.input, bytes }] };
    files.setOutput(file.input, report.render.value(file.path));
    report.info(text`Wrote ${input(file.input)}: ${code(formatSize(bytes))} to ${code(file.path)}.`);
  }

  onEnd(_facts: RunFacts, result: RunResult): void {
    const { files, report } = this.#context;
    files.appendSummary(usageSummary(this.#shown, result, report.render));
  }

  #notice(notice: Message): void {
    this.#shown = { ...this.#shown, notices: [...this.#shown.notices, notice] };
    this.#context.report.notice(notice);
  }
}
