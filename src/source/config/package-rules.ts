import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { asObject, parseJson, valuesAt } from "../../text/json.ts";
import { code, inputName, listFirst, text } from "../../text/message.ts";
import type { ConfigFile, Mistake } from "./config-file.ts";
import { localDependencies } from "./path-rules.ts";

/** The lock file is missing of the workspace that `source` names. */
export function missingLockFile({ content, paths, archive }: ConfigFile): Mistake | undefined {
  if (asObject(content.source)?.kind !== "uv") return undefined;
  const root = paths.find(({ keys }) => keys[0] === "source")?.path ?? ".";
  if (archive.files.has(posix.join(root, "uv.lock"))) return undefined;
  return {
    problem: text`has the source ${code("uv")}, but there is no ${code("uv.lock")} in ${code(root)}`,
    hint: text`Commit the file that ${code("uv lock")} writes, or correct ${code("source.root")}.`,
    keys: ["source"],
  };
}

/** Names of packages that the agent server itself consists of. */
const reserved =
  /^(src|langgraph([-_]api)?|langchain[-_]core|pydantic|orjson|fastapi|uvicorn|psycopg|httpx|langsmith)$/;

/** A folder without a package file becomes a package of its own name, or of those of the folders in it. */
export function reservedFolders(config: ConfigFile): Mistake | undefined {
  const { files, folders } = config.archive;
  const names = localDependencies(config).flatMap(({ path }) => {
    const has = (name: string) => files.has(posix.join(path, name));
    if (has("pyproject.toml") || has("setup.py")) return [];
    if (has("__init__.py")) return [path];
    const isPackage = (folder: string) =>
      [...files].some((file) => posix.dirname(file) === folder && file.endsWith(".py"));
    return [...folders].filter((folder) => posix.dirname(folder) === path && isPackage(folder));
  });
  const found = names.filter((name) => reserved.test(posix.basename(name)));
  if (!config.isPython || found.length === 0) return undefined;
  return {
    problem: text`has folders of ${code("dependencies")} with reserved names: ${listFirst(found.map((name) => code(name)))}`,
    hint: text`Rename them, or add a ${code("pyproject.toml")}.`,
    keys: ["dependencies"],
  };
}

/** Credentials for git would stay in the layers of the image. */
export function gitCredentials({ content }: ConfigFile): Mistake | undefined {
  const urlWithUser = /git\+https?:\/\/[^/\s"']*@/i;
  const found = valuesAt(content, ["dependencies", "*"]).find(({ value }) => urlWithUser.test(String(value)));
  return (
    found && {
      problem: text`has a dependency whose Git URL holds credentials, which the platform may refuse`,
      hint: text`Remove them from the URL.`,
      keys: found.keys,
    }
  );
}

/** Packages of a workspace, and folders, that the `package.json` beside the file needs. */
export async function packagesOutside({ path, archive }: ConfigFile): Promise<Mistake | undefined> {
  const folder = posix.dirname(path);
  const read = async (file: string) =>
    archive.files.has(file) ? parseJson(await readFile(join(archive.folder, file), "utf8")) : undefined;
  const own = await read(posix.join(folder, "package.json"));
  const needed = ["dependencies", "devDependencies"].flatMap((kind) => valuesAt(own, [kind, "*"]));
  const ranges = needed.map(({ keys: [, name], value }) => ({ name, range: String(value) }));
  if (!ranges.some(({ range }) => /^(workspace|file):/.test(range))) return undefined;
  const packages = [...archive.files].filter((file) => posix.basename(file) === "package.json");
  const names = await Promise.all(packages.map(async (file) => asObject(await read(file))?.name));
  const outside = ranges.filter(({ name, range }) =>
    range.startsWith("file:")
      ? posix.join(folder, range.slice("file:".length)).startsWith("..")
      : range.startsWith("workspace:") && !names.includes(name),
  );
  if (outside.length === 0) return undefined;
  const listed = listFirst(outside.map(({ name, range }) => text`${code(String(name))} (${code(range)})`));
  return {
    problem: text`is built with a ${code("package.json")} that needs packages outside of ${inputName("source_path")}: ${listed}`,
    hint: text`Set ${inputName("source_path")} to a folder that holds them too, and ${inputName("app_config_path")} to the path of the file in it.`,
  };
}
