import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Phase, readActionDefinition } from "./action-definition.ts";
import { lastOfEach, parseFileCommands } from "./file-commands.ts";
import {
  inputVariables,
  pushEvent,
  type StepFiles,
  stepEnvironment,
  stepFiles,
  type WorkflowEvent,
} from "./step-environment.ts";
import type { StepLog } from "./step-log.ts";
import { type ProcessEnd, type StepProcess, startProcess } from "./step-process.ts";

export type ActionName =
  | "deploy"
  | "preview"
  | "sweep"
  | "delete"
  | "rollback"
  | "check"
  | "usage"
  | "oauth-provider";

export interface RunOptions {
  readonly action: ActionName;
  /** `main` by default. */
  readonly phase?: Phase;
  /** As under `with:`. An input that `action.yml` does not have throws. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Variables besides those of the runner, or instead of them. */
  readonly env?: Readonly<Record<string, string>>;
  /** A push to `main` by default. */
  readonly event?: WorkflowEvent;
  /** For the post phase: the `state` of the main phase. */
  readonly state?: Readonly<Record<string, string>>;
  /** The value of `${{ github.token }}`. */
  readonly token?: string;
  /** Secrets of the job besides the token, which the runner masks. None by default. */
  readonly secrets?: readonly string[];
  /** `GITHUB_WORKSPACE`; a new, empty folder by default. */
  readonly workspace?: string;
  /** The folder with `action.yml` and `dist/`; this repository by default. */
  readonly root?: string;
  /** Milliseconds after which the process is killed and the run throws; a minute by default. */
  readonly limit?: number;
}

export interface ActionRun extends ProcessEnd {
  /** The conclusion of the runner: a refused command or an unreadable file command fails the step too. */
  readonly conclusion: "success" | "failure";
  /** The last value of each output. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The outputs that a job can pass on: those that contain something masked are dropped. */
  readonly jobOutputs: Readonly<Record<string, string>>;
  /** The `STATE_<name>` variables of the post phase. */
  readonly state: Readonly<Record<string, string>>;
  /** The content of `GITHUB_ENV`, the last value of each name. */
  readonly exportedEnvironment: Readonly<Record<string, string>>;
  /** As written; GitHub shows `log.masked(summary)`. */
  readonly summary: string;
}

export interface StartedAction extends Pick<StepProcess, "sendSignal" | "cancel"> {
  readonly result: Promise<ActionRun>;
}

export const defaultToken = "ghs_standInToken0000000000000000000000";

const repository = join(import.meta.dirname, "../../..");

async function prepare(files: StepFiles, event: WorkflowEvent): Promise<void> {
  const folders = [files.workspace, files.temporary, files.home, dirname(files.commands.output)];
  await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([
    writeFile(files.event, JSON.stringify(event.payload)),
    ...Object.values(files.commands).map((path) => writeFile(path, "")),
  ]);
}

function withDefaults(
  defaults: ReadonlyMap<string, string>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const unexpected = Object.keys(given).filter((name) => !defaults.has(name));
  if (unexpected.length > 0) throw new Error(`action.yml has no input named ${unexpected.join(", ")}`);
  return { ...Object.fromEntries(defaults), ...given };
}

async function readResult(files: StepFiles, end: ProcessEnd): Promise<ActionRun> {
  const read = async (path: string) => await readFile(path, "utf8");
  const output = parseFileCommands(await read(files.commands.output));
  const state = parseFileCommands(await read(files.commands.state));
  const environment = parseFileCommands(await read(files.commands.env));
  const readable = [output, state, environment].every((file) => file.error === undefined);
  const outputs = { ...end.log.outputs, ...lastOfEach(output.entries) };
  return {
    ...end,
    conclusion: end.exitCode === 0 && end.log.refused.length === 0 && readable ? "success" : "failure",
    outputs,
    jobOutputs: withoutMasked(outputs, end.log),
    state: { ...end.log.state, ...lastOfEach(state.entries) },
    exportedEnvironment: lastOfEach(environment.entries),
    summary: await read(files.commands.step_summary),
  };
}

function withoutMasked(outputs: Readonly<Record<string, string>>, log: StepLog): Record<string, string> {
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => !log.hides(value)));
}

/** Starts one phase of an action like the runner. @throws if `action.yml` has no such phase. */
export async function startAction(options: RunOptions): Promise<StartedAction> {
  const root = options.root ?? repository;
  const phase = options.phase ?? "main";
  const token = options.token ?? defaultToken;
  const event = options.event ?? pushEvent;
  const definition = await readActionDefinition(
    options.action === "deploy" ? root : join(root, options.action),
    token,
  );
  const inputs = withDefaults(definition.defaults, options.inputs ?? {});
  const script = definition.scripts[phase];
  if (script === undefined) throw new Error(`The action ${options.action} has no ${phase} phase`);
  const folder = await mkdtemp(join(tmpdir(), "action-run-"));
  const own = stepFiles(folder);
  const files = { ...own, workspace: options.workspace ?? own.workspace };
  await prepare(files, event);
  const state = Object.entries(options.state ?? {}).map(([name, value]) => [`STATE_${name}`, value]);
  const { ended, sendSignal, cancel } = startProcess(script, {
    cwd: files.workspace,
    environment: {
      ...stepEnvironment(files, event, options.env ?? {}),
      ...Object.fromEntries(state),
      ...inputVariables(inputs),
    },
    limit: options.limit ?? 60_000,
    log: { secrets: [token, ...(options.secrets ?? [])], debug: options.env?.RUNNER_DEBUG === "1" },
  });
  const result = ended
    .then((end) => readResult(files, end))
    .finally(() => rm(folder, { recursive: true, force: true }));
  result.catch(() => undefined);
  return { sendSignal, cancel, result };
}

/** Runs one phase of an action to its end. */
export async function runAction(options: RunOptions): Promise<ActionRun> {
  return await (await startAction(options)).result;
}
