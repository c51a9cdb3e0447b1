import { posix } from "node:path";
import type { InputProblem } from "../../inputs/input-error.ts";
import { code, inputName, listOf, quote, text } from "../../text/message.ts";
import type { ArchiveContent } from "./archive-content.ts";

/** The problem of a configuration file that is not in the archive. The path may be meant for another folder, or for Windows. */
export function describeMissingConfig(path: string, { files, inWorkspace }: ArchiveContent): InputProblem {
  const wanted = `/${path.replaceAll("\\", "/")}`;
  const found = [...files]
    .filter((file) => wanted.endsWith(`/${file}`) || `/${file}`.endsWith(wanted))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 5)
    .map((file) => code(`app_config_path: ${file}`));
  const problem = text`names ${quote(path)}, which is not in the archive of ${inputName("source_path")}`;
  return found.length > 0
    ? {
        input: "app_config_path",
        problem,
        hint: text`The path is relative to ${inputName("source_path")}, with ${code("/")} between its parts. Set ${listOf(found, "or")}.`,
      }
    : {
        input: "app_config_path",
        problem: text`${problem}: it is missing, ignored or a symbolic link`,
        hint: text`Add or correct the file in the checkout, or correct ${inputName("source_path")} or ${inputName("app_config_path")}.`,
        place: { path: posix.join(inWorkspace, path) },
      };
}
