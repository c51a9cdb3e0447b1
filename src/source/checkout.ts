import { toResult } from "../errors.ts";
import { repositoryUrl, type WorkflowRun } from "../github/workflow-run.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { type GitOptions, git } from "./git.ts";
import type { Checkout, SourceFile, SourceListing } from "./source-files.ts";

/**
 * The commit of the checkout that a source belongs to; undefined without one, or if git can't tell. `changed`: the files
 * whose content is not what git tracks.
 */
export async function checkedOutCommit(
  listing: SourceListing,
  changed: readonly SourceFile[],
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<CheckedOutCommit | undefined> {
  const [checkout] = listing.checkouts;
  if (checkout === undefined) return undefined;
  const read = async () => {
    const origin = await gitIn(checkout, ["config", "--default", "", "--get", "remote.origin.url"], options);
    return {
      sha: await headOf(checkout, options),
      hasLocalChanges: await hasLocalChanges(listing, changed, options),
      isOfThisRepository: isSameRepository(origin.trim(), repositoryUrl(workflow) ?? ""),
    };
  };
  const found = await toResult(read, options.signal);
  return "value" in found ? found.value : undefined;
}

function gitIn(
  { repository, folder }: Checkout,
  args: readonly string[],
  options: GitOptions,
  stdin?: string,
): Promise<string> {
  return git(repository, folder, args, options, stdin);
}

async function headOf(checkout: Checkout, options: GitOptions): Promise<string> {
  return (await gitIn(checkout, ["rev-parse", "--verify", "HEAD"], options)).trim();
}

async function hasLocalChanges(
  { files, checkouts, lacksFiles }: SourceListing,
  changed: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  if (lacksFiles || files.some(({ blob }) => blob === undefined)) return true;
  for (const checkout of checkouts) {
    if (checkout.commit !== undefined && checkout.commit !== (await headOf(checkout, options))) return true;
    // The index alone: to compare files, git would run their filters.
    const staged = await gitIn(
      checkout,
      ["diff-index", "--cached", "--name-only", "HEAD", "--", "."],
      options,
    );
    const own = changed.filter((file) => file.checkout === checkout);
    if (staged !== "" || (await isAnyUnfiltered(checkout, own, options))) return true;
  }
  return false;
}

/** Whether git stores the content of any of these files as it is. */
async function isAnyUnfiltered(
  checkout: Checkout,
  files: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  const paths = files.map(({ path }) => path.slice(checkout.prefix.length));
  const attributes = await gitIn(
    checkout,
    ["check-attr", "--stdin", "-z", "filter"],
    options,
    paths.join("\0"),
  );
  return /\0filter\0uns(et|pecified)\0/.test(attributes);
}
