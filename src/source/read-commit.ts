import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import { toResult } from "../errors.ts";
import { isRepositoryOfRun } from "../platform/same-repository.ts";
import type { CheckedOutCommit } from "../state/run-state.ts";
import { text } from "../text/message.ts";
import { type Checkout, type GitOptions, runGit } from "./git.ts";
import type { SourceFile, SourceListing } from "./list-files.ts";

/** Returns the commit of the checkout around a source; undefined without a checkout, or if git can't read it. */
export async function readCommit(
  listing: SourceListing,
  options: GitOptions,
  { report, workflow }: Context,
): Promise<CheckedOutCommit | undefined> {
  const [checkout] = listing.checkouts;
  if (checkout === undefined) return undefined;
  const read = async () => {
    const remoteUrl = await runGit(
      checkout,
      ["config", "--default", "", "--get", "remote.origin.url"],
      options,
    );
    return {
      sha: await readHead(checkout, options),
      hasLocalChanges: await hasLocalChanges(listing, options),
      isOfThisRepository: isRepositoryOfRun(remoteUrl, workflow),
    };
  };
  const commit = await toResult(read);
  if (commit.error === undefined) return commit.value;
  report.info(text`The commit of the checkout is unknown. ${commit.error.ending.message}`);
  return undefined;
}

async function readHead(checkout: Checkout, options: GitOptions): Promise<string> {
  return (await runGit(checkout, ["rev-parse", "--verify", "HEAD"], options)).trim();
}

async function hasLocalChanges(
  { files, checkouts, lacksFiles }: SourceListing,
  options: GitOptions,
): Promise<boolean> {
  if (lacksFiles || files.some(({ blob }) => blob === undefined)) return true;
  for (const checkout of checkouts) {
    if (checkout.commit !== undefined && checkout.commit !== (await readHead(checkout, options))) return true;
    // This compares only the index. To compare files, git would run the filters of the checkout.
    const staged = await runGit(
      checkout,
      ["diff-index", "--cached", "--name-only", "HEAD", "--", "."],
      options,
    );
    const tracked = files.filter((file) => file.checkout === checkout);
    if (staged !== "" || (await isAnyChanged(checkout, tracked, options))) return true;
  }
  return false;
}

/** Whether the content of any file differs from the tracked one. Files with a filter, such as Git LFS, do not count. */
async function isAnyChanged(
  checkout: Checkout,
  files: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  const pathOf = ({ path }: SourceFile) => path.slice(checkout.prefix.length);
  const absolutePathOf = (file: SourceFile) => join(checkout.folder, pathOf(file));
  const hashCommand = ["hash-object", "--no-filters", "--stdin-paths"];
  const hashed = await runGit(checkout, hashCommand, options, files.map(absolutePathOf).join("\n"));
  const hashes = hashed.split("\n");
  const differing = files.filter(({ blob }, index) => blob !== hashes[index]);
  // Prints `path\0filter\0value\0` for each path.
  const filterCommand = ["check-attr", "--stdin", "-z", "filter"];
  const filtered = await runGit(checkout, filterCommand, options, differing.map(pathOf).join("\0"));
  const filters = filtered.split("\0");
  for (const [index, file] of differing.entries()) {
    const isUnfiltered = ["unset", "unspecified"].includes(filters[index * 3 + 2] ?? "");
    if (isUnfiltered && !(await differsInLineEndsAlone(absolutePathOf(file), file))) return true;
  }
  return false;
}

/** Whether a file has the tracked content except for its line ends, which git may have converted. */
async function differsInLineEndsAlone(absolutePath: string, { blob = "" }: SourceFile): Promise<boolean> {
  const content = (await readFile(absolutePath, "latin1")).replaceAll("\r\n", "\n");
  const hash = createHash(blob.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0${content}`, "latin1").digest("hex") === blob;
}
