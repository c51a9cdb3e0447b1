/** Runs a workflow with act (https://github.com/nektos/act), on this machine without containers. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as v from "valibot";

/** A line of `act --json`. act masks secrets in `msg` only, so only `msg` is what a person would see. */
const LineSchema = v.looseObject({
  msg: v.optional(v.string(), ""),
  job: v.optional(v.string()),
  jobID: v.optional(v.string(), ""),
  step: v.optional(v.string(), ""),
  stepID: v.optional(v.array(v.string()), []),
  stage: v.optional(v.string(), ""),
  stepResult: v.optional(v.string()),
  jobResult: v.optional(v.string()),
  command: v.optional(v.string()),
  name: v.optional(v.string(), ""),
  arg: v.optional(v.string(), ""),
  content: v.optional(v.string(), ""),
});
type Line = v.InferOutput<typeof LineSchema>;

export interface ActOptions {
  /** Where act runs: a checkout of the repository whose workflow it is. */
  readonly folder: string;
  /** After `act`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A run that has ended. Jobs and steps that were skipped are not in it. */
export interface ActRun {
  readonly succeeded: boolean;
  /** Job → `success` or `failure`. */
  readonly jobs: Readonly<Record<string, string>>;
  /** Each as `job: Main step, success`, in the order in which they ended. */
  readonly steps: readonly string[];
  /** What a person sees. */
  readonly log: string;
  /** The job summaries, joined. */
  readonly summary: string;
  /** What a step set. */
  outputs(job: string, step: string): Readonly<Record<string, string>>;
}

/** A run that has not ended. */
export interface StartedActRun {
  readonly ended: Promise<ActRun>;
  /** Resolves as soon as the log contains the text. @throws if the run ends without it */
  waitForLog(text: string): Promise<void>;
  /** Cancels the run, as Ctrl+C does. */
  cancel(): void;
}

/** Starts act. @throws if `npm run test:workflows` did not start this process */
export function startAct({ folder, args, env }: ActOptions): StartedActRun {
  const { ACT } = process.env;
  if (ACT === undefined) throw new Error("These tests need `npm run test:workflows`.");
  const child = spawn(ACT, [...args, "--json"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface(child.stdout);
  reader.on("line", (text) => {
    lines.push(readLine(text));
    for (const check of waiting) check();
  });
  // act prints its own errors there. Those of steps are on standard output.
  const errors: string[] = [];
  child.stderr.on("data", (data: Buffer) => errors.push(data.toString()));
  const ended = endOf(child, reader).then((code) => describe(lines, errors.join(""), code));
  return {
    ended,
    waitForLog: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (lines.some(({ msg }) => msg.includes(text))) resolve();
        };
        waiting.add(check);
        check();
        ended.then(({ log }) => reject(new Error(`The run ended without ${text}:\n${log}`)), reject);
      }),
    cancel: () => child.kill("SIGINT"),
  };
}

async function endOf(child: ChildProcess, reader: NodeJS.EventEmitter): Promise<number> {
  const [[code, signal]] = await Promise.all([once(child, "exit"), once(reader, "close")]);
  if (typeof code !== "number") throw new Error(`act was ended by ${signal}`);
  return code;
}

function readLine(text: string): Line {
  return v.parse(LineSchema, text.startsWith("{") ? JSON.parse(text) : { msg: text });
}

function describe(lines: readonly Line[], errors: string, code: number): ActRun {
  const results = lines.flatMap(({ jobID, jobResult }) => (jobResult ? [[jobID, jobResult]] : []));
  const steps = lines.flatMap(({ jobID, stage, step, stepResult }) =>
    stage === "" || stepResult === undefined ? [] : [`${jobID}: ${stage} ${step}, ${stepResult}`],
  );
  const summaries = lines.filter(({ command }) => command === "summary").map(({ content }) => content);
  return {
    succeeded: code === 0,
    jobs: Object.fromEntries(results),
    steps,
    log: `${lines.map(({ msg }) => msg.trimEnd()).join("\n")}\n${errors}`,
    summary: summaries.join("\n"),
    outputs(job, step) {
      const set = lines.filter(({ command, jobID, stepID }) => {
        return command === "set-output" && jobID === job && stepID[0] === step;
      });
      return Object.fromEntries(set.map(({ name, arg }) => [name, arg]));
    },
  };
}
