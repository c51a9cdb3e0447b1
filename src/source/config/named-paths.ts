import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { type Keys, valuesAt } from "../../text/json.ts";
import type { ArchiveContent } from "./archive-content.ts";

/** A path that the configuration file names. */
export interface NamedPath {
  /** Where the path is in the file. */
  readonly keys: Keys;
  /** The path as it is written, without the attribute. */
  readonly written: string;
  /** The path in the archive; it starts with `..` if it is outside. */
  readonly path: string;
  readonly kind: PathKind;
  /** `there`: it exists, or a command may create it; `excluded`: in the checkout, but not in the archive. */
  readonly state: "there" | "outside" | "excluded" | "missing" | "no folder";
}

/** `module`: the path of a file, with an attribute of it; a build in Python installs only those in `dependencies`. */
type PathKind = "folder" | "file" | "module";

/** The keys whose values name paths. Other values name a package, a module of Python, a model or a place in the image. */
const namingKeys: readonly (readonly [keys: string, kind: PathKind, isPath: RegExp])[] = [
  ["dependencies.*", "folder", /^\./],
  ["source.root", "folder", /./],
  ["graphs.*", "module", /[/\\]/],
  ["graphs.*.path", "module", /[/\\]/],
  ["http.app", "module", /[/\\]/],
  ["auth.path", "module", /^\./],
  ["encryption.path", "module", /^\./],
  ["checkpointer.path", "module", /^\./],
  ["priority.path", "module", /^\./],
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
  const named = namingKeys.flatMap(([place, kind, isPath]) =>
    valuesAt(content, place.split(".")).flatMap(({ keys, value }) => {
      const [written = ""] = typeof value === "string" ? value.split(":", 1) : [];
      if (!isPath.test(written) || posix.isAbsolute(written)) return [];
      const path = posix.join(posix.dirname(configPath), written).replace(/(?<=.)\/$/, "");
      return [{ keys, written, path, kind }];
    }),
  );
  return await Promise.all(
    named.map(async (one) => {
      const state = await stateOf(one, archive);
      const isCreated = hasBuildCommand && (state === "missing" || state === "excluded");
      return { ...one, state: isCreated ? "there" : state };
    }),
  );
}

async function stateOf(
  { path, kind }: Pick<NamedPath, "path" | "kind">,
  { folder, files, folders, missingSubmodules }: ArchiveContent,
): Promise<NamedPath["state"]> {
  if (path === ".." || path.startsWith("../")) return "outside";
  if (kind !== "folder") {
    // JavaScript may leave out the extension.
    return files.has(path) || [...files].some((file) => file.startsWith(`${path}.`)) ? "there" : "missing";
  }
  if (folders.has(path)) return "there";
  if (files.has(path)) return "no folder";
  const isInCheckout = await stat(join(folder, path)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const isMissingSubmodule = missingSubmodules.some((name) => `${path}/`.startsWith(`${name}/`));
  return isInCheckout || isMissingSubmodule ? "excluded" : "missing";
}
