import { join } from "node:path";
import { toResult } from "../errors.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { repositoryUrl, type WorkflowRun } from "../workflow-run.ts";
import { type GitOptions, git } from "./git.ts";
import type { Checkout, SourceFile, SourceListing } from "./source-files.ts";

/** The commit of the checkout that a source belongs to; undefined without one, or if git does not report it. */
export async function checkedOutCommit(
  listing: SourceListing,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<CheckedOutCommit | undefined> {
  const [checkout] = listing.checkouts;
  if (checkout === undefined) return undefined;
  const read = async () => {
    const origin = await git(checkout, ["config", "--default", "", "--get", "remote.origin.url"], options);
    return {
      sha: await headOf(checkout, options),
      hasLocalChanges: await hasLocalChanges(listing, options),
      isOfThisRepository: isSameRepository(origin.trim(), repositoryUrl(workflow) ?? ""),
    };
  };
  const found = await toResult(read, options.signal);
  return "value" in found ? found.value : undefined;
}

async function headOf(checkout: Checkout, options: GitOptions): Promise<string> {
  return (await git(checkout, ["rev-parse", "--verify", "HEAD"], options)).trim();
}

async function hasLocalChanges(
  { files, checkouts, lacksFiles }: SourceListing,
  options: GitOptions,
): Promise<boolean> {
  if (lacksFiles || files.some(({ blob }) => blob === undefined)) return true;
  for (const checkout of checkouts) {
    if (checkout.commit !== undefined && checkout.commit !== (await headOf(checkout, options))) return true;
    // Only the index is compared: to compare files, git would run their filters.
    const staged = await git(checkout, ["diff-index", "--cached", "--name-only", "HEAD", "--", "."], options);
    const own = files.filter((file) => file.checkout === checkout);
    if (staged !== "" || (await isAnyChanged(checkout, own, options))) return true;
  }
  return false;
}

/** Whether any of these files, which git stores unchanged, differs from what it tracks. */
async function isAnyChanged(
  checkout: Checkout,
  files: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  const paths = files.map(({ path }) => path.slice(checkout.prefix.length));
  // The paths are absolute and quoted, so that a name may have a line end.
  const quoted = paths.map((path) => JSON.stringify(join(checkout.folder, path)));
  const hashCommand = ["hash-object", "--no-filters", "--stdin-paths"];
  const hashes = (await git(checkout, hashCommand, options, quoted.join("\n"))).split("\n");
  const changed = paths.filter((_path, index) => files[index]?.blob !== hashes[index]);
  const filterCommand = ["check-attr", "--stdin", "-z", "filter"];
  const attributes = await git(checkout, filterCommand, options, changed.join("\0"));
  return /\0filter\0uns(et|pecified)\0/.test(attributes);
}
