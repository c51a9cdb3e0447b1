import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { toError } from "../errors.ts";
import { inputError } from "../inputs/input-error.ts";
import { asObject, parseJson } from "../text/json.ts";
import { code, input, listed, type Message, quote, quoteSentence, text } from "../text/message.ts";
import { readError, type SourceFile } from "./source-files.ts";

/** The configuration file that the build starts from. */
export interface AppConfig {
  /** In the folder of `source_path`; undefined if the platform chooses the file. */
  readonly path: string | undefined;
  /** The graphs that smoke tests run. */
  readonly graphs: readonly string[];
  /** Whether a command of its own, which may create files, builds the agent. */
  readonly hasBuildCommand: boolean;
}

/** A file that a graph is defined in, as the configuration file names it. */
export interface GraphFile {
  readonly graph: string;
  readonly file: string;
}

/** The folder that the archive is made of. */
interface PackedFolder {
  readonly path: string;
  /** The folder's path in the workspace. */
  readonly inWorkspace: string;
  readonly files: readonly SourceFile[];
}

/**
 * Checks the configuration file of an archive. Returns the files of graphs that are not in the archive: only the build knows
 * whether it creates them.
 *
 * @throws Failure if the build can't start from the file, or if a smoke test can't run
 */
export async function checkConfig(
  { path: pathInput, graphs, hasBuildCommand }: AppConfig,
  folder: PackedFolder,
): Promise<readonly GraphFile[]> {
  if (pathInput === undefined) return [];
  const path = posix.normalize(pathInput);
  const place = { path: posix.join(folder.inWorkspace, path) };
  if (!folder.files.some((file) => file.path === path)) {
    const problem = text`names ${quote(path)}, which is not in the archive of ${input("source_path")}: it is missing from ${quote(folder.inWorkspace || ".")}, or left out because an ignore rule matches it, it is a symbolic link, or its folder is never uploaded`;
    throw inputError([{ input: "app_config_path", problem, place, hint: missingFileHint }]);
  }
  const content = await readFile(join(folder.path, path), "utf8").catch((cause: unknown) => {
    throw readError(path, cause);
  });
  const config = asObject(parseJson(content));
  if (config === undefined) {
    const { problem, line } = describeJson(content, path);
    const hint = text`Correct the file, or change ${input("app_config_path")} if it names the wrong file.`;
    throw inputError([{ input: "app_config_path", problem, place: { ...place, line }, hint }]);
  }
  const defined = asObject(config.graphs) ?? {};
  const named = Object.keys(defined);
  const problem = describeGraphs(named, graphs, path);
  if (problem !== undefined) {
    // What to change is in the workflow if the file names graphs, otherwise probably in the file.
    const next = named.length === 0 ? { hint: noGraphsHint(path), place } : { hint: otherGraphHint(named) };
    throw inputError([{ input: "smoke_tests", problem, ...next }]);
  }
  return hasBuildCommand ? [] : findMissingFiles(defined, path, folder.files);
}

/** Which of the files that `graphs` name, such as `./agent.py:graph`, relative to the configuration file, are not in the archive. */
function findMissingFiles(
  graphs: Readonly<Record<string, unknown>>,
  configPath: string,
  files: readonly SourceFile[],
): GraphFile[] {
  return Object.entries(graphs).flatMap(([graph, definition]) => {
    const location = asObject(definition)?.path ?? definition;
    const [file = ""] = typeof location === "string" ? location.split(":", 1) : [];
    // Without a slash, it names a module of Python.
    if (!file.includes("/") || posix.isAbsolute(file)) return [];
    const path = posix.join(posix.dirname(configPath), file);
    // JavaScript may leave out the extension.
    const isThere = files.some((packed) => packed.path === path || packed.path.startsWith(`${path}.`));
    return isThere ? [] : [{ graph, file }];
  });
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
