// Rules of the configuration file that need other files.

import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { parseEnv } from "node:util";
import { isReservedName } from "../../platform/langsmith-rules.ts";
import { asObject, parseJsonObject, valuesAt } from "../../text/json.ts";
import { code, text } from "../../text/message.ts";
import type { ConfigFile, Refused } from "./config-file.ts";

/** The lock file of the workspace that `source` names. */
export function missingLockFile({ content, paths, archive }: ConfigFile): Refused[] {
  if (asObject(content.source)?.kind !== "uv") return [];
  const root = paths.find(({ keys }) => keys[0] === "source")?.path ?? ".";
  const lockFile = posix.join(root, "uv.lock");
  return archive.files.has(lockFile) ? [] : [{ keys: ["source"], shown: text`${code(lockFile)}` }];
}

/** Names of packages that the agent server itself consists of. */
const reserved =
  /^(src|langgraph([-_]api)?|langchain[-_]core|pydantic|orjson|fastapi|uvicorn|psycopg|httpx|langsmith)$/;

/** Folders in `dependencies` that become packages of their own names, because they have no package file. */
export function reservedFolders({ paths, archive: { files } }: ConfigFile): Refused[] {
  return paths
    .filter(({ keys, path }) => {
      const has = (name: string) => files.has(posix.join(path, name));
      const isOwnPackage = has("__init__.py") && !has("pyproject.toml") && !has("setup.py");
      return keys[0] === "dependencies" && isOwnPackage && reserved.test(posix.basename(path));
    })
    .map(({ keys, written }) => ({ keys, shown: text`${code(written)}` }));
}

/** Packages of a workspace, and folders, that the `package.json` beside the file needs. */
export async function packagesOutside({ path, archive }: ConfigFile): Promise<Refused[]> {
  const read = async (file: string) =>
    archive.files.has(file) ? parseJsonObject(await readFile(join(archive.folder, file), "utf8")) : undefined;
  const folder = posix.dirname(path);
  const own = await read(posix.join(folder, "package.json"));
  const needed = ["dependencies", "devDependencies"].flatMap((kind) => valuesAt(own, [kind, "*"]));
  if (!needed.some(({ value }) => /^(workspace|file):/.test(String(value)))) return [];
  const packages = [...archive.files].filter((file) => posix.basename(file) === "package.json");
  const names = await Promise.all(packages.map(async (file) => (await read(file))?.name));
  return needed
    .filter(({ keys: [, name], value }) => {
      const [protocol, target = ""] = String(value).split(":", 2);
      if (protocol === "workspace") return !names.includes(name);
      return protocol === "file" && posix.join(folder, target).startsWith("..");
    })
    .map(({ keys: [, name], value }) => ({
      keys: [],
      shown: text`${code(String(name))} (${code(String(value))})`,
    }));
}

/** The vendor's clients send the variables of `env`, or of the file that it names, beside the archive. */
export async function unsentVariables({ path, content, archive, given }: ConfigFile): Promise<Refused[]> {
  const { env } = content;
  const read = async (file: string) => {
    const place = join(archive.folder, posix.dirname(path), file);
    return parseEnv(await readFile(place, "utf8").catch(() => ""));
  };
  const variables = typeof env === "string" ? await read(env) : (asObject(env) ?? {});
  return Object.entries(variables)
    .filter(([name, value]) => isVariable(name, value) && !isReservedName(name))
    .filter(([name]) => !given.variables.includes(name))
    .map(([name]) => ({ keys: ["env"], shown: text`${code(name)}` }));
}

/** A line of a key without quotes may end in `=`, like an assignment without a value. */
function isVariable(name: string, value: unknown): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !/^=*$/.test(String(value));
}
