import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryUrl, type WorkflowRun } from "../github/workflow-run.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { code, text } from "../text/message.ts";
import { type SourceFolder, sourceError } from "./source-files.ts";

export interface GitOptions {
  readonly signal: AbortSignal;
  /** How long one call of git may take. */
  readonly gitTimeoutMs?: number;
}

/** A list of all files of a large repository is smaller. */
const maxGitBytes = 100_000_000;

/**
 * What git prints in a folder; undefined if there is no git or no repository in the workspace, or if git fails. It gets no
 * secret of the step, and reads a checkout of another user too, as containers have it.
 *
 * @throws Failure if git does not finish in time, and the signal's reason
 */
async function git(
  { path, workspace }: SourceFolder,
  args: readonly string[],
  { signal, gitTimeoutMs = 300_000 }: GitOptions,
): Promise<string | undefined> {
  const { PATH, HOME, SYSTEMROOT } = process.env;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const settings = ["safe.directory=*", "core.fsmonitor=false", "core.excludesFile="];
  const timeout = AbortSignal.timeout(gitTimeoutMs);
  execFile(
    "git",
    ["--no-optional-locks", ...settings.flatMap((setting) => ["-c", setting]), "-C", path, ...args],
    {
      env: { PATH, HOME, SYSTEMROOT, GIT_CEILING_DIRECTORIES: dirname(workspace) },
      maxBuffer: maxGitBytes,
      // Not the option `timeout`, which waits for the end of a git that can't be killed.
      signal: AbortSignal.any([signal, timeout]),
      killSignal: "SIGKILL",
    },
    (error, stdout) => resolve(error === null ? stdout : undefined),
  );
  const output = await promise;
  signal.throwIfAborted();
  if (output === undefined && timeout.aborted) {
    throw sourceError(
      text`Git did not finish within ${gitTimeoutMs / 1000} s in ${code(path)}`,
      text`Check that the file system of the checkout responds and that git works there.`,
      timeout.reason,
    );
  }
  return output;
}

/** The commit of the checkout that a folder belongs to; undefined without git or a checkout. */
export async function checkedOutCommit(
  folder: SourceFolder,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<CheckedOutCommit | undefined> {
  const sha = await git(folder, ["rev-parse", "--verify", "HEAD"], options);
  const changes = await git(folder, ["status", "--porcelain", "--", "."], options);
  return sha === undefined || changes === undefined
    ? undefined
    : {
        sha: sha.trim(),
        hasLocalChanges: changes !== "",
        isOfThisRepository: await isOfThisRepository(folder, workflow, options),
      };
}

/**
 * The paths of the files that git tracks in a workspace; undefined if that is no checkout of this run's repository. Throws
 * like `checkedOutCommit`.
 */
export async function trackedFiles(
  workspace: string,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<ReadonlySet<string> | undefined> {
  const folder = { path: workspace, workspace };
  const listed = await git(folder, ["ls-files", "-z", "--cached"], options);
  if (listed === undefined || !(await isOfThisRepository(folder, workflow, options))) return undefined;
  return new Set(listed.split("\0"));
}

/** Without a remote repository, the checkout must be the workspace itself. */
async function isOfThisRepository(
  folder: SourceFolder,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<boolean> {
  const ownUrl = repositoryUrl(workflow);
  // Such as `git@github.com:owner/name.git`.
  const origin = await git(folder, ["remote", "get-url", "origin"], options);
  return origin === undefined
    ? (await checkoutOf(folder)) === folder.workspace
    : ownUrl !== undefined && isSameRepository(origin.trim(), ownUrl);
}

/** The names of folders that are never in an archive. */
export const excludedFolders: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".mypy_cache",
]);

/**
 * Paths that a repository tracks although its ignore rules match them, or although they are in one of `excludedFolders`;
 * relative to the source folder.
 */
export interface TrackedPaths {
  readonly has: (path: string) => boolean;
  /** Whether one of them is below this folder. */
  readonly hasBelow: (folder: string) => boolean;
}

export const noTrackedPaths: TrackedPaths = { has: () => false, hasBelow: () => false };

/**
 * The tracked paths below `path`, a folder of the source with `/` at its end, that ignore rules match (git never
 * ignores these), and those in `excludedFolders`. Undefined without git or a checkout.
 */
export async function trackedIgnoredPaths(
  source: SourceFolder,
  path: string,
  options: GitOptions,
): Promise<TrackedPaths | undefined> {
  const rules = [
    "--exclude-per-directory=.gitignore",
    ...[...excludedFolders].map((name) => `--exclude=${name}/`),
  ];
  const list = ["ls-files", "-z", "--cached", "--ignored", ...rules];
  const listed = await git({ ...source, path: join(source.path, path) }, list, options);
  if (listed === undefined) return undefined;
  const names = listed.split("\0").filter((name) => name !== "");
  const paths = names.map((name) => `${path}${name}`);
  const folders = new Set(paths.flatMap(foldersAbove));
  const all = new Set(paths);
  return { has: (path) => all.has(path), hasBelow: (path) => folders.has(path) };
}

/** `a/b/c` gives `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join("/"));
}

/** Whether a repository, or a submodule, begins in this folder. */
export async function isCheckout(path: string): Promise<boolean> {
  return await access(join(path, ".git")).then(
    () => true,
    () => false,
  );
}

/** The path of the checkout that holds a folder: the nearest one in the workspace, or else the workspace. */
export async function checkoutOf({ path, workspace }: SourceFolder): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    if (place === workspace || (await isCheckout(place))) return place;
  }
}
