import type { Context } from "../context.ts";
import type { Ending } from "../ending.ts";
import type { Observer } from "../report/run-report.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import type { FileInput, UsageInputs } from "./inputs.ts";
import { formatRange, formatStride, usageSummary, type WrittenFile } from "./summary.ts";
import type { UsageTotals } from "./totals.ts";
import { totalsLines } from "./totals-table.ts";

/** On the cloud platform (https://docs.langchain.com/langsmith/granular-usage). */
const firstDay = "2026-01-05";

/** Shows what a run finds out: at once in the log and the outputs, at the end, however the run ended, in the summary. */
export class UsageReporter implements Observer {
  readonly #context: Context;
  #inputs: UsageInputs | undefined;
  #totals: UsageTotals | undefined;
  readonly #notices: string[] = [];
  readonly #files: WrittenFile[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  showInputs(inputs: UsageInputs): void {
    this.#inputs = inputs;
    const { start, groupBy, workspaceIds } = inputs.query;
    const workspaces = workspaceIds.length === 1 ? "1 workspace" : `${workspaceIds.length} workspaces`;
    this.#context.log.info(`Usage of ${workspaces} from ${formatRange(inputs.query)}, by ${groupBy}.`);
    if (start < Date.parse(firstDay)) {
      this.#notice(
        `The range starts before ${firstDay}. The cloud platform has no usage data from before that day, and a self-hosted platform none from before it was enabled.`,
      );
    }
  }

  showTotals(totals: UsageTotals, { groupBy, workspaceIds }: UsageInputs["query"]): void {
    this.#totals = totals;
    const { files, log } = this.#context;
    const { traces, buckets, stride, ids } = totals;
    files.setOutput("total_traces", String(traces));
    files.setOutput("buckets", String(buckets.length));
    files.setOutput("stride_days", String(stride.days));
    files.setOutput("stride_hours", String(stride.hours));
    log.info(`${formatCount(traces)} traces in time buckets of ${formatStride(stride)}.`);
    log.group("Totals, largest first");
    for (const line of totalsLines(totals)) log.info(line);
    log.endGroup();
    const missing = workspaceIds.filter((id) => !ids.has(id));
    if (groupBy === "workspace" && missing.length > 0) {
      this.#notice(
        `No usage is shown for ${missing.join(", ")}: nothing was used in this range, or the key has no read access.`,
      );
    }
  }

  showFile({ input, path }: FileInput, bytes: number): void {
    this.#files.push({ input, bytes });
    this.#context.files.setOutput(input, path);
    this.#context.log.info(`Wrote ${input}: ${formatBytes(bytes)} to ${path}.`);
  }

  onEnd(_state: unknown, ending: Ending): void {
    const content = {
      inputs: this.#inputs,
      totals: this.#totals,
      notices: this.#notices,
      files: this.#files,
    };
    this.#context.files.appendSummary(usageSummary(content, ending));
  }

  #notice(text: string): void {
    this.#notices.push(text);
    this.#context.log.notice(text);
  }
}
