import { join, posix } from "node:path";
import { toError } from "../errors.ts";
import type { InputProblem } from "../inputs/input-error.ts";
import { asObject, parseJson } from "../text/json.ts";
import { code, input, listed, type Message, quote, quoteSentence, text } from "../text/message.ts";
import { readSourceFile, type SourceFile } from "./source-files.ts";

/** The configuration file that the build starts from. */
export interface AppConfig {
  /** In the folder of `source_path`; undefined if the platform chooses the file. */
  readonly path: string | undefined;
  /** The graphs that smoke tests run. */
  readonly graphs: readonly string[];
}

/** The folder that the archive is made of. */
interface PackedFolder {
  readonly path: string;
  /** The folder's path in the workspace. */
  readonly inWorkspace: string;
  readonly files: readonly SourceFile[];
}

/**
 * Why the build can't start from the configuration file, or why a smoke test can't run; undefined if they can.
 *
 * @throws ActionError if the file can't be read
 */
export async function findConfigProblem(
  { path: pathInput, graphs }: AppConfig,
  folder: PackedFolder,
): Promise<InputProblem | undefined> {
  if (pathInput === undefined) return undefined;
  const path = posix.normalize(pathInput);
  const place = { path: posix.join(folder.inWorkspace, path) };
  if (!folder.files.some((file) => file.path === path)) {
    const problem = text`names ${quote(path)}, which is not in the archive of ${input("source_path")}: it is missing from ${quote(folder.inWorkspace || ".")}, or left out because an ignore rule matches it, it is a symbolic link, or its folder is never uploaded`;
    return { input: "app_config_path", problem, place, hint: missingFileHint };
  }
  const content = (await readSourceFile(join(folder.path, path), path)).toString();
  const config = asObject(parseJson(content));
  if (config === undefined) {
    const { problem, line } = describeJson(content, path);
    const hint = text`Correct the file, or change ${input("app_config_path")} if it names the wrong file.`;
    return { input: "app_config_path", problem, place: { ...place, line }, hint };
  }
  const named = Object.keys(asObject(config.graphs) ?? {});
  const problem = describeGraphs(named, graphs, path);
  if (problem === undefined) return undefined;
  // What to change is in the workflow if the file names graphs, otherwise probably in the file.
  return named.length === 0
    ? { input: "smoke_tests", problem, hint: noGraphsHint(path), place }
    : { input: "smoke_tests", problem, hint: otherGraphHint(named) };
}

const missingFileHint = text`Add the file to the checkout, or correct ${input("source_path")} or ${input("app_config_path")}.`;

function otherGraphHint(named: readonly string[]): Message {
  const graphs = listed(
    named.map((name) => code(name)),
    "or",
  );
  return text`Set ${code("graph")} in ${input("smoke_tests")} to ${graphs}.`;
}

function noGraphsHint(path: string): Message {
  return text`Use ${code("request")} instead of ${code("graph")}, or name the graph in ${code(path)}.`;
}

/** What is wrong with a text that is no JSON object, and the line, if the parser names one. */
function describeJson(content: string, path: string): { problem: Message; line: number | undefined } {
  try {
    JSON.parse(content);
    const problem = text`must name a JSON object, but ${quote(path)} contains something else`;
    return { problem, line: undefined };
  } catch (error) {
    const { message } = toError(error);
    const [, line] = /\(line (\d+) column \d+\)$/.exec(message) ?? [];
    const problem = text`must name a JSON object, but ${quote(path)} is not JSON: ${quoteSentence(message)}`;
    return { problem, line: line === undefined ? undefined : Number(line) };
  }
}

/** UUIDs are ids of assistants, which only the agent server knows. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Why a smoke test can't run one of its graphs, which a build would show only at its end; undefined if all can run. */
function describeGraphs(
  named: readonly string[],
  graphs: readonly string[],
  path: string,
): Message | undefined {
  const missing = graphs.find((graph) => !uuid.test(graph) && !named.includes(graph));
  if (missing === undefined) return undefined;
  const known =
    named.length === 0
      ? text`names no ${code("graphs")}`
      : text`names only ${listed(named.map((one) => code(one)))} under ${code("graphs")}`;
  return text`runs the graph ${quote(missing, 200)}, but ${code(path)} ${known}`;
}
