import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** The folder of `source_path`. Both paths are absolute and free of links. */
export interface SourceFolder {
  readonly path: string;
  readonly workspace: string;
}

/** Returns the folder relative to the workspace, with `/` between its parts; `""` if it is the workspace. */
export function relativeToWorkspace({ path, workspace }: SourceFolder): string {
  return relative(workspace, path).replaceAll(sep, "/");
}

/** Whether a relative path, with `/` between its parts, leads out of its folder. */
export function isOutside(path: string): boolean {
  // Across the drives of Windows, even a relative path is absolute.
  return /^\.\.(\/|$)/.test(path) || isAbsolute(path);
}

/**
 * Reads a file by its path in the source.
 *
 * @throws Error if it can't be read, or if it is outside of the workspace because of links: its content could be shown
 */
export async function readInWorkspace(
  { path: folder, workspace }: SourceFolder,
  path: string,
): Promise<string> {
  const resolved = await realpath(resolve(folder, path));
  if (isOutside(relativeToWorkspace({ path: resolved, workspace })))
    throw new Error("It is outside of the workspace.");
  return await readFile(resolved, "utf8");
}
