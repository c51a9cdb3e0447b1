import { posix } from "node:path";
import { valuesAt } from "../../text/json.ts";
import { code, inputName, type Message, quote, text } from "../../text/message.ts";
import { isOutside } from "../source-files.ts";
import { type ConfigFile, pathOfGraph, type Refused } from "./config-file.ts";
import { missingLockFile, packagesOutside, reservedFolders, unsentVariables } from "./other-files.ts";

type Find = (config: ConfigFile) => readonly Refused[] | Promise<readonly Refused[]>;

/** `problem`: the predicate of a sentence about the file. A list of the refused values follows it. */
export type Rule = readonly [find: Find, problem: Message, hint: Message | ((config: ConfigFile) => Message)];

/** Mistakes with which no build can succeed. */
export const errorRules: readonly Rule[] = [
  [
    ({ graphs }) => missingKey("graphs", Object.keys(graphs).length === 0),
    text`lacks what every agent needs`,
    text`Name at least one graph, such as ${code('"graphs": {"agent": "./agent.py:graph"}')}.`,
  ],
  [
    refusedValues("graphs.*", isMalformedGraph),
    text`names graphs without ${code("path:attribute")}`,
    text`Write each as a text such as ${code("./agent.py:graph")}, or as an object with it as ${code("path")}.`,
  ],
  [
    pathsThatAre("outside"),
    text`names what is outside of ${inputName("source_path")}, so it is not uploaded`,
    suggestFolder,
  ],
  [
    pathsThatAre("excluded"),
    text`names folders that are in the checkout, but not in the archive`,
    text`Correct the ignore rules that leave out their files. For a submodule, set ${code("submodules: true")} for ${code("actions/checkout")}.`,
  ],
];

const withName = text`Write it as ${code("./file.py:name")}.`;

/** Places in the file, and the values that the platform is known to accept there. */
const acceptedValues: readonly (readonly [place: string, accepted: RegExp, hint: Message])[] = [
  [
    "python_version",
    /^(3\.(1[1-9]|[2-9]\d)|[4-9]\.\d+)(-(?!.*bullseye)[^.]*)?$/,
    text`Set "3.11" or newer, in quotes and without a patch level.`,
  ],
  ["node_version", /^([2-9]\d|\d{3,})$/, text`Set the major version alone, in quotes: "20" or newer.`],
  ["api_version", /^(>?~=\s*)?\d+(\.\d+){0,2}(\.?[a-z][0-9a-z]*)?(-.*)?$/i, text`Set a text such as "0.8".`],
  ["image_distro", /^(debian|wolfi|bookworm)$/, text`Set debian, wolfi or bookworm.`],
  ["pip_installer", /^(auto|pip|uv)$/, text`Set auto, pip or uv.`],
  ["keep_pkg_tools.*", /^(pip|setuptools|wheel)$/, text`Name pip, setuptools or wheel.`],
  ["http.app", /^[^:]+:./, withName],
  ["auth.path", /:/, withName],
];
const refusedValue = text`sets a value that the platform may refuse`;

/** Mistakes that langgraph-cli 0.4.40 refuses, as the platform may too, and files that are probably missing. */
export const warningRules: readonly Rule[] = [
  [
    pathsThatAre("missing"),
    text`names files or folders that are not in the archive`,
    text`If the build does not create them, the build fails or the agent can't start. Check the paths, and the ignore rules. What is in ${code("dependencies")} must be a folder.`,
  ],
  [
    graphsOutside,
    text`names graphs that are in no folder of ${code("dependencies")}`,
    text`Add their folders, such as ${code('"."')} for that of the file.`,
  ],
  [
    (config) =>
      missingKey("dependencies", needsDependencies(config) && listedDependencies(config).length === 0),
    text`lacks what a build for Python needs`,
    text`For the folder of the file, add ${code('"dependencies": ["."]')}.`,
  ],
  [
    missingLockFile,
    text`has the source ${code("uv")}, but its lock file is not in the archive`,
    text`Commit the file that ${code("uv lock")} writes, or correct ${code("source.root")}.`,
  ],
  [
    reservedFolders,
    text`has ${code("dependencies")} with reserved names`,
    text`Rename the folders, or add a ${code("pyproject.toml")}.`,
  ],
  [
    gitCredentials,
    text`has a dependency whose Git URL holds credentials, which the platform may refuse`,
    text`Remove them from the URL.`,
  ],
  [
    packagesOutside,
    text`is built with a ${code("package.json")} that needs packages outside of ${inputName("source_path")}`,
    text`Set ${inputName("source_path")} to a folder that holds them too, and ${inputName("app_config_path")} to the path of the file in it.`,
  ],
  [
    unsentVariables,
    text`sets variables in ${code("env")}, which this action does not send`,
    text`Add them to ${inputName("secrets")} or ${inputName("env_vars")}.`,
  ],
  ...acceptedValues.map(
    ([place, accepted, hint]): Rule => [valuesOtherThan(place, accepted), refusedValue, hint],
  ),
];

