import { toResult } from "../errors.ts";
import { repositoryUrl, type WorkflowRun } from "../github/workflow-run.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { findRepository, type GitOptions, git } from "./git.ts";
import type { Checkout, Repository, SourceFile, SourceFolder, SourceListing } from "./source-files.ts";

/**
 * The commit of the checkout that a source belongs to; undefined without one, or if git can't tell. `changed`: the files
 * whose content is not what git tracks.
 */
export async function checkedOutCommit(
  listing: SourceListing,
  changed: readonly SourceFile[],
  { workspace }: SourceFolder,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<CheckedOutCommit | undefined> {
  const [checkout] = listing.checkouts;
  if (checkout === undefined) return undefined;
  const { repository } = checkout;
  const found = await toResult(
    async () => ({
      sha: await headOf(checkout, options),
      hasLocalChanges: await hasLocalChanges(listing, changed, options),
      isOfThisRepository: await isOfThisRepository(repository, workspace, workflow, options),
    }),
    options.signal,
  );
  return "value" in found ? found.value : undefined;
}

async function headOf({ repository, folder }: Checkout, options: GitOptions): Promise<string> {
  return (await git(repository, folder, ["rev-parse", "--verify", "HEAD"], options)).trim();
}

async function hasLocalChanges(
  { files, checkouts, lacksFiles }: SourceListing,
  changed: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  if (lacksFiles || files.some(({ blob }) => blob === undefined)) return true;
  for (const checkout of checkouts) {
    const { repository, folder, commit } = checkout;
    if (commit !== undefined && commit !== (await headOf(checkout, options))) return true;
    // The index alone: to compare files, git would run their filters.
    const staged = await git(
      repository,
      folder,
      ["diff-index", "--cached", "--name-only", "HEAD", "--", "."],
      options,
    );
    const own = changed.filter((file) => file.checkout === checkout);
    if (staged !== "" || (await isAnyStoredAsItIs(checkout, own, options))) return true;
  }
  return false;
}

const conversions = ["filter", "ident", "working-tree-encoding"];

/** Whether git stores the content of any of these files without a filter or another conversion. */
async function isAnyStoredAsItIs(
  { repository, folder, prefix }: Checkout,
  files: readonly SourceFile[],
  options: GitOptions,
): Promise<boolean> {
  if (files.length === 0) return false;
  const paths = files.map(({ path }) => path.slice(prefix.length));
  const args = ["check-attr", "--stdin", "-z", ...conversions];
  const output = await git(repository, folder, args, options, paths.join("\0"));
  const converted = [...output.matchAll(/([^\0]*)\0[^\0]*\0([^\0]*)\0/g)].flatMap(([, path, value = ""]) =>
    /^uns(et|pecified)$/.test(value) ? [] : path,
  );
  return new Set(converted).size < paths.length;
}

/**
 * The paths of the files that git tracks in a workspace; undefined if that is no checkout of this run's repository, a Failure
 * if git can't list them.
 */
export async function trackedFiles(
  workspace: string,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<ReadonlySet<string> | undefined> {
  const repository = await findRepository({ path: workspace, workspace });
  if (repository === undefined) return undefined;
  if (!(await isOfThisRepository(repository, workspace, workflow, options))) return undefined;
  const listed = await git(repository, workspace, ["ls-files", "-z", "--cached"], options);
  return new Set(listed.split("\0"));
}

/** Without a remote repository, the checkout must be the workspace itself. */
async function isOfThisRepository(
  repository: Repository,
  workspace: string,
  workflow: WorkflowRun,
  options: GitOptions,
): Promise<boolean> {
  const ownUrl = repositoryUrl(workflow);
  // Such as `git@github.com:owner/name.git`. Git fails if there is none.
  const ask = () => git(repository, workspace, ["config", "--get", "remote.origin.url"], options);
  const origin = await toResult(ask, options.signal);
  if ("error" in origin) return repository.workTree === workspace;
  return ownUrl !== undefined && isSameRepository(origin.value.trim(), ownUrl);
}
