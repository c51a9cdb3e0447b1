import { posix } from "node:path";
import { code, inputName, type Message, phrase, text } from "../../text/message.ts";
import { isOutside } from "../source-folder.ts";
import type { ConfigFile, Mistake, Rule } from "./config-file.ts";
import type { NamedPath } from "./named-paths.ts";

/** Rules for the paths that the file names. */
export const pathRules: readonly Rule[] = [
  {
    preventsBuild: true,
    find: ({ paths }) => pathsThatAre("outside", paths),
    problem: phrase`names what is outside of ${inputName("source_path")}, so it is not uploaded`,
    hint: suggestFolder,
  },
  {
    preventsBuild: true,
    find: ({ paths, inputs }) => (inputs.hasBuildCommand ? [] : pathsThatAre("excluded", paths)),
    problem: phrase`names folders that are in the checkout, but not in the archive`,
    hint: text`Correct the ignore rules that leave out their files. For a submodule, set ${code("submodules: true")} for ${code("actions/checkout")}.`,
  },
  {
    find: ({ paths, inputs }) => (inputs.hasBuildCommand ? [] : pathsThatAre("missing", paths)),
    problem: phrase`names files or folders that are not in the archive`,
    hint: text`If the build does not create them, the build fails or the agent can't start. Check the paths, and the ignore rules. What is in ${code("dependencies")} must be a folder.`,
  },
];

function pathsThatAre(state: NamedPath["state"], paths: readonly NamedPath[]): readonly Mistake[] {
  return paths.filter((path) => path.state === state).map(mistakenPath);
}

export function mistakenPath({ keys, written }: NamedPath): Mistake {
  return { keys, label: phrase`${code(written)} (${code(keys.join("."))})` };
}

/** Suggests the nearest folder of the workspace that holds the file and the paths outside of `source_path`. */
function suggestFolder({ pathInWorkspace, paths }: ConfigFile): Message {
  let folder = posix.dirname(pathInWorkspace);
  const outside = paths
    .filter(({ state }) => state === "outside")
    .map(({ written }) => posix.join(folder, written, "/"));
  if (outside.some(isOutside)) return text`Correct the paths.`;
  while (folder !== "." && !outside.every((path) => path.startsWith(`${folder}/`))) {
    folder = posix.dirname(folder);
  }
  const path = posix.relative(folder, pathInWorkspace);
  return text`Set ${code(`source_path: ${folder}`)} and ${code(`app_config_path: ${path}`)}.`;
}
