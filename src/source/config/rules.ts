import { asObject, valuesAt } from "../../text/json.ts";
import { code, listFirst, quote, text } from "../../text/message.ts";
import type { ConfigFile, Mistake, Rule } from "./config-file.ts";
import { unsentVariables } from "./env-rule.ts";
import { gitCredentials, missingLockFile, packagesOutside, reservedFolders } from "./package-rules.ts";
import { modulesOutside, pathsIn, pathsOutside } from "./path-rules.ts";

const asModule = text`Write it as ${code("./file.py:name")}.`;
const pythonVersion = text`Set 3.11 or newer, without a patch level.`;

/** Mistakes with which no build can succeed. */
export const errors: readonly Rule[] = [
  withoutGraphs,
  (config) => malformedGraphs(config, config.isPython),
  pathsOutside,
  pathsIn(
    "excluded",
    text`names folders that are in the checkout, but not in the archive`,
    text`Correct the ignore rules that leave out their files. For a submodule, set ${code("submodules: true")} for ${code("actions/checkout")}.`,
  ),
];

/** Mistakes that langgraph-cli 0.4.40 refuses, so that the platform may too, and files that are likely to be missing. */
export const warnings: readonly Rule[] = [
  pathsIn(
    "missing",
    text`names what is not in the archive`,
    text`If the build does not create it, the build fails or the agent can't start. Check the paths, and the ignore rules.`,
  ),
  pathsIn(
    "no folder",
    text`names files where the platform expects folders`,
    text`Name the folders around them.`,
  ),
  modulesOutside,
  (config) => malformedGraphs(config, true),
  withoutDependencies,
  missingLockFile,
  reservedFolders,
  gitCredentials,
  packagesOutside,
  unsentVariables,
  setting("python_version", /^(3\.(1[1-9]|[2-9]\d)|[4-9]\.\d+)(-(?!.*bullseye)[^.]*)?$/, pythonVersion),
  setting("node_version", /^([2-9]\d|\d{3,})$/, text`Set the major version alone, 20 or newer.`),
  setting("api_version", /^(>?~=\s*)?\d+(\.\d+){0,2}(\.?[a-z][0-9a-z]*)?(-.*)?$/i),
  setting("image_distro", /^(debian|wolfi|bookworm)$/),
  setting("pip_installer", /^(auto|pip|uv)$/),
  setting("keep_pkg_tools.*", /^(pip|setuptools|wheel)$/),
  setting("source.kind", /^uv$/),
  setting("http.app", /^[^:]+:./, asModule),
  setting("auth.path", /:/, asModule),
  setting("encryption.path", /:/, asModule),
  setting("priority.path", /:/, asModule),
];

function withoutGraphs({ graphs }: ConfigFile): Mistake | undefined {
  if (Object.keys(graphs).length > 0) return undefined;
  const example = code('"graphs": {"agent": "./agent.py:graph"}');
  return {
    problem: text`names no graphs`,
    hint: text`Name at least one, such as ${example}.`,
    keys: ["graphs"],
  };
}

/** A graph of JavaScript may be the default export of its file. */
function malformedGraphs({ graphs }: ConfigFile, needsAttribute: boolean): Mistake | undefined {
  const form = needsAttribute ? /^[^:]+:./ : /./;
  const malformed = Object.entries(graphs).filter(([, graph]) => {
    const path = asObject(graph)?.path ?? graph;
    return typeof path !== "string" || !form.test(path);
  });
  const [first] = malformed;
  return (
    first && {
      problem: text`names graphs without ${code("path:attribute")}: ${listFirst(malformed.map(([name]) => code(name)))}`,
      hint: text`Write each as a text such as ${code("./agent.py:graph")}, or as an object with it as ${code("path")}.`,
      keys: ["graphs", first[0]],
    }
  );
}

function withoutDependencies({ isPython, content }: ConfigFile): Mistake | undefined {
  if (!isPython || content.source || valuesAt(content, ["dependencies", "*"]).length > 0) return undefined;
  return {
    problem: text`names no ${code("dependencies")}, so the platform may refuse to build it`,
    hint: text`For the folder of the file, add ${code('"dependencies": ["."]')}.`,
  };
}

/** A value that the platform may refuse. Empty ones stand for the default. */
function setting(name: string, accepted: RegExp, hint = text`Correct the value.`): Rule {
  return ({ content }) => {
    const refused = valuesAt(content, name.split(".")).find(
      ({ value }) => value && !(typeof value === "string" && accepted.test(value)),
    );
    if (refused === undefined) return undefined;
    const { keys, value } = refused;
    const shown = quote(typeof value === "string" ? value : JSON.stringify(value), 200);
    return {
      problem: text`sets ${code(name.replace(".*", ""))} to ${shown}, which the platform may refuse`,
      hint,
      keys,
    };
  };
}
