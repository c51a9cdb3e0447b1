import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { type Keys, valuesAt } from "../../text/json.ts";

/** What will be in the archive. */
export interface ArchiveContent {
  /** The folder of `source_path`, absolute. */
  readonly folder: string;
  /** The same relative to the workspace; `""` if it is the workspace. */
  readonly inWorkspace: string;
  readonly files: ReadonlySet<string>;
  /** The folders around the files. */
  readonly folders: ReadonlySet<string>;
  readonly missingSubmodules: readonly string[];
}

/** A path that the configuration file names. */
export interface NamedPath {
  /** Where the path is in the file. */
  readonly keys: Keys;
  /** The path as it is written, without the attribute. */
  readonly written: string;
  /** The path in the archive; it starts with `..` if it is outside. */
  readonly path: string;
  readonly state: PathState;
}

/** `there`: it exists, or a command may create it; `excluded`: in the checkout, but not in the archive. */
export type PathState = "there" | "outside" | "excluded" | "missing";

/** The keys whose values name paths. Other values name a package, a module of Python, a model or a place in the image. */
const namingKeys: readonly (readonly [keys: string, kind: "folder" | "file", isPath: RegExp])[] = [
  ["dependencies.*", "folder", /^\./],
  ["source.root", "folder", /./],
  ["graphs.*", "file", /[/\\]/],
  ["graphs.*.path", "file", /[/\\]/],
  ["http.app", "file", /[/\\]/],
  ["auth.path", "file", /^\./],
  ["encryption.path", "file", /^\./],
  ["checkpointer.path", "file", /^\./],
  ["store.index.embed", "file", /^\./],
  ["ui.*", "file", /./],
  ["pip_config_file", "file", /./],
];

/** The paths that a configuration file names. `configPath`: in the archive; the others are relative to its folder. */
export async function readNamedPaths(
  content: unknown,
  configPath: string,
  hasBuildCommand: boolean,
  archive: ArchiveContent,
): Promise<NamedPath[]> {
  const read = async (keys: Keys, value: unknown, isFolder: boolean, isPath: RegExp) => {
    const [written = ""] = typeof value === "string" ? value.split(":", 1) : [];
    if (!isPath.test(written) || posix.isAbsolute(written)) return [];
    const path = posix.join(posix.dirname(configPath), written).replace(/(?<=.)\/$/, "");
    return [{ keys, written, path, state: await stateOf(path, isFolder, hasBuildCommand, archive) }];
  };
  const named = namingKeys.flatMap(([place, kind, isPath]) =>
    valuesAt(content, place.split(".")).map(({ keys, value }) =>
      read(keys, value, kind === "folder", isPath),
    ),
  );
  return (await Promise.all(named)).flat();
}

async function stateOf(
  path: string,
  isFolder: boolean,
  hasBuildCommand: boolean,
  { folder, files, folders, missingSubmodules }: ArchiveContent,
): Promise<PathState> {
  if (path === ".." || path.startsWith("../")) return "outside";
  if (hasBuildCommand || (folders.has(path) && isFolder)) return "there";
  // JavaScript may leave out the extension.
  if (!isFolder) return [...files].some((file) => `${file}.`.startsWith(`${path}.`)) ? "there" : "missing";
  const isMissingSubmodule = missingSubmodules.some((name) => `${path}/`.startsWith(`${name}/`));
  const found = await stat(join(folder, path)).catch(() => undefined);
  return isMissingSubmodule || found?.isDirectory() ? "excluded" : "missing";
}
