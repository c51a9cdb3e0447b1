import { posix } from "node:path";
import { asObject, parseJsonObject, valuesAt } from "../../text/json.ts";
import { code, inputName, phrase, text } from "../../text/message.ts";
import { hasFile } from "../list-files.ts";
import { isOutside, readInWorkspace } from "../source-folder.ts";
import type { ConfigFile, Mistake, Rule } from "./config-file.ts";
import { mistakenPath } from "./path-rules.ts";
import { pathOfGraph } from "./value-rules.ts";

/** Rules for what a build installs. */
export const buildRules: readonly Rule[] = [
  {
    find: (config) =>
      needsDependencies(config) && dependenciesOf(config).length === 0
        ? [{ keys: ["dependencies"], label: code("dependencies") }]
        : [],
    problem: phrase`lacks what a build for Python needs`,
    hint: text`For the folder of the file, add ${code('"dependencies": ["."]')}.`,
  },
  {
    find: graphsOutside,
    problem: phrase`names graphs that are in no folder of ${code("dependencies")}`,
    hint: text`Add their folders, such as ${code('"."')} for that of the file.`,
  },
  {
    find: missingLockFile,
    problem: phrase`has the source ${code("uv")}, but its lock file is not in the archive`,
    hint: text`Commit the file that ${code("uv lock")} writes, or correct ${code("source.root")}.`,
  },
  {
    find: reservedFolders,
    problem: phrase`has ${code("dependencies")} with reserved names`,
    hint: text`Rename the folders, or add a ${code("pyproject.toml")}.`,
  },
  {
    find: gitCredentials,
    problem: phrase`has a dependency whose Git URL holds credentials, which the platform may refuse`,
    hint: text`Remove them from the URL.`,
  },
  {
    find: packagesOutside,
    problem: phrase`is built with a ${code("package.json")} that needs packages outside of ${inputName("source_path")}`,
    hint: text`Set ${inputName("source_path")} to a folder that holds them too, and ${inputName("app_config_path")} to the path of the file in it.`,
  },
];

/** Whether the platform builds an image for Python, in which graphs of JavaScript may run too, and not by a lock file. */
function needsDependencies({ content, graphs }: ConfigFile): boolean {
  const isScript = (graph: unknown) => /^[^:]*\.[cm]?[jt]s(:|$)/.test(String(pathOfGraph(graph)));
  const isPython = Boolean(content.python_version) || !Object.values(graphs).every(isScript);
  return isPython && !content.source;
}

function dependenciesOf({ content }: ConfigFile) {
  return valuesAt(content, ["dependencies", "*"]);
}

/** Finds graphs outside of the folders in `dependencies`, which are all that a build for Python has. */
function graphsOutside(config: ConfigFile): Mistake[] {
  const { paths } = config;
  if (!needsDependencies(config) || dependenciesOf(config).length === 0) return [];
  const folders = paths
    .filter(({ keys }) => keys[0] === "dependencies")
    .map(({ path }) => (path === "." ? "" : `${path}/`));
  return paths
    .filter(({ keys, state }) => keys[0] === "graphs" && state === "there")
    .filter(({ path }) => !folders.some((folder) => path.startsWith(folder)))
    .map(mistakenPath);
}

/** Finds the lock file of the workspace in `source`, if it is missing. */
function missingLockFile({ path, content, listing }: ConfigFile): Mistake[] {
  const { kind, root = "." } = asObject(content.source) ?? {};
  const lockFile = posix.join(posix.dirname(path), String(root), "uv.lock");
  return kind !== "uv" || hasFile(listing, lockFile) ? [] : [{ keys: ["source"], label: code(lockFile) }];
}

/** The names of packages of the agent server itself. */
const reserved =
  /^(src|langgraph([-_]api)?|langchain[-_]core|pydantic|orjson|fastapi|uvicorn|psycopg|httpx|langsmith)$/;

/** Finds folders in `dependencies` that become packages with a reserved name, because they have no package file. */
function reservedFolders({ paths, listing }: ConfigFile): Mistake[] {
  return paths
    .filter(({ keys, path }) => {
      const has = (name: string) => hasFile(listing, posix.join(path, name));
      const becomesPackage = has("__init__.py") && !has("pyproject.toml") && !has("setup.py");
      return keys[0] === "dependencies" && becomesPackage && reserved.test(posix.basename(path));
    })
    .map(({ keys, written }) => ({ keys, label: code(written) }));
}

/** Finds URLs with credentials for git, which would stay in the layers of the image. */
function gitCredentials(config: ConfigFile): Mistake[] {
  return dependenciesOf(config)
    .filter(({ value }) => /git\+https?:\/\/[^/\s"']*@/i.test(String(value)))
    .map(({ keys }) => ({ keys, label: code(keys.join(".")) }));
}

/** Finds packages that the `package.json` beside the file needs, and that are not in the archive. */
async function packagesOutside({ path, listing: { source, files } }: ConfigFile): Promise<Mistake[]> {
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
