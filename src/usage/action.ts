import type { Context } from "../context.ts";
import type { Take } from "../http/exchange.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { formatBytes } from "../text/bytes.ts";
import { UsageApi } from "./client.ts";
import { writeWhole } from "./file.ts";
import { type FileInput, readUsageInputs, type UsageInputs } from "./inputs.ts";
import { rangeNotice, workspacesNotice } from "./notices.ts";
import { formatRange, formatStride, type UsageFacts, usageSummaryReporter } from "./summary.ts";
import type { UsageTotals } from "./totals.ts";
import { spellCount, totalsLines } from "./totals-table.ts";

/** What the parts of a run work with. */
interface UsageRun {
  readonly inputs: UsageInputs;
  readonly facts: UsageFacts;
  readonly api: UsageApi;
  readonly progress: Progress;
  readonly context: Context;
}

/** The usage action: a report as summary and files, and a budget alarm (contract, 7). */
export async function usage(progress: Progress, context: Context): Promise<Ending> {
  const facts: UsageFacts = { inputs: undefined, totals: undefined, notices: [], files: [] };
  progress.tell(logReporter(context), usageSummaryReporter(facts, context));
  progress.lastAct = () => Promise.resolve(describeLeftovers(facts));
  const reader = new InputReader(context.env);
  const { env, clock, disk } = context;
  const workspace = env.GITHUB_WORKSPACE || disk.workingFolder();
  const inputs = readUsageInputs(reader, { now: clock.now(), workspace, disk });
  reader.finish(context.log);
  facts.inputs = inputs;
  const run = { inputs, facts, api: new UsageApi(inputs.api, context), progress, context };
  announce(run);
  const totals = await report(run);
  if (inputs.csvFile !== undefined) await exportCsv(inputs.csvFile, run);
  return endingOf(totals, inputs);
}

/** What a cancelled run leaves behind. */
function describeLeftovers({ inputs, files }: UsageFacts): string {
  const asked = [inputs?.jsonFile, inputs?.csvFile].flatMap((file) => file?.input ?? []);
  const written = new Set(files.map(({ input }) => input));
  const each = asked.map((input) => `${input} was ${written.has(input) ? "" : "not "}written.`);
  return [...each, "A report changes nothing on the platform."].join(" ");
}

function announce(run: UsageRun): void {
  const { query } = run.inputs;
  const what = query.workspaceIds.length === 1 ? "1 workspace" : `${query.workspaceIds.length} workspaces`;
  run.context.log.info(`Usage of ${what} from ${formatRange(query)}, by ${query.groupBy}.`);
  notice(rangeNotice(query), run);
}

function notice(text: string | undefined, { facts, context }: UsageRun): void {
  if (text === undefined) return;
  facts.notices.push(text);
  context.log.notice(text);
}

/** Reads the report, writes `json_file`, and tells the totals. */
async function report(run: UsageRun): Promise<UsageTotals> {
  const { inputs, facts, api, progress, context } = run;
  const saving = new Saving("the usage report", inputs.jsonFile, progress);
  const totals = await api.report(inputs.query, (send) => saving.keep(send));
  facts.totals = totals;
  tellTotals(totals, context);
  notice(workspacesNotice(inputs.query, totals), run);
  if (inputs.jsonFile !== undefined) tellFile(inputs.jsonFile, saving.bytes, run);
  return totals;
}

function tellTotals(totals: UsageTotals, { files, log }: Context): void {
  files.setOutput("total_traces", String(totals.traces));
  files.setOutput("buckets", String(totals.buckets.length));
  files.setOutput("stride_days", String(totals.stride.days));
  files.setOutput("stride_hours", String(totals.stride.hours));
  log.info(`${spellCount(totals.traces)} traces; a time bucket is ${formatStride(totals.stride)} long.`);
  log.group("Totals, the largest first");
  for (const line of totalsLines(totals)) log.info(line);
  log.endGroup();
}

async function exportCsv(file: FileInput, run: UsageRun): Promise<void> {
  const { inputs, api, progress } = run;
  const saving = new Saving("the CSV export", file, progress);
  await saving.keep((take) => api.export(inputs.query, take));
  tellFile(file, saving.bytes, run);
}

/** Writes what is sent to a file, if there is one to write, as it arrives; and counts it, for the signs of life, too. */
class Saving {
  readonly #what: string;
  readonly #file: FileInput | undefined;
  readonly #progress: Progress;
  #bytes = 0;

  constructor(what: string, file: FileInput | undefined, progress: Progress) {
    this.#what = what;
    this.#file = file;
    this.#progress = progress;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async keep<T>(send: (take: Take) => Promise<T>): Promise<T> {
    this.#count(0);
    const counting = (take: Take) =>
      send(async (chunk) => {
        this.#count(this.#bytes + chunk.length);
        await take(chunk);
      });
    return this.#file === undefined ? await counting(async () => {}) : await writeWhole(this.#file, counting);
  }

  #count(bytes: number): void {
    this.#bytes = bytes;
    this.#progress.note({ stage: `${formatBytes(bytes)} of ${this.#what} so far` });
  }
}

function tellFile({ input, path }: FileInput, bytes: number, { facts, context }: UsageRun): void {
  facts.files.push({ input, bytes });
  context.files.setOutput(input, path);
  context.log.info(`Wrote ${input}: ${formatBytes(bytes)} to ${path}.`);
}

function endingOf(totals: UsageTotals, { maxTraces }: UsageInputs): Ending {
  if (maxTraces !== undefined && totals.traces > maxTraces) {
    return {
      outcome: "failed",
      message: `The total of ${spellCount(totals.traces)} traces exceeds max_traces, which is ${spellCount(maxTraces)}.`,
      hint: "The report was written all the same: look there at what uses the most, or raise max_traces.",
    };
  }
  return { outcome: "done", message: "The usage report is complete." };
}
