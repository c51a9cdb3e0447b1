/**
 * `npm run bench [-- --quick] [-- --write]`: measures what users pay for, as ratios against something in the same run.
 * `--quick` leaves out the two usage measurements, which take minutes; `--write` puts the tables into
 * docs/benchmarks.md. Ends with 1 where a goal is missed.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/support/run.ts";
import { comparePolicies, missedGoals, pollingTable } from "./polling/report.ts";
import { downloadTable, memoryTable, startUpTable } from "./start-up.ts";

const runsPerDuration = 5000;

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});

const figures = comparePolicies(runsPerDuration);
const sections: [string, () => string | Promise<string>][] = [
  [
    "machine",
    () =>
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  ],
  ["polling", () => pollingTable(figures)],
  ["start-up", startUpTable],
  ["memory", memoryTable],
  ["download", downloadTable],
];
if (!options.quick) {
  sections.push(["usage-emulator", () => programOutput("bench/usage-emulator.ts")]);
  sections.push(["usage-action", () => programOutput("bench/usage-action.ts")]);
}

for (const [name, measure] of sections) {
  console.log(`\n## ${name}\n`);
  const text = await measure();
  console.log(text);
  if (options.write) writeSection(name, text);
}
const missed = missedGoals(figures);
for (const goal of missed) console.error(`goal missed: ${goal}`);
process.exitCode = missed.length === 0 ? 0 : 1;

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
