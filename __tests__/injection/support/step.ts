import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import * as v from "valibot";
import type { ActionName, Phase } from "../../../src/run.ts";
import { type FileCommands, parseFileCommands } from "../../support/runner/file-commands.ts";
import type { StepLog } from "../../support/runner/step-log.ts";
import { readStepLog } from "../../support/runner/step-log-reader.ts";

export interface Step {
  readonly succeeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams as the runner reads them, with debug logging on. */
  readonly log: StepLog;
  readonly outputs: FileCommands;
  readonly state: FileCommands;
  readonly summary: string;
}

const ReplySchema = v.object({
  succeeded: v.boolean(),
  output: v.string(),
  state: v.string(),
  summary: v.string(),
});

/** A process that runs one step after the other; many properties need many runs. */
export class StepRunner {
  readonly #folder = mkdtempSync(join(tmpdir(), "injection-"));
  readonly #child: ChildProcess;

  constructor() {
    const files = ["output", "state", "summary"].map((name) => join(this.#folder, name));
    for (const path of files) writeFileSync(path, "");
    const [GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY] = files;
    this.#child = fork(join(import.meta.dirname, "driver.ts"), {
      env: { PATH: process.env.PATH, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY, RUNNER_DEBUG: "1" },
      execArgv: [],
      silent: true,
    });
  }

  /** Runs one phase of an action with this environment. Steps must not overlap. */
  async run(action: ActionName, env: Readonly<Record<string, string>>, phase: Phase = "main"): Promise<Step> {
    const mark = randomUUID();
    const streams = [this.#child.stdout, this.#child.stderr].map((stream) => upTo(mark, stream));
    const replied = once(this.#child, "message");
    this.#child.send({ action, phase, env, mark });
    const [[message], stdout = "", stderr = ""] = await Promise.all([replied, ...streams]);
    const { succeeded, output, state, summary } = v.parse(ReplySchema, message);
    return {
      succeeded,
      stdout,
      stderr,
      log: readStepLog(`${stdout}\n${stderr}`, { debug: true }),
      outputs: parseFileCommands(output),
      state: parseFileCommands(state),
      summary,
    };
  }

  /** A file for `GITHUB_EVENT_PATH`. */
  eventFile(payload: unknown): string {
    const path = join(this.#folder, "event.json");
    writeFileSync(path, JSON.stringify(payload));
    return path;
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}

/** What a stream brings before the mark. */
function upTo(mark: string, stream: Readable | null): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  const take = (chunk: Buffer) => {
    text += chunk.toString("utf8");
    const end = text.indexOf(`\n${mark}\n`);
    if (end < 0) return;
    stream?.off("data", take);
    resolve(text.slice(0, end));
  };
  stream?.on("data", take);
  return promise;
}
