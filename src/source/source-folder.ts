import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { inputError, quote } from "../inputs/reader.ts";

/** The folder of `source_path`. Both paths are absolute and free of links. */
export interface SourceFolder {
  readonly path: string;
  readonly workspace: string;
}

/** Finds the folder that the input names, relative to the workspace. @throws ActionError if it is missing or outside */
export async function findSourceFolder(
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
