import { posix } from "node:path";
import { parseEnv } from "node:util";
import { asObject, valuesAt } from "../../text/json.ts";
import { code, inputName, type Message, phrase, quote, text } from "../../text/message.ts";
import { readInWorkspace } from "../source-folder.ts";
import type { ConfigFile, Mistake, Rule } from "./config-file.ts";

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

/** Rules for the values in the file. */
export const valueRules: readonly Rule[] = [
  {
    preventsBuild: true,
    find: ({ graphs }) =>
      Object.keys(graphs).length === 0 ? [{ keys: ["graphs"], label: code("graphs") }] : [],
    problem: phrase`lacks what every agent needs`,
    hint: text`Name at least one graph, such as ${code('"graphs": {"agent": "./agent.py:graph"}')}.`,
  },
  {
    preventsBuild: true,
    find: refusedValues("graphs.*", (graph) => !isMatch(pathOfGraph(graph), /^[^:]+:./)),
    problem: phrase`names graphs without ${code("path:attribute")}`,
    hint: text`Write each as a text such as ${code("./agent.py:graph")}, or as an object with it as ${code("path")}.`,
  },
  {
    find: unsentVariables,
    problem: phrase`sets variables in ${code("env")}, which this action does not send`,
    hint: text`Add them to ${inputName("secrets")} or ${inputName("env_vars")}.`,
  },
  ...acceptedValues.map(
    ([place, accepted, hint]): Rule => ({
      // An empty value stands for the default.
      find: refusedValues(place, (value) => Boolean(value) && !isMatch(value, accepted)),
      problem: phrase`sets a value that the platform may refuse`,
      hint,
    }),
  ),
];

/** Finds refused values at a place in the file. `*` stands for every entry. */
function refusedValues(place: string, isRefused: (value: unknown) => boolean): Rule["find"] {
  return ({ content }) =>
    valuesAt(content, place.split("."))
      .filter(({ value }) => isRefused(value))
      .map(({ keys, value }) => {
        const shown = typeof value === "string" ? quote(value, 200) : code(JSON.stringify(value), 200);
        return { keys, label: phrase`${code(keys.join("."))} is ${shown}` };
      });
}

function isMatch(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

/** Returns what a graph is given as, or as its `path`. */
export function pathOfGraph(graph: unknown): unknown {
  return asObject(graph)?.path ?? graph;
}

/** Finds variables of `env`, or of the file that it names, that the run does not send. The vendor's clients send them. */
async function unsentVariables({ path, content, listing, inputs }: ConfigFile): Promise<Mistake[]> {
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
