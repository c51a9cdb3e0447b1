/** The commands that make the environment of an agent in Python, with uv or with venv and pip. */
import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { RunFailure } from "../../errors.ts";
import type { Command } from "../commands.ts";

export interface Dependencies {
  readonly dependencies: readonly string[];
  /** That of the configuration file. */
  readonly folder: string;
  readonly checkout: string;
}

export type Installer = "uv" | "pip";

/** The oldest version that the vendor's server supports. */
const OLDEST_MINOR = 11;

/** The vendor's server for local use. An app that names a version of it gets that one. */
const SERVER = "langgraph-cli[inmem]";

export const uvVersion: Command = ["uv", "--version"];

/** The command that prints where uv knows a Python of this version, without downloading one. */
export function uvFind(version: string | undefined): Command {
  const wanted = version ?? `>=3.${OLDEST_MINOR}`;
  return ["uv", "python", "find", "--system", "--no-project", "--no-python-downloads", wanted];
}

/** The programs that may be a Python of this version, the likeliest first. */
export function pythonNames(version: string | undefined): string[] {
  return [`python${version ?? `3.${OLDEST_MINOR}`}`, "python3", "python"];
}

/** The command that prints the path and the version of a Python. */
export function probeCommand(python: string): Command {
  return [python, "-c", 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])'];
}

/** Whether a version such as `3.11.7` is the one that is wanted. */
export function isWantedVersion(found: string, wanted: string | undefined): boolean {
  const [major, minor] = found.split(".").map(Number);
  if (wanted !== undefined) return wanted === `${major}.${minor}`;
  return major === 3 && Number(minor) >= OLDEST_MINOR;
}

export function createCommand(installer: Installer, python: string, environment: string): Command {
  return installer === "uv"
    ? ["uv", "venv", "--no-python-downloads", "--python", python, environment]
    : [python, "-m", "venv", environment];
}

function pip(installer: Installer, environment: string, command: string, args: readonly string[]): Command {
  const python = pythonIn(environment);
  return installer === "uv"
    ? ["uv", "pip", command, "--python", python, ...args]
    : [python, "-m", "pip", command, ...args];
}

export function pythonIn(environment: string): string {
  return join(environment, "bin", "python");
}

/**
 * The command that installs what the app depends on, as the platform does: folders with a `pyproject.toml` or a
 * `setup.py` as packages, of other folders their `requirements.txt`, everything else by its name.
 * @throws {RunFailure} if a folder is missing or not in the checkout
 */
export function installCommand(
  installer: Installer,
  environment: string,
  { dependencies, folder, checkout }: Dependencies,
): Command {
  const args = dependencies.flatMap((dependency) => {
    if (!dependency.startsWith(".")) return [dependency];
    const path = resolve(folder, dependency);
    if (relative(checkout, path).split("/")[0] === "..") {
      throw new RunFailure(`The dependency ${dependency} leaves the repository.`);
    }
    const has = (name: string) => existsSync(join(path, name));
    if (!has(".")) throw new RunFailure(`The dependency ${dependency} is missing.`);
    if (isProject(path)) return ["--editable", dependency];
    return has("requirements.txt") ? ["--requirement", join(dependency, "requirements.txt")] : [];
  });
  return pip(installer, environment, "install", [SERVER, ...args]);
}

function isProject(folder: string): boolean {
  return ["pyproject.toml", "setup.py"].some((name) => existsSync(join(folder, name)));
}

/**
 * The folders that the platform makes a package of, by its name: those with an `__init__.py` and without a package file.
 * The root of the source is not among them: its name on the platform is not known.
 */
export function folderPackages({ dependencies, folder, checkout }: Dependencies): Map<string, string> {
  const paths = dependencies.filter((one) => one.startsWith(".")).map((one) => resolve(folder, one));
  const packages = paths.filter(
    (path) => path !== checkout && !isProject(path) && existsSync(join(path, "__init__.py")),
  );
  return new Map(packages.map((path) => [basename(path), path]));
}

export function uninstallCommand(
  installer: Installer,
  environment: string,
  names: readonly string[],
): Command {
  return pip(installer, environment, "uninstall", [...(installer === "pip" ? ["--yes"] : []), ...names]);
}

/** The command that installs projects of a checkout beside an environment, which has what they depend on. */
export function installProjectsCommand(
  installer: Installer,
  environment: string,
  { projects, target }: { projects: readonly string[]; target: string },
): Command {
  const folders = projects.flatMap((folder) => ["--editable", folder]);
  return pip(installer, environment, "install", ["--no-deps", "--target", target, ...folders]);
}
