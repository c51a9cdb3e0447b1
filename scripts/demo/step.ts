import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { type ActionName, type ActionRun, startAction } from "../../__tests__/support/runner/run-action.ts";
import { visibleLog } from "./visible-log.ts";
import { maxColumns, wrap } from "./wrap.ts";

/** Longer than the action itself waits, in milliseconds. */
const limit = 40 * 60 * 1000;

/** What may be needed to reach a control plane. */
const networkVariables = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** One step of the workflow that the demo shows. */
export interface Step {
  /** Its job summary is named after it. */
  readonly title: string;
  readonly action: ActionName;
  readonly inputs: Readonly<Record<string, string>>;
  /** Values that GitHub would mask because they are secrets of the repository. */
  readonly secrets: readonly string[];
  /** Of the run, such as `GITHUB_SHA`. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface StepOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the job summary goes, in a file named after the title. */
  readonly folder: string;
  readonly print: (line: string) => void;
  /** Cancels the step, as a runner would. */
  readonly signal?: AbortSignal;
}

/** Runs a step like a runner, and prints what its log would show, in a frame. */
export async function playStep(step: Step, { env, folder, print, signal }: StepOptions): Promise<ActionRun> {
  const passed = networkVariables.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  signal?.throwIfAborted();
  const started = await startAction({
    ...step,
    env: { ...Object.fromEntries(passed), ...step.variables },
    limit,
  });
  const cancel = () => void started.cancel();
  signal?.addEventListener("abort", cancel);
  const run = await started.result.finally(() => signal?.removeEventListener("abort", cancel));
  const log = [...header(step, run), ...visibleLog(run.log.lines, columns), ...footer(run)];
  print("");
  for (const line of log) print(styleText("dim", "│ ") + line);
  mkdirSync(folder, { recursive: true });
  const file = `${step.title.toLowerCase().replaceAll(/\W+/g, "-")}.md`;
  writeFileSync(join(folder, file), run.log.masked(run.summary));
  return run;
}

/** Of a line of the log, within the frame. */
const columns = maxColumns - 2;

/** What the runner prints before the output of the action: the step's `with:`, secrets masked. */
function header({ action, inputs }: Step, { log }: ActionRun): string[] {
  const uses = action === "deploy" ? "OWNER/REPO@v1" : `OWNER/REPO/${action}@v1`;
  const given = Object.entries(inputs).flatMap(([name, value]) => {
    const lines = log.masked(value).split("\n");
    return lines.length === 1
      ? [`    ${name}: ${lines[0]}`]
      : [`    ${name}: |`, ...lines.map((line) => `      ${line}`)];
  });
  const lines = ["  with:", ...given].flatMap((line) => wrap(line, columns));
  return [styleText("bold", `▼ Run ${uses}`), ...lines];
}

/** What a workflow knows of the step when it has ended. */
function footer({ conclusion, exitCode, outputs, log }: ActionRun): string[] {
  const given = Object.entries(outputs).filter(([, value]) => value !== "");
  const shown = given.map(([name, value]) => `  ${name}: ${log.masked(value)}`);
  return ["", `Conclusion: ${conclusion}, exit code ${exitCode}. Outputs:`, ...shown]
    .flatMap((line) => wrap(line, columns))
    .map((line) => styleText("dim", line));
}
