/**
 * `npm run bench [-- --quick] [-- --write]`: measures what users pay for, as ratios of something measured in the same run.
 * `--quick` leaves out usage reports and uploads, which take minutes. `--write` puts the tables into docs/benchmarks.md.
 * Ends with 1 if a goal is missed.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/support/run.ts";
import { comparePolicies, missedGoals, pollingTable } from "./polling/report.ts";
import { measureRunner } from "./runner.ts";
import { type Measurement, measureDownload, measureMemory, measureStartUp } from "./start-up.ts";

const runsPerDuration = 5000;

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});

const sections: [string, () => Measurement | string | Promise<Measurement | string>][] = [
  ["machine", describeMachine],
  ["polling", measurePolling],
  ["start-up", measureStartUp],
  ["memory", measureMemory],
  ["download", measureDownload],
  ["runner", measureRunner],
];
if (!options.quick) {
  sections.push(["usage-emulator", () => programOutput("bench/usage-emulator.ts")]);
  sections.push(["upload", () => programOutput("bench/upload.ts")]);
  sections.push(["usage-action", () => programOutput("bench/usage-action.ts")]);
}

const missed: string[] = [];
for (const [name, measure] of sections) {
  console.log(`\n## ${name}\n`);
  const measured = await measure();
  const text = typeof measured === "string" ? measured : measured.text;
  console.log(text);
  if (options.write) writeSection(name, text);
  if (typeof measured !== "string") missed.push(...measured.missedGoals);
}
for (const goal of missed) console.error(`Goal missed: ${goal}`);
process.exitCode = missed.length === 0 ? 0 : 1;

function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${memory} GiB`;
}

function measurePolling(): Measurement {
  const figures = comparePolicies(runsPerDuration);
  return { text: pollingTable(figures), missedGoals: missedGoals(figures) };
}

function programOutput(path: string): string {
  const output = execFileSync(process.execPath, [path], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return `\`\`\`text\n${output.trimEnd()}\n\`\`\``;
}

/** Puts a text between its markers in docs/benchmarks.md. */
function writeSection(name: string, text: string): void {
  const path = join(root, "docs", "benchmarks.md");
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const page = readFileSync(path, "utf8");
  const [start, end] = [page.indexOf(open), page.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`docs/benchmarks.md has no markers for ${name}`);
  writeFileSync(path, `${page.slice(0, start + open.length)}\n${text}\n${page.slice(end)}`);
}
