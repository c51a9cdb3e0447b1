import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { type Keys, valuesAt } from "../../text/json.ts";
import type { SourceListing } from "../list-files.ts";
import { isOutside } from "../source-folder.ts";

export interface NamedPath {
  /** The place of the path in the file. */
  readonly keys: Keys;
  /** The path as it is in the file, without the attribute. */
  readonly written: string;
  /** The path in the archive; it starts with `..` if it is outside. */
  readonly path: string;
  /** `excluded`: in the checkout, but not in the archive. */
  readonly state: "there" | "outside" | "excluded" | "missing";
}

const folderKeys = ["dependencies.*", "source.root"];
// biome-ignore format: several a line
const fileKeys = [
  "graphs.*", "graphs.*.path", "http.app", "auth.path", "encryption.path", "checkpointer.path",
  "store.index.embed", "ui.*", "pip_config_file",
];

/** Returns the paths that a configuration file names. `configPath`: its own path in the archive. */
export async function readNamedPaths(
  content: unknown,
  configPath: string,
  listing: SourceListing,
): Promise<NamedPath[]> {
  const read = async (pattern: string, { keys, value }: { readonly keys: Keys; readonly value: unknown }) => {
    const [written = ""] = typeof value === "string" ? value.split(":", 1) : [];
    const isFolder = folderKeys.includes(pattern);
    // Other values name a package, a module of Python, a model or a place in the image.
    const isPath = pattern === "source.root" || (isFolder ? /^\./ : /^\.|[/\\]/).test(written);
    if (!isPath || posix.isAbsolute(written)) return [];
    const path = posix.join(posix.dirname(configPath), written).replace(/(?<=.)\/$/, "");
    return [{ keys, written, path, state: await stateOf(path, isFolder, listing) }];
  };
  const named = [...folderKeys, ...fileKeys].flatMap((place) =>
    valuesAt(content, place.split(".")).map((entry) => read(place, entry)),
  );
  return (await Promise.all(named)).flat();
}

async function stateOf(
  path: string,
  isFolder: boolean,
  { source, files, missingSubmodules }: SourceListing,
): Promise<NamedPath["state"]> {
  if (isOutside(path)) return "outside";
  const isNamed = (file: string) => (isFolder ? file.startsWith(`${path}/`) : file === path);
  if (path === "." || files.some((file) => isNamed(file.path))) return "there";
  const isMissingSubmodule = missingSubmodules.some((name) => `${path}/`.startsWith(`${name}/`));
  const stats = await stat(join(source.path, path)).catch(() => undefined);
  return isFolder && (isMissingSubmodule || stats?.isDirectory()) ? "excluded" : "missing";
}
