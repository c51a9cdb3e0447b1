// Rules of the configuration file that need other files.

import { posix } from "node:path";
import { parseEnv } from "node:util";
import { asObject, parseJsonObject, valuesAt } from "../../text/json.ts";
import { code, phrase } from "../../text/message.ts";
import { hasFile } from "../list-files.ts";
import { isOutside, readInWorkspace } from "../source-folder.ts";
import type { ConfigFile, Mistake } from "./config-file.ts";

/** Finds the lock file of the workspace in `source`, if it is missing. */
export function missingLockFile({ path, content, listing }: ConfigFile): Mistake[] {
  const { kind, root = "." } = asObject(content.source) ?? {};
  const lockFile = posix.join(posix.dirname(path), String(root), "uv.lock");
  return kind !== "uv" || hasFile(listing, lockFile) ? [] : [{ keys: ["source"], label: code(lockFile) }];
}

/** The names of packages of the agent server itself. */
const reserved =
  /^(src|langgraph([-_]api)?|langchain[-_]core|pydantic|orjson|fastapi|uvicorn|psycopg|httpx|langsmith)$/;

/** Finds folders in `dependencies` that become packages with a reserved name, because they have no package file. */
export function reservedFolders({ paths, listing }: ConfigFile): Mistake[] {
  return paths
    .filter(({ keys, path }) => {
      const has = (name: string) => hasFile(listing, posix.join(path, name));
      const becomesPackage = has("__init__.py") && !has("pyproject.toml") && !has("setup.py");
      return keys[0] === "dependencies" && becomesPackage && reserved.test(posix.basename(path));
    })
    .map(({ keys, written }) => ({ keys, label: code(written) }));
}

/** Finds packages that the `package.json` beside the file needs, and that are not in the archive. */
export async function packagesOutside({ path, listing: { source, files } }: ConfigFile): Promise<Mistake[]> {
  const read = async (file: string) => parseJsonObject(await readInWorkspace(source, file).catch(() => ""));
  const folder = posix.dirname(path);
  const packageFile = await read(posix.join(folder, "package.json"));
  const needed = ["dependencies", "devDependencies"].flatMap((kind) => valuesAt(packageFile, [kind, "*"]));
  const packages = files.filter((file) => posix.basename(file.path) === "package.json");
  const names: unknown[] = [];
  // One after the other: a large repository has more than a process may open.
  for (const file of packages) names.push((await read(file.path))?.name);
  return needed
    .filter(({ keys: [, name], value }) => {
      const [protocol, packagePath = ""] = String(value).split(":", 2);
      if (protocol === "workspace") return !names.includes(name);
      return protocol === "file" && isOutside(posix.join(folder, packagePath));
    })
    .map(({ keys: [, name], value }) => ({
      keys: [],
      label: phrase`${code(String(name))} (${code(String(value))})`,
    }));
}

/** Finds variables of `env`, or of the file that it names, that the run does not send. The vendor's clients send them. */
export async function unsentVariables({ path, content, listing, inputs }: ConfigFile): Promise<Mistake[]> {
  const { env } = content;
  const read = (file: string) =>
    readInWorkspace(listing.source, posix.join(posix.dirname(path), file)).catch(() => "");
  const variables = typeof env === "string" ? parseEnv(await read(env)) : asObject(env);
  return (
    Object.entries(variables ?? {})
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !inputs.variables.includes(name))
      // The last line of a key without quotes may end in `=`, and so look like an assignment.
      .filter(([, value]) => !/^=*$/.test(String(value)))
      .map(([name]) => ({ keys: ["env"], label: code(name) }))
  );
}