function missingKey(key: string, isMissing: boolean): readonly Refused[] {
  return isMissing ? [{ keys: [key], label: code(key) }] : [];
}

/** Finds refused values at a place in the file. `*` stands for every entry. */
function refusedValues(place: string, isRefused: (value: unknown) => boolean): Find {
  return ({ content }) =>
    valuesAt(content, place.split("."))
      .filter(({ value }) => isRefused(value))
      .map(({ keys, value }) => {
        const shown = typeof value === "string" ? quote(value, 200) : code(JSON.stringify(value), 200);
        return { keys, label: text`${code(keys.join("."))} is ${shown}` };
      });
}

/** Finds all values but the accepted ones. An empty value stands for the default. */
function valuesOtherThan(place: string, accepted: RegExp): Find {
  return refusedValues(
    place,
    (value) => Boolean(value) && !(typeof value === "string" && accepted.test(value)),
  );
}

function isMalformedGraph(graph: unknown): boolean {
  const path = pathOfGraph(graph);
  return typeof path !== "string" || !/^[^:]+:./.test(path);
}

/** Finds paths in this state, except for those that a build command may create. */
function pathsThatAre(state: "outside" | "excluded" | "missing"): Find {
  return ({ paths, appConfig }) =>
    state === "outside" || !appConfig.hasBuildCommand
      ? paths.filter((path) => path.state === state).map(listPath)
      : [];
}

function listPath({ keys, written }: ConfigFile["paths"][number]): Refused {
  return { keys, label: text`${code(written)} (${code(keys.join("."))})` };
}

/** Suggests the nearest folder of the workspace that holds the file and the paths outside of `source_path`. */
function suggestFolder({ pathInWorkspace, paths }: ConfigFile): Message {
  let folder = posix.dirname(pathInWorkspace);
  const outside = paths
    .filter(({ state }) => state === "outside")
    .map(({ written }) => posix.join(folder, written, "/"));
  if (outside.some(isOutside)) return text`Correct the paths.`;
  while (folder !== "." && !outside.every((path) => path.startsWith(`${folder}/`))) {
    folder = posix.dirname(folder);
  }
  const path = posix.relative(folder, pathInWorkspace);
  return text`Set ${code(`source_path: ${folder}`)} and ${code(`app_config_path: ${path}`)}.`;
}

function needsDependencies({ isPython, content }: ConfigFile): boolean {
  return isPython && !content.source;
}

function listedDependencies({ content }: ConfigFile) {
  return valuesAt(content, ["dependencies", "*"]);
}

/** Finds graphs outside of the folders in `dependencies`, which are all that a build for Python has. */
function graphsOutside(config: ConfigFile): Refused[] {
  const { paths } = config;
  if (!needsDependencies(config) || listedDependencies(config).length === 0) return [];
  const folders = paths
    .filter(({ keys }) => keys[0] === "dependencies")
    .map(({ path }) => (path === "." ? "" : `${path}/`));
  return paths
    .filter(({ keys, state }) => keys[0] === "graphs" && state === "there")
    .filter(({ path }) => !folders.some((folder) => path.startsWith(folder)))
    .map(listPath);
}

/** Finds URLs with credentials for git, which would stay in the layers of the image. */
function gitCredentials(config: ConfigFile): Refused[] {
  return listedDependencies(config)
    .filter(({ value }) => /git\+https?:\/\/[^/\s"']*@/i.test(String(value)))
    .map(({ keys }) => ({ keys, label: code(keys.join(".")) }));
}
