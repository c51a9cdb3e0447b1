import { posix } from "node:path";
import { asObject, valuesAt } from "../../text/json.ts";
import { code, inputName, type Message, type Phrase, phrase, quote, text } from "../../text/message.ts";
import { isOutside } from "../source-folder.ts";
import type { ConfigFile, Mistake } from "./config-file.ts";
import { missingLockFile, packagesOutside, reservedFolders, unsentVariables } from "./other-files.ts";

type FindMistakes = (config: ConfigFile) => readonly Mistake[] | Promise<readonly Mistake[]>;

export interface Rule {
  readonly find: FindMistakes;
  /** What is wrong with the file. A list of the mistakes follows it. */
  readonly problem: Phrase;
  readonly hint: Message | ((config: ConfigFile) => Message);
}

/** Mistakes with which no build can succeed. */
export const errorRules: readonly Rule[] = [
  {
    find: ({ graphs }) => missingKey("graphs", Object.keys(graphs).length === 0),
    problem: phrase`lacks what every agent needs`,
    hint: text`Name at least one graph, such as ${code('"graphs": {"agent": "./agent.py:graph"}')}.`,
  },
  {
    find: refusedValues("graphs.*", isMalformedGraph),
    problem: phrase`names graphs without ${code("path:attribute")}`,
    hint: text`Write each as a text such as ${code("./agent.py:graph")}, or as an object with it as ${code("path")}.`,
  },
  {
    find: pathsThatAre("outside"),
    problem: phrase`names what is outside of ${inputName("source_path")}, so it is not uploaded`,
    hint: suggestFolder,
  },
  {
    find: pathsThatAre("excluded"),
    problem: phrase`names folders that are in the checkout, but not in the archive`,
    hint: text`Correct the ignore rules that leave out their files. For a submodule, set ${code("submodules: true")} for ${code("actions/checkout")}.`,
  },
];

const attributeHint = text`Write it as ${code("./file.py:name")}.`;

/** Places in the file, and the values that the platform is known to accept there. */
const acceptedValues: readonly (readonly [place: string, accepted: RegExp, hint: Message])[] = [
  // Maybe with a distribution, such as `3.12-slim`.
  [
    "python_version",
    /^3\.(1[1-9]|[2-9]\d)(-[^.]*)?$/,
    text`Set "3.11" or newer, in quotes and without a patch level.`,
  ],
  ["node_version", /^([2-9]\d|\d{3,})$/, text`Set the major version alone, in quotes: "20" or newer.`],
  ["api_version", /^(>?~=\s*)?\d/, text`Set a text such as "0.8".`],
  ["image_distro", /^(debian|wolfi|bookworm)$/, text`Set debian, wolfi or bookworm.`],
  ["pip_installer", /^(auto|pip|uv)$/, text`Set auto, pip or uv.`],
  ["keep_pkg_tools.*", /^(pip|setuptools|wheel)$/, text`Name pip, setuptools or wheel.`],
  ["http.app", /^[^:]+:./, attributeHint],
  ["auth.path", /:/, attributeHint],
];
const refusedValue = phrase`sets a value that the platform may refuse`;

/** Mistakes that langgraph-cli 0.4.40 refuses, as the platform may too, and files that are probably missing. */
export const warningRules: readonly Rule[] = [
  {
    find: pathsThatAre("missing"),
    problem: phrase`names files or folders that are not in the archive`,
    hint: text`If the build does not create them, the build fails or the agent can't start. Check the paths, and the ignore rules. What is in ${code("dependencies")} must be a folder.`,
  },
  {
    find: graphsOutside,
    problem: phrase`names graphs that are in no folder of ${code("dependencies")}`,
    hint: text`Add their folders, such as ${code('"."')} for that of the file.`,
  },
  {
    find: (config) =>
      missingKey("dependencies", needsDependencies(config) && listedDependencies(config).length === 0),
    problem: phrase`lacks what a build for Python needs`,
    hint: text`For the folder of the file, add ${code('"dependencies": ["."]')}.`,
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
  {
    find: unsentVariables,
    problem: phrase`sets variables in ${code("env")}, which this action does not send`,
    hint: text`Add them to ${inputName("secrets")} or ${inputName("env_vars")}.`,
  },
  ...acceptedValues.map(([place, accepted, hint]) => {
    return { find: valuesOtherThan(place, accepted), problem: refusedValue, hint };
  }),
];

function missingKey(key: string, isMissing: boolean): readonly Mistake[] {
  return isMissing ? [{ keys: [key], label: code(key) }] : [];
}

/** Finds refused values at a place in the file. `*` stands for every entry. */
function refusedValues(place: string, isRefused: (value: unknown) => boolean): FindMistakes {
  return ({ content }) =>
    valuesAt(content, place.split("."))
      .filter(({ value }) => isRefused(value))
      .map(({ keys, value }) => {
        const shown = typeof value === "string" ? quote(value, 200) : code(JSON.stringify(value), 200);
        return { keys, label: phrase`${code(keys.join("."))} is ${shown}` };
      });
}

/** Finds all values but the accepted ones. An empty value stands for the default. */
function valuesOtherThan(place: string, accepted: RegExp): FindMistakes {
  return refusedValues(
    place,
    (value) => Boolean(value) && !(typeof value === "string" && accepted.test(value)),
  );
}

function pathOfGraph(graph: unknown): unknown {
  return asObject(graph)?.path ?? graph;
}

function isMalformedGraph(graph: unknown): boolean {
  const path = pathOfGraph(graph);
  return typeof path !== "string" || !/^[^:]+:./.test(path);
}

/** Finds paths in this state, except for those that a build command may create. */
function pathsThatAre(state: "outside" | "excluded" | "missing"): FindMistakes {
  return ({ paths, inputs }) =>
    state === "outside" || !inputs.hasBuildCommand
      ? paths.filter((path) => path.state === state).map(listPath)
      : [];
}

function listPath({ keys, written }: ConfigFile["paths"][number]): Mistake {
  return { keys, label: phrase`${code(written)} (${code(keys.join("."))})` };
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

/** Whether the platform builds an image for Python, in which graphs of JavaScript may run too, and not by a lock file. */
function needsDependencies({ content, graphs }: ConfigFile): boolean {
  const isScript = (graph: unknown) => /^[^:]*\.[cm]?[jt]s(:|$)/.test(String(pathOfGraph(graph)));
  const isPython = Boolean(content.python_version) || !Object.values(graphs).every(isScript);
  return isPython && !content.source;
}

function listedDependencies({ content }: ConfigFile) {
  return valuesAt(content, ["dependencies", "*"]);
}

/** Finds graphs outside of the folders in `dependencies`, which are all that a build for Python has. */
function graphsOutside(config: ConfigFile): Mistake[] {
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
function gitCredentials(config: ConfigFile): Mistake[] {
  return listedDependencies(config)
    .filter(({ value }) => /git\+https?:\/\/[^/\s"']*@/i.test(String(value)))
    .map(({ keys }) => ({ keys, label: code(keys.join(".")) }));
}
