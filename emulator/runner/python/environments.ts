/**
 * The environments of agents in Python, one for each set of dependencies. What a revision installs from its own checkout
 * stands beside them, so that a revision with other code can use an environment again.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, realpath } from "node:fs/promises";
import { basename, delimiter, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { RunFailure } from "../../errors.ts";
import type { CommandRunner } from "../command-runner.ts";
import type { OutputLog } from "../output-log.ts";
import { tryToRemove } from "../work-folder.ts";
import { dependencyDigest } from "./dependency-digest.ts";
import { findInterpreter, type Interpreter } from "./interpreter.ts";
import type { PythonApp } from "./python-app.ts";
import {
  createCommand,
  folderPackages,
  type Installer,
  installCommand,
  installProjectsCommand,
  pythonIn,
  uninstallCommand,
  uvVersion,
} from "./python-commands.ts";

/** A revision that is being built. */
export interface PythonBuild {
  readonly deploymentId: string;
  /** Unique among all revisions by its name. */
  readonly checkout: string;
  /** That of the configuration file. */
  readonly folder: string;
  readonly app: PythonApp;
  readonly commands: CommandRunner;
  readonly log: OutputLog;
}

interface Tools extends Interpreter {
  readonly installer: Installer;
  readonly variables: NodeJS.ProcessEnv;
}

const SCRIPT = fileURLToPath(new URL("./local_projects.py", import.meta.url));
/** Its presence says that everything is installed, its content which folders of the checkout are to be installed for each revision. */
const MARKER = "complete.json";
const VENV = "venv";
/** Below it, a folder with the name of the checkout for each revision. */
const REVISIONS = "revisions";

const LocalProjectsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ name: v.string(), folder: v.string() })),
);
const MarkerSchema = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

export class Environments {
  readonly #root: string;
  readonly #checkouts: () => Promise<readonly string[]>;
  /** What each deployment used last, by its id: kept although its revision failed, for the one that mends it. */
  readonly #claims = new Map<string, { environment: string; revision: string }>();

  /**
   * @param root an existing folder
   * @param checkouts the names of those that exist
   */
  constructor(root: string, checkouts: () => Promise<readonly string[]>) {
    this.#root = root;
    this.#checkouts = checkouts;
  }

