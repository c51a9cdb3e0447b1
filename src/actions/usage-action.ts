import type { Context } from "../context.ts";
import { Failure, type SuccessEnding } from "../errors.ts";
import { InputReader } from "../inputs/reader.ts";
import { factTable } from "../report/sections/blocks.ts";
import { formatCount } from "../text/format.ts";
import { code, count, inputName, listFirst, type Phrase, phrase, text } from "../text/message.ts";
import { equalsIgnoringCase } from "../text/strings.ts";
import { formatStride, usageChart } from "../usage/chart.ts";
import { readUsageInputs, type UsageInputs } from "../usage/read-usage-inputs.ts";
import { sumUsage, totalsTable, type UsageTotals } from "../usage/totals.ts";
import { exportCsv, readReport } from "../usage/usage-client.ts";
import { writeWhenComplete } from "../usage/write-when-complete.ts";

/** The usage action: shows a report in the summary, writes it to files, and checks a budget. */
export async function usageAction(context: Context): Promise<SuccessEnding> {
  const { clock, env, report, workflow } = context;
  const reader = new InputReader(env);
  const inputs = readUsageInputs(reader, clock.now(), workflow);
  reader.finish(report);
  const [from, to] = [inputs.start, inputs.end].map((time) => code(new Date(time).toISOString()));
  const range = phrase`${from} to ${to}`;
  report.info(text`Usage from ${range}, by ${code(inputs.groupBy)}.`);
  const { usage, json } = await report.withActivity(phrase`still reading the usage report`, () =>
    readReport(inputs, context),
  );
  const totals = sumUsage(usage, inputs.groupBy);
  reportTotals(totals, range, inputs, context);
  await writeFiles(json, inputs, context);
  return requireBudget(totals, inputs);
}

function reportTotals(
  totals: UsageTotals,
  range: Phrase,
  { groupBy, workspaceIds, maxTraces }: UsageInputs,
  { report }: Context,
): void {
  const { traces, buckets, stride, dimensions } = totals;
  const facts = factTable([
    ["Range", report.render.cell(range)],
    ["Traces", formatCount(traces)],
    ["Budget (`max_traces`)", maxTraces === undefined ? undefined : formatCount(maxTraces)],
  ]);
  report.set({ summarySections: [facts, totalsTable(totals, groupBy, report.render), usageChart(totals)] });
  report.setOutputs({
    total_traces: String(traces),
    buckets: String(buckets.size),
    stride_days: String(stride.days),
    stride_hours: String(stride.hours),
  });
  report.info(text`${traceCount(traces)} in time buckets of ${code(formatStride(stride))}.`);
  const missing = workspaceIds.filter((id) => !dimensions.some((total) => equalsIgnoringCase(total.id, id)));
  if (groupBy === "workspace" && missing.length > 0) {
    report.notice(
      text`No usage is reported for ${listFirst(missing.map((id) => code(id)))}: nothing was used in this range, or the key has no read access.`,
    );
  }
}

async function writeFiles(json: Uint8Array, inputs: UsageInputs, context: Context): Promise<void> {
  const { report } = context;
  const { jsonFile, csvFile } = inputs;
  const reportWritten = (name: "json_file" | "csv_file", path: string) => {
    report.setOutputs({ [name]: report.render.redactIdentifier(path) });
    report.info(text`Wrote ${inputName(name)} to ${code(path)}.`);
  };
  if (jsonFile !== undefined) {
    await writeWhenComplete("json_file", jsonFile, (file) => file.writeFile(json));
    reportWritten("json_file", jsonFile);
  }
  if (csvFile !== undefined) {
    await report.withActivity(phrase`still receiving the CSV export`, () =>
      exportCsv(inputs, csvFile, context),
    );
    reportWritten("csv_file", csvFile);
  }
}

function traceCount(traces: number): Phrase {
  return traces === 1 ? phrase`1 trace` : phrase`${count(traces)} traces`;
}

function requireBudget({ traces }: UsageTotals, { maxTraces }: UsageInputs): SuccessEnding {
  if (maxTraces === undefined || traces <= maxTraces) {
    return {
      outcome: "done",
      headline: traceCount(traces),
      message: text`The usage report is complete.`,
    };
  }
  throw new Failure(
    text`The total of ${traceCount(traces)} exceeds ${inputName("max_traces")} (${count(maxTraces)}).`,
    { hint: text`See in the report what uses the most, or raise ${inputName("max_traces")}.` },
  );
}
