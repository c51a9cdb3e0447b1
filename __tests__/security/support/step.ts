import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, jest } from "@jest/globals";
import { runnerFiles } from "../../../src/report/runner/command-files.ts";
import { runnerLog } from "../../../src/report/runner/step-log.ts";
import { type ActionName, run } from "../../../src/run.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { type FileCommands, parseFileCommands } from "../../support/runner/file-commands.ts";
import type { StepLog } from "../../support/runner/step-log.ts";
import { readStepLog } from "../../support/runner/step-log-reader.ts";

export interface Step {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** The output as the runner reads it, with debug logging on. */
  readonly log: StepLog;
  readonly outputs: FileCommands;
  readonly state: FileCommands;
  readonly summary: string;
}

const files = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "security-"));
  for (const variable of files) process.env[variable] = join(folder, variable);
});

afterAll(() => {
  for (const variable of files) delete process.env[variable];
  rmSync(folder, { recursive: true });
});

/** Runs an action with the log and the files of a real run, so that a test reads what the runner would. Time is virtual. */
export async function runStep(action: ActionName, env: Readonly<Record<string, string>>): Promise<Step> {
  for (const variable of files) writeFileSync(join(folder, variable), "");
  let stdout = "";
  const write = jest.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  try {
    const log = runnerLog();
    const context = { ...recordingContext(env), log, files: runnerFiles(log) };
    const succeeded = await run(action, "main", context);
    const [output = "", state = "", summary = ""] = files.map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
    return {
      succeeded,
      stdout,
      log: readStepLog(stdout, { debug: true }),
      outputs: parseFileCommands(output),
      state: parseFileCommands(state),
      summary,
    };
  } finally {
    write.mockRestore();
  }
}

/** A file for `GITHUB_EVENT_PATH`. */
export function eventFile(payload: unknown): string {
  const path = join(folder, "event.json");
  writeFileSync(path, JSON.stringify(payload));
  return path;
}
