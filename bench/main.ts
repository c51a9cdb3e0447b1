/**
 * `npm run bench [-- NAME …]`: measures what the actions cost a job, as a table. Ends with 1 if a goal is missed.
 * NAMEs: start-up, memory, download, poll-lag, upload, export, install, tests; without any, all of them.
 */
import { cpus, loadavg } from "node:os";
import { messageOf } from "../scripts/support/run.ts";
import { measureDownload } from "./download.ts";
import { measureExport } from "./export.ts";
import { measurePollLag } from "./poll-lag.ts";
import { measureInstall, measureTests } from "./project.ts";
import { measureMemory, measureStartUp } from "./start-up.ts";
import { type Figure, figuresTable, type Measurement } from "./support/measurement.ts";
import { measureUpload } from "./upload.ts";

const benchmarks: Readonly<Record<string, () => Measurement | Promise<Measurement>>> = {
  "start-up": measureStartUp,
  memory: measureMemory,
  download: measureDownload,
  "poll-lag": measurePollLag,
  upload: measureUpload,
  export: measureExport,
  install: measureInstall,
  tests: measureTests,
};

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(benchmarks);
const load = loadavg()[0]?.toFixed(1);
const figures: Figure[] = [];
for (const name of names) {
  try {
    const measure = benchmarks[name];
    if (measure === undefined) throw new Error("there is no such benchmark");
    figures.push(...(await measure()));
  } catch (error) {
    figures.push({ what: name, figure: "", goal: messageOf(error), isMissed: true });
  }
}
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${load} before\n`);
console.log(figuresTable(figures));
process.exitCode = figures.some(({ isMissed }) => isMissed) ? 1 : 0;
