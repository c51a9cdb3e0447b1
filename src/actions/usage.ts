import type { Take } from "../http/exchange.ts";
import { InputReader } from "../inputs/reader.ts";
import { type FileInput, readUsageInputs, type UsageInputs } from "../inputs/usage.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { writeWhole } from "../report/usage-file.ts";
import { spellRange, spellStride, type UsageFacts, usageSummaryReporter } from "../report/usage-summary.ts";
import { spellCount, totalsLines } from "../report/usage-totals.ts";
import { spellBytes } from "../text/bytes.ts";
import { UsageApi } from "../usage-api/client.ts";
import { rangeNotice, workspacesNotice } from "../usage-api/notices.ts";
import type { UsageTotals } from "../usage-api/totals.ts";

/** What the parts of a run work with. */
interface UsageRun {
  readonly inputs: UsageInputs;
  readonly facts: UsageFacts;
  readonly api: UsageApi;
  readonly progress: Progress;
  readonly ports: Ports;
}

/** The usage action: a report as summary and files, and a budget alarm (contract, 7). */
export async function usage(progress: Progress, ports: Ports): Promise<Ending> {
  const facts: UsageFacts = { inputs: undefined, totals: undefined, notices: [], files: [] };
  progress.tell(logReporter(ports), usageSummaryReporter(facts, ports));
  progress.lastAct = () => Promise.resolve(spellLeft(facts));
  const reader = new InputReader(ports.env);
  const { env, clock, disk } = ports;
  const workspace = env.GITHUB_WORKSPACE || disk.workingFolder();
  const inputs = readUsageInputs(reader, { now: clock.now(), workspace, disk });
  reader.finish(ports.log);
  facts.inputs = inputs;
  const run = { inputs, facts, api: new UsageApi(inputs.api, ports), progress, ports };
  announce(run);
  const totals = await report(run);
  if (inputs.csvFile !== undefined) await exportCsv(inputs.csvFile, run);
  return endingOf(totals, inputs);
}

/** What a cancelled run leaves behind. */
function spellLeft({ inputs, files }: UsageFacts): string {
  const asked = [inputs?.jsonFile, inputs?.csvFile].flatMap((file) => file?.input ?? []);
  const written = new Set(files.map(({ input }) => input));
  const each = asked.map((input) => `${input} was ${written.has(input) ? "" : "not "}written.`);
  return [...each, "A report changes nothing on the platform."].join(" ");
}

function announce(run: UsageRun): void {
  const { query } = run.inputs;
  const what = query.workspaceIds.length === 1 ? "1 workspace" : `${query.workspaceIds.length} workspaces`;
  run.ports.log.info(`Usage of ${what} from ${spellRange(query)}, by ${query.groupBy}.`);
  notice(rangeNotice(query), run);
}

function notice(text: string | undefined, { facts, ports }: UsageRun): void {
  if (text === undefined) return;
  facts.notices.push(text);
  ports.log.notice(text);
}

/** Reads the report, writes `json_file`, and tells the totals. */
async function report(run: UsageRun): Promise<UsageTotals> {
  const { inputs, facts, api, progress, ports } = run;
  const saving = new Saving("the usage report", inputs.jsonFile, progress);
  const totals = await api.report(inputs.query, (send) => saving.keep(send));
  facts.totals = totals;
  tellTotals(totals, ports);
  notice(workspacesNotice(inputs.query, totals), run);
  if (inputs.jsonFile !== undefined) tellFile(inputs.jsonFile, saving.bytes, run);
  return totals;
}

function tellTotals(totals: UsageTotals, { files, log }: Ports): void {
  files.setOutput("total_traces", String(totals.traces));
  files.setOutput("buckets", String(totals.buckets.length));
  files.setOutput("stride_days", String(totals.stride.days));
  files.setOutput("stride_hours", String(totals.stride.hours));
  log.info(`${spellCount(totals.traces)} traces; a time bucket is ${spellStride(totals.stride)} long.`);
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
    this.#progress.note({ stage: `${spellBytes(bytes)} of ${this.#what} so far` });
  }
}

function tellFile({ input, path }: FileInput, bytes: number, { facts, ports }: UsageRun): void {
  facts.files.push({ input, bytes });
  ports.files.setOutput(input, path);
  ports.log.info(`Wrote ${input}: ${spellBytes(bytes)} to ${path}.`);
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
