import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { code, input, listFirst, type Message, text } from "../../text/message.ts";
import type { ConfigFile, Mistake } from "./config-file.ts";
import { inputsFor } from "./missing-config.ts";
import type { NamedPath } from "./named-paths.ts";

/** The mistake of paths; undefined if there are none. `problem` ends with their list. */
function mistakeOf(paths: readonly NamedPath[], problem: Message, hint: Message): Mistake | undefined {
  const [first] = paths;
  const listed = listFirst(
    paths.map(({ written, keys }) => text`${code(written)} (${code(keys.join("."))})`),
  );
  return first && { problem: text`${problem}: ${listed}`, hint, keys: first.keys };
}

function inState({ paths }: ConfigFile, state: NamedPath["state"]): NamedPath[] {
  return paths.filter((path) => path.state === state);
}

/** The build has nothing but the folder of `source_path`. */
export async function pathsOutside(config: ConfigFile): Promise<Mistake | undefined> {
  const outside = inState(config, "outside");
  const inputs = await findAround(outside, config);
  return mistakeOf(
    outside,
    text`names what is outside of ${input("source_path")}, so it is not uploaded`,
    inputs === undefined ? text`Correct the paths.` : text`Set ${inputs}.`,
  );
}

/** The inputs for the nearest folder of the workspace that holds these paths too; undefined if they are not there. */
async function findAround(
  outside: readonly NamedPath[],
  { path: configPath, archive: { inWorkspace, workspace } }: ConfigFile,
): Promise<Message | undefined> {
  let around = inWorkspace.split("/");
  for (const { path } of outside) {
    const names = posix.join(inWorkspace, path).split("/");
    const isThere = await stat(join(workspace, ...names)).catch(() => undefined);
    if (names[0] === ".." || isThere === undefined) return undefined;
    around = around.filter((_, index) => around.slice(0, index + 1).every((name, at) => name === names[at]));
  }
  const sourcePath = around.join("/");
  return inputsFor(sourcePath, posix.relative(sourcePath, posix.join(inWorkspace, configPath)));
}

/** Without a command that may create them, the build lacks folders that are in the checkout alone. */
export function excludedFolders(config: ConfigFile): Mistake | undefined {
  if (config.given.hasBuildCommand) return undefined;
  return mistakeOf(
    inState(config, "excluded"),
    text`names folders that are in the checkout, but not in the archive`,
    text`Correct the ignore rules that leave out their files. For a submodule, set ${code("submodules: true")} for ${code("actions/checkout")}.`,
  );
}

export function missingPaths(config: ConfigFile): Mistake | undefined {
  if (config.given.hasBuildCommand) return undefined;
  return mistakeOf(
    inState(config, "missing"),
    text`names what is not in the archive`,
    text`If the build does not create it, the build fails or the agent can't start. Check the paths, and the ignore rules.`,
  );
}

export function filesAsFolders(config: ConfigFile): Mistake | undefined {
  const files = inState(config, "no folder");
  return mistakeOf(
    files,
    text`names files where the platform expects folders`,
    text`Name the folders around them.`,
  );
}

/** A build in Python has the folders in `dependencies` alone. */
export function modulesOutside(config: ConfigFile): Mistake | undefined {
  const { isPython, content } = config;
  const isListed = Array.isArray(content.dependencies) && content.dependencies.length > 0;
  if (!isPython || content.source || !isListed) return undefined;
  const folders = localDependencies(config).map(({ path }) => (path === "." ? "" : `${path}/`));
  const isInstalled = (path: string) => folders.some((folder) => path.startsWith(folder));
  return mistakeOf(
    inState(config, "there").filter(({ kind, path }) => kind === "module" && !isInstalled(path)),
    text`names files that are in no folder of ${code("dependencies")}`,
    text`Add their folders, such as ${code('"."')} for that of the file.`,
  );
}

/** The folders in `dependencies`. */
export function localDependencies({ paths }: ConfigFile): NamedPath[] {
  return paths.filter(({ keys }) => keys[0] === "dependencies");
}
