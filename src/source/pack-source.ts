import { posix } from "node:path";
import type { RunContext } from "../events.ts";
import { inputError } from "../inputs/reader.ts";
import { formatCount } from "../text/format.ts";
import { packArchive, type SourceArchive } from "./archive.ts";
import { checkedOutCommit } from "./checkout.ts";
import { shownPath } from "./errors.ts";
import { listFiles, type SourceListing } from "./list-files.ts";
import { describeArchive } from "./source-file.ts";
import { findSourceFolder } from "./source-folder.ts";

/** What a platform takes, in bytes. */
export const maxPackedBytes = 200 * 2 ** 20;

/**
 * Packs the folder of `source_path`, and reports what is in the archive. `configPath`: the file that the build starts from.
 *
 * @throws ActionError if the folder is missing or outside of the workspace, the file is not in the archive, or that is too
 *   large
 */
export async function packSource(
  path: string,
  configPath: string | undefined,
  context: RunContext,
): Promise<SourceArchive> {
  const { env, log, emit, cancelled } = context;
  const folder = await findSourceFolder(path, context);
  const listing = await listFiles(folder);
  if (configPath !== undefined) requireFile(configPath, path, listing);
  if (listing.links > 0) log.notice(describeLinks(listing.links));
  await emit({ kind: "stage_changed", stage: "still packing the files of source_path" });
  const options = { temporaryFolder: env.RUNNER_TEMP, maxPackedBytes, signal: cancelled };
  const archive = await packArchive(folder.path, listing, options);
  await emit({ kind: "stage_changed", stage: undefined });
  const commit = await checkedOutCommit(folder);
  await emit({ kind: "source_packed", digest: archive.digest, commit });
  log.info(`Packed ${describeArchive(archive)}.`);
  return archive;
}

function requireFile(configPath: string, folder: string, { files }: SourceListing): void {
  const wanted = posix.normalize(configPath.replace(/^\/+/, ""));
  if (files.some(({ path }) => path === wanted)) return;
  const problem = `must be in the archive of source_path, but ${shownPath(wanted)} is not a file of ${shownPath(folder)}, or an ignore rule, a link or the name of a folder leaves it out`;
  throw inputError([{ input: "app_config_path", problem }]);
}

function describeLinks(count: number): string {
  const links = count === 1 ? "1 symbolic link is" : `${formatCount(count)} symbolic links are`;
  return `${links} left out of the archive. A build that needs the content needs a file in its place.`;
}