  /**
   * Makes the environment of a revision, or finds it. One at a time.
   * @throws {RunFailure} if the Python is missing or a command fails
   */
  async prepare(build: PythonBuild): Promise<void> {
    const { app, checkout, folder, log, commands } = build;
    if (app.hasSource) {
      throw new RunFailure(
        "The configuration file has `source`, which this emulator doesn't follow. Name the packages in `dependencies`.",
      );
    }
    const tools = await findTools(build);
    log.add("INFO", `Using Python ${tools.version} and ${tools.installer}`);
    const { path, version, installer } = tools;
    const digest = await dependencyDigest(checkout, {
      app,
      path,
      version,
      installer,
      folder: relative(checkout, folder),
    });
    const environment = (await this.#find(digest, build)) ?? (await this.#create(digest, build, tools));
    const target = join(environment, REVISIONS, basename(checkout));
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const { dependencies } = app;
    for (const [name, path] of folderPackages({ dependencies, folder, checkout })) {
      symlinkSync(path, join(target, name));
    }
    const projects = v.parse(MarkerSchema, readFileSync(join(environment, MARKER), "utf8"));
    if (projects.length === 0) return;
    const folders = projects.map((project) => resolve(checkout, project));
    const options = { projects: folders, target };
    const command = installProjectsCommand(tools.installer, join(environment, VENV), options);
    await commands.run(command, tools.variables);
  }

  async #find(digest: string, build: PythonBuild): Promise<string | undefined> {
    const names = await readdir(this.#root);
    const environment = names
      .filter((name) => name.startsWith(`${digest}-`))
      .map((name) => join(this.#root, name))
      .find((path) => existsSync(join(path, MARKER)));
    if (environment === undefined) return undefined;
    // In the same moment as it was found: `removeUnused` removes the marker first.
    this.#claim(build, environment);
    build.log.add("INFO", "The dependencies have not changed: their environment is used again");
    return environment;
  }

  #claim({ deploymentId, checkout }: PythonBuild, environment: string): void {
    this.#claims.set(deploymentId, { environment, revision: basename(checkout) });
  }

  async #create(digest: string, build: PythonBuild, tools: Tools): Promise<string> {
    const environment = await mkdtemp(join(this.#root, `${digest}-`));
    this.#claim(build, environment);
    try {
      const projects = await installDependencies(join(environment, VENV), build, tools);
      writeFileSync(join(environment, MARKER), JSON.stringify(projects));
      return environment;
    } catch (error) {
      await tryToRemove(environment);
      throw error;
    }
  }

  /** The variables with which an agent runs in the environment of its checkout. Empty if it has none. */
  async variablesFor(checkout: string, path: string | undefined): Promise<NodeJS.ProcessEnv> {
    for (const name of await readdir(this.#root)) {
      const site = join(this.#root, name, REVISIONS, basename(checkout));
      if (existsSync(site)) return environmentVariables(join(this.#root, name, VENV), site, path);
    }
    return {};
  }

  /** A deployment is gone. */
  forget(deploymentId: string): void {
    this.#claims.delete(deploymentId);
  }

  /** Removes what no checkout needs any more, and no deployment has used last. */
  async removeUnused(): Promise<void> {
    const checkouts = await this.#checkouts();
    for (const name of await readdir(this.#root)) {
      const environment = join(this.#root, name);
      const revisions = await readdir(join(environment, REVISIONS)).catch(() => []);
      // Read after the checkouts: one that is being built has a claim.
      const claims = [...this.#claims.values()].filter((claim) => claim.environment === environment);
      const used = (one: string) =>
        checkouts.includes(one) || claims.some(({ revision }) => revision === one);
      if (claims.length === 0 && !revisions.some(used)) {
        rmSync(join(environment, MARKER), { force: true });
        await tryToRemove(environment);
        continue;
      }
      for (const one of revisions) if (!used(one)) await tryToRemove(join(environment, REVISIONS, one));
    }
  }
}

async function findTools({ app, folder, commands }: PythonBuild): Promise<Tools> {
  const hasUv = !app.needsPip && (await commands.read(uvVersion)) !== undefined;
  const interpreter = await findInterpreter(app.version, hasUv, commands);
  const { pipConfigFile } = app;
  const variables = {
    // What is printed goes to a log.
    PIP_PROGRESS_BAR: "off",
    PIP_NO_INPUT: "1",
    UV_NO_PROGRESS: "1",
    ...(pipConfigFile !== undefined && { PIP_CONFIG_FILE: resolve(folder, pipConfigFile) }),
  };
  return { ...interpreter, installer: hasUv ? "uv" : "pip", variables };
}

/** @returns the folders of the checkout that are to be installed for each revision */
async function installDependencies(venv: string, build: PythonBuild, tools: Tools): Promise<string[]> {
  const { app, folder, checkout, commands } = build;
  const { installer, path, variables } = tools;
  const { dependencies } = app;
  const install = installCommand(installer, venv, { dependencies, folder, checkout });
  await commands.run(createCommand(installer, path, venv), variables);
  await commands.run(install, variables);
  const output = await commands.read([pythonIn(venv), SCRIPT]);
  const root = await realpath(checkout);
  const local = await Promise.all(
    v.parse(LocalProjectsSchema, output).map(async (one) => ({
      name: one.name,
      folder: relative(root, await realpath(one.folder)),
    })),
  );
  const own = local.filter((one) => one.folder.split("/")[0] !== "..");
  if (own.length === 0) return [];
  const names = own.map(({ name }) => name);
  const removed = await commands.read(uninstallCommand(installer, venv, names));
  if (removed === undefined) throw new RunFailure(`${names.join(", ")} can't be uninstalled again.`);
  return own.map((one) => one.folder);
}

function environmentVariables(venv: string, site: string, path = ""): NodeJS.ProcessEnv {
  return {
    PATH: [join(venv, "bin"), path].join(delimiter),
    VIRTUAL_ENV: venv,
    EMULATOR_SITE_PACKAGES: site,
    PYTHONUNBUFFERED: "1",
  };
}
