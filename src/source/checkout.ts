import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { CheckedOutCommit } from "../events.ts";
import type { WorkflowRun } from "../runner/workflow-run.ts";
import { git } from "./git.ts";
import { GitIgnoreRules, readGitIgnore } from "./git-ignore.ts";
import type { SourceFolder } from "./source-folder.ts";

/** The commit of the checkout that a folder belongs to; undefined without git or a checkout. */
export async function checkedOutCommit(
  folder: SourceFolder,
  workflow: WorkflowRun,
): Promise<CheckedOutCommit | undefined> {
  const sha = await git(folder, "rev-parse", "--verify", "HEAD");
  const changes = await git(folder, "status", "--porcelain", "--", ".");
  return sha === undefined || changes === undefined
    ? undefined
    : {
        sha: sha.trim(),
        hasLocalChanges: changes !== "",
        isOfThisRepository: await isOfThisRepository(folder, workflow),
      };
}

/** Without a remote repository, the checkout must be the workspace itself. */
async function isOfThisRepository(folder: SourceFolder, workflow: WorkflowRun): Promise<boolean> {
  const origin = await git(folder, "remote", "get-url", "origin");
  return origin === undefined
    ? checkoutOf(folder) === folder.workspace
    : isAddressOf(origin.trim(), workflow);
}

/** Whether git's address of a repository, such as `git@github.com:owner/name.git`, is that of the run's repository. */
function isAddressOf(address: string, { serverUrl, repository }: WorkflowRun): boolean {
  const [, host, path] =
    /^(?:\w+:\/\/)?(?:[^@/]*@)?([^/:]+(?::\d+)?)[/:](.*?)(?:\.git)?\/*$/s.exec(address) ?? [];
  const wanted = `${new URL(serverUrl).host}/${repository}`;
  return `${host}/${path}`.toLowerCase() === wanted.toLowerCase();
}

/** Paths that a repository tracks although its ignore rules match them; relative to the source folder. */
export interface TrackedPaths {
  readonly has: (path: string) => boolean;
  /** Whether one of them is below this folder. */
  readonly hasBelow: (folder: string) => boolean;
}

export const noTrackedPaths: TrackedPaths = { has: () => false, hasBelow: () => false };

/**
 * The tracked paths below `path`, a folder of the source with `/` at its end, that ignore rules match: git never ignores
 * these. Undefined without git or a checkout.
 */
export async function trackedIgnoredPaths(
  source: SourceFolder,
  path: string,
): Promise<TrackedPaths | undefined> {
  const list = ["ls-files", "-z", "--cached", "--ignored", "--exclude-per-directory=.gitignore"];
  const listed = await git({ ...source, path: join(source.path, path) }, ...list);
  if (listed === undefined) return undefined;
  const names = listed.split("\0").filter((name) => name !== "");
  const paths = names.map((name) => `${path}${name}`);
  const folders = new Set(paths.flatMap(foldersAbove));
  const all = new Set(paths);
  return { has: (path) => all.has(path), hasBelow: (path) => folders.has(path) };
}

/** `a/b/c` gives `a` and `a/b`. */
function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join("/"));
}

/** Whether a repository, or a submodule, begins in this folder. */
export function isCheckout(path: string): boolean {
  return existsSync(join(path, ".git"));
}

/** The path of the checkout that holds a folder: the nearest one in the workspace, or else the workspace. */
export function checkoutOf({ path, workspace }: SourceFolder): string {
  for (let place = path; ; place = dirname(place)) {
    if (place === workspace || isCheckout(place)) return place;
  }
}

/** The rules of the folders around a source folder, from its checkout down. */
export async function rulesAround(source: SourceFolder): Promise<GitIgnoreRules> {
  const checkout = checkoutOf(source);
  const inCheckout = relative(checkout, source.path);
  let rules = new GitIgnoreRules();
  for (const folder of inCheckout === "" ? [] : ["", ...foldersAbove(inCheckout.replaceAll(sep, "/"))]) {
    rules = rules.with(folder, await readGitIgnore(join(checkout, folder)));
  }
  return rules;
}
