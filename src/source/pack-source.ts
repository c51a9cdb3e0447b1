import { realpath, stat } from "node:fs/promises";
import { posix, relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import type { RunContext } from "../events.ts";
import { settleOrAbort } from "../http/timeout.ts";
import { type InputProblem, inputError, quote } from "../inputs/reader.ts";
import { formatCount } from "../text/format.ts";
import { packArchive, type SourceArchive } from "./archive.ts";
import { checkedOutCommit } from "./checkout.ts";
import { listFiles } from "./list-files.ts";
import {
  describeArchive,
  maxPackedBytes,
  type SourceFolder,
  type SourceListing,
  shownPath,
} from "./source-files.ts";

/**
 * Packs the folder of `source_path`, and reports what is in the archive. `configPath`: the file that the build starts from.
 *
 * @throws ActionError if the folder is missing or outside of the workspace, the file is not in the archive, or that is too
 *   large, and the reason of a cancellation
 */
export async function packSource(
  path: string,
  configPath: string | undefined,
  context: RunContext,
): Promise<SourceArchive> {
  // A file system that hangs takes no notice of a signal.
  return await settleOrAbort(pack(path, configPath, context), context.cancelled);
}

async function pack(
  path: string,
  configPath: string | undefined,
  context: RunContext,
): Promise<SourceArchive> {
  const { env, log, emit, cancelled, workflow } = context;
  const folder = await findSourceFolder(path, context);
  const listing = await listFiles(folder, { signal: cancelled });
  if (listing.files.length === 0) throw inputError([nothingToPack(path, listing)]);
  if (configPath !== undefined) requireFile(configPath, path, listing);
  if (listing.links > 0) log.notice(describeLinks(listing.links));
  if (listing.trackedExcluded.length > 0) log.notice(describeExcluded(listing.trackedExcluded));
  if (listing.lacksGit) log.notice(gitNotice);
  log.info(`Packing ${formatCount(listing.files.length)} ${listing.files.length === 1 ? "file" : "files"}.`);
  await emit({ kind: "stage_changed", stage: "still packing the files of source_path" });
  const options = { temporaryFolder: env.RUNNER_TEMP, maxPackedBytes, signal: cancelled };
  const archive = await packArchive(folder.path, listing, options);
  await emit({ kind: "stage_changed", stage: undefined });
  const commit = await checkedOutCommit(folder, workflow, { signal: cancelled });
  await emit({ kind: "source_packed", digest: archive.digest, commit });
  log.info(`Packed ${describeArchive(archive)}.`);
  return archive;
}

/** Finds the folder that the input names, relative to the workspace. @throws ActionError if it is missing or outside */
async function findSourceFolder(
  given: string,
  { env, disk }: Pick<Context, "env" | "disk">,
): Promise<SourceFolder> {
  const workspace = await realpath(env.GITHUB_WORKSPACE || disk.workingDirectory());
  const path = await realpath(resolve(workspace, given)).catch(() => undefined);
  const isFolder = path !== undefined && (await stat(path)).isDirectory();
  if (!isFolder) {
    const problem = `must be a folder of the workspace, but ${quote(given)} is none. Check out the repository before this step`;
    throw inputError([{ input: "source_path", problem }]);
  }
  const fromWorkspace = relative(workspace, path);
  if (fromWorkspace === ".." || fromWorkspace.startsWith(`..${sep}`) || resolve(path) === fromWorkspace) {
    const problem = `must not lead out of the workspace, as ${quote(given)} does`;
    throw inputError([{ input: "source_path", problem }]);
  }
  return { path, workspace };
}

const gitNotice =
  "Git could not list the tracked files of a checkout below source_path. A tracked file that a .gitignore rule matches is left out of the archive.";

function nothingToPack(folder: string, { hasIgnored }: SourceListing): InputProblem {
  const start = `must be a folder with files, but of ${shownPath(folder)}`;
  return hasIgnored
    ? {
        input: "source_path",
        problem: `${start} all files are left out by ignore rules or the names of folders`,
        hint: "Change the .gitignore or .dockerignore file that leaves out the files, such as with a line that starts with !.",
      }
    : {
        input: "source_path",
        problem: `must be a folder with files, but ${shownPath(folder)} has none`,
        hint: "Check out the repository before this step, with actions/checkout.",
      };
}

function requireFile(configPath: string, folder: string, { files }: SourceListing): void {
  const wanted = posix.normalize(configPath);
  if (files.some(({ path }) => path === wanted)) return;
  const problem = `must be in the archive of source_path, but ${shownPath(wanted)} is not a file of ${shownPath(folder)}, or an ignore rule, a link or the name of a folder leaves it out`;
  throw inputError([{ input: "app_config_path", problem }]);
}

function describeLinks(count: number): string {
  const links = count === 1 ? "1 symbolic link is" : `${formatCount(count)} symbolic links are`;
  return `${links} left out of the archive. A build that needs the content needs a file in its place.`;
}

function describeExcluded(folders: readonly string[]): string {
  const named = folders.slice(0, 5).map(shownPath);
  const others = folders.length > named.length ? [`${formatCount(folders.length - named.length)} more`] : [];
  return `Tracked files are left out of the archive because of the names of their folders: ${[...named, ...others].join(", ")}. If the build needs them, rename the folders.`;
}
