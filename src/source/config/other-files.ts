// Rules of the configuration file that need other files.

import { posix } from "node:path";
import { parseEnv } from "node:util";
import { asObject, parseJsonObject, valuesAt } from "../../text/json.ts";
import { code, text } from "../../text/message.ts";
import { hasFile, isOutside, readInWorkspace } from "../source-files.ts";
import type { ConfigFile, Refused } from "./config-file.ts";

/** Finds that the workspace that `source` names lacks its lock file. */
export function missingLockFile({ path, content, listing }: ConfigFile): Refused[] {
  const { kind, root = "." } = asObject(content.source) ?? {};
  const lockFile = posix.join(posix.dirname(path), String(root), "uv.lock");
  return kind !== "uv" || hasFile(listing, lockFile) ? [] : [{ keys: ["source"], shown: code(lockFile) }];
}

/** Names of packages that the agent server itself consists of. */
const reserved =
  /^(src|langgraph([-_]api)?|langchain[-_]core|pydantic|orjson|fastapi|uvicorn|psycopg|httpx|langsmith)$/;

/** Finds folders in `dependencies` that become packages of their own names, because they have no package file. */
export function reservedFolders({ paths, listing }: ConfigFile): Refused[] {
  return paths
    .filter(({ keys, path }) => {
      const has = (name: string) => hasFile(listing, posix.join(path, name));
      const becomesPackage = has("__init__.py") && !has("pyproject.toml") && !has("setup.py");
      return keys[0] === "dependencies" && becomesPackage && reserved.test(posix.basename(path));
    })
    .map(({ keys, written }) => ({ keys, shown: code(written) }));
}

/** Finds packages and folders that the `package.json` beside the file needs, and that are not in the archive. */
export async function packagesOutside({ path, listing: { source, files } }: ConfigFile): Promise<Refused[]> {
  const read = async (file: string) => parseJsonObject(await readInWorkspace(source, file).catch(() => ""));
  const folder = posix.dirname(path);
  const packageFile = await read(posix.join(folder, "package.json"));
  const needed = ["dependencies", "devDependencies"].flatMap((kind) => valuesAt(packageFile, [kind, "*"]));
  const packages = files.filter((file) => posix.basename(file.path) === "package.json");
  const names = await Promise.all(packages.map(async (file) => (await read(file.path))?.name));
  return needed
    .filter(({ keys: [, name], value }) => {
      const [protocol, path = ""] = String(value).split(":", 2);
      if (protocol === "workspace") return !names.includes(name);
      return protocol === "file" && isOutside(posix.join(folder, path));
    })
    .map(({ keys: [, name], value }) => ({
      keys: [],
      shown: text`${code(String(name))} (${code(String(value))})`,
    }));
}

/** Finds variables of `env`, or of the file that it names, that the run does not send. The vendor's clients do. */
export async function unsentVariables({ path, content, listing, given }: ConfigFile): Promise<Refused[]> {
  const { env } = content;
  const read = (file: string) =>
    readInWorkspace(listing.source, posix.join(posix.dirname(path), file)).catch(() => "");
  const variables = typeof env === "string" ? parseEnv(await read(env)) : asObject(env);
  return (
    Object.entries(variables ?? {})
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !given.variables.includes(name))
      // A line of a key without quotes may end in `=`, like an assignment without a value.
      .filter(([, value]) => !/^=*$/.test(String(value)))
      .map(([name]) => ({ keys: ["env"], shown: code(name) }))
  );
}
