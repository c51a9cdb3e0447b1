import { pipeline } from "node:stream/promises";
import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import { toResult } from "../errors.ts";
import { InputReader } from "../inputs/reader.ts";
import { formatCount, formatSize } from "../text/format.ts";
import { code, input, joined, type Message, text } from "../text/message.ts";
import { exportCsv, type OnProgress, readReport } from "./client.ts";
import { type FileInput, readUsageInputs, type UsageInputs } from "./inputs.ts";
import { UsageWriter } from "./report.ts";
import { sumUsage, type UsageTotals } from "./totals.ts";
import { writeWhenComplete } from "./write-when-complete.ts";

/** The usage action: a report as summary and files, and a budget. */
export async function usage(context: Context): Promise<Ending> {
  const writer = new UsageWriter(context);
  const inputs = readInputs(context);
  writer.inputs(inputs);
  reportUnwritten(inputs, [], context);

  const result = await toResult(() => reportUsage(inputs, writer, context), context.cancelled);
  // A report that is too large is no reason to miss the CSV export, which may have any size.
  if ("error" in result && result.error.code !== "report_too_large") throw result.error;
  if ("value" in result && inputs.jsonFile) reportUnwritten(inputs, [inputs.jsonFile], context);
  if (inputs.csvFile) await writeCsv(inputs.csvFile, inputs, writer, context);
  if ("error" in result) throw result.error;
  return compareWithBudget(result.value, inputs);
}

function readInputs({ env, clock, report }: Context): UsageInputs {
  const reader = new InputReader(env);
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const inputs = readUsageInputs(reader, { now: clock.now(), workspace });
  reader.finish(report);
  return inputs;
}

/** Reports which files a run that is cancelled now has written. */
function reportUnwritten(
  { jsonFile, csvFile }: UsageInputs,
  written: readonly FileInput[],
  { report }: Context,
): void {
  const files = [jsonFile, csvFile].filter((file) => file !== undefined);
  if (files.length === 0) return;
  const states = files.map((file) => {
    const not = written.includes(file) ? undefined : text`not `;
    return text`${input(file.input)} was ${not}written.`;
  });
  report.set({ left: joined(states) });
}

/** Reads the report, shows its totals and writes `json_file`. */
async function reportUsage(inputs: UsageInputs, writer: UsageWriter, context: Context): Promise<UsageTotals> {
  const { query, jsonFile } = inputs;
  const response = await withProgress(text`the usage report`, context, (onProgress) =>
    readReport(inputs, onProgress, context),
  );
  const totals = sumUsage(response, query.groupBy);
  writer.totals(totals, query);
  if (jsonFile) {
    await writeWhenComplete(jsonFile, (sink) => pipeline([response.bytes], sink));
    writer.file(jsonFile, response.bytes.length);
  }
  return totals;
}

async function writeCsv(
  file: FileInput,
  inputs: UsageInputs,
  writer: UsageWriter,
  context: Context,
): Promise<void> {
  const bytes = await withProgress(text`the CSV export`, context, (onProgress) =>
    writeWhenComplete(file, (sink) => exportCsv(inputs, sink, onProgress, context)),
  );
  writer.file(file, bytes);
}

const progressIntervalMs = 1000;

/** Tells the heartbeat how much of `what` was received. */
async function withProgress<T>(
  what: Message,
  { clock, report }: Context,
  download: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  let received = 0;
  const reportProgress = () =>
    report.set({ activity: text`${code(formatSize(received))} of ${what} received` });
  reportProgress();
  const stop = clock.every(progressIntervalMs, reportProgress);
  try {
    return await download((receivedBytes) => {
      received = receivedBytes;
    });
  } finally {
    stop();
  }
}

function compareWithBudget({ traces }: UsageTotals, { maxTraces }: UsageInputs): Ending {
  if (maxTraces === undefined || traces <= maxTraces) {
    return { outcome: "done", message: text`The usage report is complete.` };
  }
  return {
    outcome: "failed",
    message: text`The total of ${code(formatCount(traces))} traces exceeds ${input("max_traces")} (${code(formatCount(maxTraces))}).`,
    hint: text`See in the report what uses the most, or raise ${input("max_traces")}.`,
  };
}
