import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { InputProblem } from "../../inputs/input-error.ts";
import { code, input, listFirst, type Message, quote, text } from "../../text/message.ts";
import { foldersOf } from "../source-files.ts";
import type { ArchiveContent } from "./archive-content.ts";

/** Why the configuration file is not in the archive, and which inputs name the one that is meant. */
export async function describeMissingConfig(
  path: string,
  archive: ArchiveContent,
): Promise<Omit<InputProblem, "input">> {
  const { folder, inWorkspace } = archive;
  const problem = text`names ${quote(path)}, which is not in the archive of ${input("source_path")}`;
  const around = await findAround(path, archive);
  const [found, ...others] = [...findInArchive(path, archive), ...around];
  if (found !== undefined) {
    const also = others.length === 0 ? undefined : text` Or ${listFirst(others)}.`;
    const hint = text`The path is relative to ${input("source_path")}, with ${code("/")} between its parts. Set ${found}.${also}`;
    return { problem, hint };
  }
  const entry = await lstat(join(folder, path)).catch(() => undefined);
  const left = entry?.isSymbolicLink() ? text`it is a symbolic link` : text`ignore rules leave it out`;
  return {
    problem: text`${problem}: ${entry === undefined ? text`it does not exist` : left}`,
    hint: text`Add or correct the file in the checkout, or correct ${input("source_path")} or ${input("app_config_path")}.`,
    place: { path: posix.join(inWorkspace, path) },
  };
}

/** Such as "`source_path: .` and `app_config_path: agents/support/langgraph.json`". */
export function inputsFor(sourcePath: string, appConfigPath: string): Message {
  return text`${code(`source_path: ${sourcePath || "."}`)} and ${code(`app_config_path: ${appConfigPath}`)}`;
}

/** Files that the path names from another folder than that of the archive, or as Windows does. */
function findInArchive(path: string, { files }: ArchiveContent): Message[] {
  const wanted = `/${path.replaceAll("\\", "/")}`;
  return [...files]
    .filter((file) => wanted.endsWith(`/${file}`) || `/${file}`.endsWith(wanted))
    .map((file) => text`${code(`app_config_path: ${file}`)}`);
}

/** The file in a folder of the workspace that holds that of the archive. */
async function findAround(path: string, { workspace, inWorkspace }: ArchiveContent): Promise<Message[]> {
  if (inWorkspace === "") return [];
  const found: Message[] = [];
  for (const folder of ["", ...foldersOf(inWorkspace)]) {
    const entry = await lstat(join(workspace, folder, path)).catch(() => undefined);
    if (entry?.isFile()) found.unshift(inputsFor(folder, path));
  }
  return found;
}
