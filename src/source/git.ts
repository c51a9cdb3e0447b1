import { execFile } from "node:child_process";
import { dirname } from "node:path";
import type { SourceFolder } from "./source-folder.ts";

/**
 * What git prints in a folder; undefined if there is no git or no repository in the workspace, or if git fails. It gets no
 * secret of the step, and reads a checkout of another user too, as containers have it.
 */
export async function git(
  { path, workspace }: SourceFolder,
  ...args: readonly string[]
): Promise<string | undefined> {
  const { PATH, HOME, SYSTEMROOT } = process.env;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const settings = ["safe.directory=*", "core.fsmonitor=false", "core.excludesFile="];
  execFile(
    "git",
    ["--no-optional-locks", ...settings.flatMap((setting) => ["-c", setting]), "-C", path, ...args],
    { env: { PATH, HOME, SYSTEMROOT, GIT_CEILING_DIRECTORIES: dirname(workspace) }, maxBuffer: maxBytes },
    (error, stdout) => resolve(error === null ? stdout : undefined),
  );
  return await promise;
}

/** A list of all files of a large repository is smaller. */
const maxBytes = 100_000_000;
