// Workspaces of small repositories, and what a deploy of them has to say and to send.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type Inputs, type ScenarioRun, startScenario } from "../../support/scenario.ts";
import { gitIn, type Tree, writeTree } from "../../support/source-tree.ts";
import { deployedFiles, type Workspace } from "./support.ts";

/** A text that a message holds, or several of which it holds one. */
type Named = string | readonly string[];

/** A repository, the inputs of its deploy, and what is expected. */
export interface UploadCase {
  /** What is committed, but for what its ignore files name. */
  readonly files: Tree;
  /** What earlier steps wrote. */
  readonly untracked?: Tree;
  /** Committed although an ignore file names it. */
  readonly forced?: Tree;
  /** The submodules by their folders; undefined for one that is not checked out. */
  readonly submodules?: Readonly<Record<string, Tree | undefined>>;
  /** Whether the files are a checkout. */
  readonly git?: false;
  /** The folder that they are checked out into, in place of the workspace. */
  readonly checkoutPath?: string;
  readonly inputs?: Inputs;
  /** What the errors name; nothing is sent. Without errors, the run deploys. */
  readonly errors?: readonly Named[];
  /** What the warnings name. Without warnings, there is neither a warning nor a notice. */
  readonly warnings?: readonly Named[];
  /** How many errors or warnings there are. */
  readonly count?: number;
  /** The inputs that the error says to set. With them, the run would deploy. */
  readonly suggests?: Inputs;
  readonly place?: { readonly file: string; readonly startLine?: number };
  /** What nothing names. */
  readonly neverNamed?: readonly string[];
  /** Files that are in the archive, and files that are not. */
  readonly in?: readonly string[];
  readonly out?: readonly string[];
  /** All files that are in the archive. */
  readonly only?: readonly string[];
  /** Lines of the log about what is left out. */
  readonly leftOut?: readonly string[];
}

/** A test for each of these repositories. One that expects nothing has to deploy without a word. */
export function eachUpload(
  workspace: Workspace,
  title: string,
  cases: Readonly<Record<string, UploadCase>>,
): void {
  test.each(Object.entries(cases))(title, async (_what, given) => {
    expect.hasAssertions();
    await expectUpload(workspace, given);
  });
}

/** Deploys a repository in a workspace, and compares what comes of it. */
export async function expectUpload({ path, env }: Workspace, given: UploadCase): Promise<void> {
  checkOut(join(path, given.checkoutPath ?? ""), given);
  const { deploy, emulator, stored } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  const deployWith = (inputs: Inputs) => deploy({ source_path: ".", ...given.inputs, ...inputs }, env);

  const run = await deployWith({});

  for (const name of given.neverNamed ?? []) expect(run.log + run.summary).not.toContain(name);
  if (given.errors === undefined) {
    expectDeployed(run, given);
    expectFiles((await deployedFiles(emulator, stored()))[0] ?? [], given);
  } else {
    expectRefused(run, given, given.errors);
  }
  if (given.suggests !== undefined) {
    const followed = await deployWith({ ...given.suggests, dry_run: "true" });
    expect(followed.outputs.outcome).toBe("planned");
  }
}

function expectRefused(
  run: ScenarioRun,
  { count, place, suggests = {} }: UploadCase,
  errors: readonly Named[],
) {
  expect(run.requests).toEqual([]);
  expectNamed(run.errors, errors, count);
  if (place !== undefined) expect(run.annotations[0]).toMatchObject(place);
  const settings = [...run.errors.join("\n").matchAll(/(\w+): (\S+?)[.,]?(?=\s|$)/g)];
  const suggested = settings.map(([, name, value]) => [name, value]);
  expect(suggested).toEqual(expect.arrayContaining(Object.entries(suggests)));
}

function expectDeployed(run: ScenarioRun, { warnings, count, leftOut = [] }: UploadCase): void {
  expect(run.outputs.outcome).toBe("deployed");
  expectNamed(run.warnings, warnings ?? [], warnings === undefined ? 0 : count);
  expect(run.notices).toEqual([]);
  expect(run.infos).toEqual(expect.arrayContaining([...leftOut]));
}

function expectFiles(files: readonly string[], { in: wanted = [], out = [], only }: UploadCase): void {
  expect(files).toEqual(expect.arrayContaining([...wanted]));
  expect(files.filter((name) => out.includes(name))).toEqual([]);
  if (only !== undefined) expect(files).toEqual(only);
}

function expectNamed(messages: readonly string[], names: readonly Named[], count = messages.length): void {
  const all = messages.join("\n");
  for (const name of names) {
    const isNamed = [name].flat().some((one) => all.includes(one));
    expect({ all, name, isNamed }).toEqual({ all, name, isNamed: true });
  }
  expect(messages).toHaveLength(count);
}

function checkOut(folder: string, { files, untracked = {}, forced = {}, submodules = {}, git }: UploadCase) {
  writeTree(folder, { ...files, ...forced });
  if (git !== false) {
    for (const [name, tree] of Object.entries(submodules)) {
      writeTree(join(folder, name), tree ?? { "a.py": "" });
      commit(join(folder, name), []);
    }
    commit(folder, Object.keys(forced));
    for (const [name, tree] of Object.entries(submodules)) {
      if (tree !== undefined) continue;
      rmSync(join(folder, name), { recursive: true });
      mkdirSync(join(folder, name));
    }
  }
  writeTree(folder, untracked);
}

function commit(folder: string, forced: readonly string[]): void {
  gitIn(folder, "init", "--quiet");
  gitIn(folder, "add", ".");
  if (forced.length > 0) gitIn(folder, "add", "--force", ...forced);
  gitIn(folder, "commit", "--quiet", "--message", "one");
}

/** Files below a folder. */
export function below(folder: string, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).map(([path, entry]) => [`${folder}/${path}`, entry]));
}

type Settings = Readonly<Record<string, unknown>>;

/** A configuration file, with a line for each value. */
function configOf(settings: Settings): Tree {
  return { "langgraph.json": JSON.stringify(settings, null, 2) };
}

/** A package of Python. */
export const pyproject: Tree = { "pyproject.toml": '[project]\nname = "desk"\nversion = "0.1.0"\n' };

/** The plainest agent in Python, with other settings in its configuration file. Undefined takes a setting out. */
export function python(settings: Settings = {}): Tree {
  const plain = {
    python_version: "3.12",
    dependencies: ["."],
    graphs: { reception: "./desk/flow.py:graph" },
  };
  return { ...configOf({ ...plain, ...settings }), "desk/flow.py": "graph = None\n", ...pyproject };
}

/** The plainest agent in TypeScript, with other settings and dependencies. */
export function typescript(settings: Settings = {}, dependencies: Settings = {}): Tree {
  const plain = { node_version: "22", graphs: { reception: "./src/flow.ts:graph" } };
  return {
    ...configOf({ ...plain, ...settings }),
    "src/flow.ts": "export const graph = undefined;\n",
    "package.json": JSON.stringify({ name: "desk", type: "module", dependencies }),
  };
}
