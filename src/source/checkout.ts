import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { CheckedOutCommit } from "../events.ts";
import { git } from "./git.ts";
import { GitIgnoreRules, readGitIgnore } from "./git-ignore.ts";
import type { SourceFolder } from "./source-folder.ts";

/** The commit of the checkout that a folder belongs to; undefined without git or a checkout. */
export async function checkedOutCommit(folder: SourceFolder): Promise<CheckedOutCommit | undefined> {
  const sha = await git(folder, "rev-parse", "--verify", "HEAD");
  const changes = await git(folder, "status", "--porcelain", "--", ".");
  return sha === undefined || changes === undefined
    ? undefined
    : { sha: sha.trim(), hasLocalChanges: changes !== "" };
}

/** Paths that a repository tracks although its ignore rules match them; relative to the source folder. */
export interface TrackedPaths {
  readonly has: (path: string) => boolean;
  /** Whether one of them is below this folder. */
  readonly hasBelow: (folder: string) => boolean;
}

/** The tracked paths that ignore rules match: git never ignores these. None without git or a checkout. */
export async function trackedIgnoredPaths(folder: SourceFolder): Promise<TrackedPaths> {
  const list = ["ls-files", "-z", "--cached", "--ignored", "--exclude-per-directory=.gitignore"];
  const paths = ((await git(folder, ...list)) ?? "").split("\0").filter((path) => path !== "");
  const folders = new Set(paths.flatMap(foldersAbove));
  const all = new Set(paths);
  return { has: (path) => all.has(path), hasBelow: (path) => folders.has(path) };
}

/** `a/b/c` gives `a` and `a/b`. */
function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join("/"));
}

/** The path of the checkout that holds a folder: the nearest one in the workspace, or else the workspace. */
export function checkoutOf({ path, workspace }: SourceFolder): string {
  for (let place = path; ; place = dirname(place)) {
    if (place === workspace || existsSync(join(place, ".git"))) return place;
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
