import { pipeline } from "node:stream/promises";
import type { Ending } from "../ending.ts";
import { bestEffort } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { InputReader } from "../inputs/reader.ts";
import { logObserver } from "../report/log-observer.ts";
import type { ActionContext } from "../report/run-report.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import { exportCsv, readReport } from "./client.ts";
import type { OnProgress } from "./download.ts";
import { writeWhenComplete } from "./file.ts";
import { type FileInput, readUsageInputs, type UsageInputs } from "./inputs.ts";
import { UsageReporter } from "./reporter.ts";
import { sumUsage, type UsageTotals } from "./totals.ts";

/** The usage action: a report as summary and files, and a budget. */
export async function usage(context: ActionContext): Promise<Ending> {
  const reporter = new UsageReporter(context);
  context.observe(logObserver(context), reporter);
  const inputs = readInputs(context);
  reporter.showInputs(inputs);
  await emitLeftover(inputs, [], context);

  const result = await bestEffort(() => reportUsage(inputs, reporter, context), context.cancelled);
  // A report that is too large is no reason to miss the CSV export, which may have any size.
  if ("error" in result && result.error.code !== "report_too_large") throw result.error;
  if ("value" in result && inputs.jsonFile) await emitLeftover(inputs, [inputs.jsonFile], context);
  if (inputs.csvFile) await writeCsv(inputs.csvFile, inputs, reporter, context);
  if ("error" in result) throw result.error;
  return endingOf(result.value, inputs);
}

function readInputs({ env, clock, disk, log }: RunContext): UsageInputs {
  const reader = new InputReader(env);
  const workspace = env.GITHUB_WORKSPACE || disk.workingDirectory();
  const inputs = readUsageInputs(reader, { now: clock.now(), workspace, disk });
  reader.finish(log);
  return inputs;
}

/** Says which files a run that is cancelled now has written. */
async function emitLeftover(
  { jsonFile, csvFile }: UsageInputs,
  written: readonly FileInput[],
  { emit }: RunContext,
): Promise<void> {
  const files = [jsonFile, csvFile].filter((file) => file !== undefined);
  if (files.length === 0) return;
  const sentences = files.map((file) => `${file.input} was ${written.includes(file) ? "" : "not "}written.`);
  await emit({ kind: "leftover_changed", leftover: sentences.join(" ") });
}

/** Reads the report, shows its totals and writes `json_file`. */
async function reportUsage(
  inputs: UsageInputs,
  reporter: UsageReporter,
  context: RunContext,
): Promise<UsageTotals> {
  const { query, jsonFile } = inputs;
  const report = await withProgress("the usage report", context, (onProgress) =>
    readReport(inputs, onProgress, context),
  );
  const totals = sumUsage(report, query.groupBy, context.redact);
  reporter.showTotals(totals, query);
  if (jsonFile) {
    await writeWhenComplete(jsonFile, (sink) => pipeline([report.bytes], sink));
    reporter.showFile(jsonFile, report.bytes.length);
  }
  return totals;
}

async function writeCsv(
  file: FileInput,
  inputs: UsageInputs,
  reporter: UsageReporter,
  context: RunContext,
): Promise<void> {
  const bytes = await withProgress("the CSV export", context, (onProgress) =>
    writeWhenComplete(file, (sink) => exportCsv(inputs, sink, onProgress, context)),
  );
  reporter.showFile(file, bytes);
}

const progressIntervalMs = 1000;

/** Tells the heartbeat how much of `what` was received. */
async function withProgress<T>(
  what: string,
  { clock, emit }: RunContext,
  download: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  let received = 0;
  const emitStage = () =>
    emit({ kind: "stage_changed", stage: `${formatBytes(received)} of ${what} received` });
  await emitStage();
  const stop = clock.every(progressIntervalMs, () => void emitStage());
  try {
    return await download((receivedBytes) => {
      received = receivedBytes;
    });
  } finally {
    stop();
  }
}

function endingOf({ traces }: UsageTotals, { maxTraces }: UsageInputs): Ending {
  if (maxTraces === undefined || traces <= maxTraces) {
    return { outcome: "done", headline: "The usage report is complete." };
  }
  return {
    outcome: "failed",
    headline: `The total of ${formatCount(traces)} traces exceeds max_traces (${formatCount(maxTraces)}).`,
    hint: "See in the report what uses the most, or raise max_traces.",
  };
}
