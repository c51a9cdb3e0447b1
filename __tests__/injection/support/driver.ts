/**
 * Runs actions one after the other with the log and the files of a real run, so that a test sees what the runner would:
 * the output of a process. Time is virtual.
 */
import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import type { ProcessContext } from "../../../src/context.ts";
import { run } from "../../../src/run.ts";
import { runnerFiles } from "../../../src/runner/command-files.ts";
import { runnerDisk } from "../../../src/runner/disk.ts";
import { runnerLog } from "../../../src/runner/log.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const OrderSchema = v.object({
  action: v.picklist(["deploy", "preview", "sweep", "delete", "usage", "oauth-provider"]),
  phase: v.picklist(["main", "post"]),
  env: v.record(v.string(), v.string()),
  /** Printed on both streams when the run is over. */
  mark: v.string(),
});

const fileVariables = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"] as const;

process.on("message", async (message) => {
  const { action, phase, env, mark } = v.parse(OrderSchema, message);
  const log = runnerLog();
  const context: ProcessContext = {
    env,
    clock: new VirtualClock(),
    log,
    files: runnerFiles(log),
    disk: runnerDisk,
    random: () => 0.5,
    cancelled: new AbortController().signal,
  };
  const succeeded = await run(action, phase, context);
  const [output, state, summary] = fileVariables.map(takeFile);
  for (const stream of [process.stdout, process.stderr]) stream.write(`\n${mark}\n`);
  process.send?.({ succeeded, output, state, summary });
});

/** What was written into a file since the last run. */
function takeFile(variable: string): string {
  const path = process.env[variable] ?? "";
  const text = readFileSync(path, "utf8");
  writeFileSync(path, "");
  return text;
}
