import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { code, inputName, listFirst, type Message, text } from "../../text/message.ts";
import type { ConfigFile, Mistake, Rule } from "./config-file.ts";
import type { NamedPath } from "./named-paths.ts";

/** Refuses paths in one state. `problem` ends with their list. */
export function pathsIn(state: NamedPath["state"], problem: Message, hint: Message): Rule {
  return ({ paths }) =>
    mistakeOf(
      paths.filter((path) => path.state === state),
      problem,
      hint,
    );
}

function mistakeOf(paths: readonly NamedPath[], problem: Message, hint: Message): Mistake | undefined {
  const [first] = paths;
  const named = paths.map(({ written, keys }) => text`${code(written)} (${code(keys.join("."))})`);
  return first && { problem: text`${problem}: ${listFirst(named)}`, hint, keys: first.keys };
}

/**
 * Paths outside of the folder of `source_path`, which the build does not have. Suggests the nearest folder that holds these
 * paths too.
 */
export async function pathsOutside(config: ConfigFile): Promise<Mistake | undefined> {
  const { inWorkspace, workspace } = config.archive;
  const outside = config.paths.filter(({ state }) => state === "outside");
  let around = inWorkspace.split("/");
  let hint = text`Correct the paths.`;
  const targets = outside.map(({ path }) => posix.join(inWorkspace, path));
  for (const names of targets.map((path) => path.split("/"))) {
    around = around.filter((_, index) => around.slice(0, index + 1).every((name, at) => name === names[at]));
  }
  const areThere = await Promise.all(
    targets.map((path) => !path.startsWith("..") && exists(join(workspace, path))),
  );
  if (areThere.every(Boolean)) {
    const sourcePath = around.join("/");
    const appConfigPath = posix.relative(sourcePath, posix.join(inWorkspace, config.path));
    hint = text`Set ${code(`source_path: ${sourcePath || "."}`)} and ${code(`app_config_path: ${appConfigPath}`)}.`;
  }
  return mistakeOf(
    outside,
    text`names what is outside of ${inputName("source_path")}, so it is not uploaded`,
    hint,
  );
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** Modules outside of the folders in `dependencies`, which are all that a build in Python has. */
export function modulesOutside(config: ConfigFile): Mistake | undefined {
  const { isPython, content, paths } = config;
  const isListed = Array.isArray(content.dependencies) && content.dependencies.length > 0;
  if (!isPython || content.source || !isListed) return undefined;
  const folders = localDependencies(config).map(({ path }) => (path === "." ? "" : `${path}/`));
  const isInstalled = (path: string) => folders.some((folder) => path.startsWith(folder));
  return mistakeOf(
    paths.filter(({ kind, state, path }) => kind === "module" && state === "there" && !isInstalled(path)),
    text`names files that are in no folder of ${code("dependencies")}`,
    text`Add their folders, such as ${code('"."')} for that of the file.`,
  );
}

/** The folders in `dependencies`. */
export function localDependencies({ paths }: ConfigFile): NamedPath[] {
  return paths.filter(({ keys }) => keys[0] === "dependencies");
}
