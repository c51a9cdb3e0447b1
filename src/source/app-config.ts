import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { inputError } from "../inputs/input-error.ts";
import { asObject, parseJsonObject } from "../text/json.ts";
import { code, input, listed, type Message, quote, text } from "../text/message.ts";
import type { SourceFile } from "./source-files.ts";

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

/** UUIDs are ids of assistants, which only the agent server knows. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Checks the configuration file of an archive. Returns the files of graphs that are not in the archive: only the build knows
 * whether it creates them. `folder`: that of the archive, with its path in the workspace.
 */
export async function checkConfig(
  config: AppConfig,
  folder: { readonly path: string; readonly inWorkspace: string; readonly files: readonly SourceFile[] },
): Promise<readonly GraphFile[]> {
  if (config.path === undefined) return [];
  const path = posix.normalize(config.path);
  const fail = (problem: Message) => {
    const hint = text`Add or correct the file in the checkout, or correct ${input("source_path")} or ${input("app_config_path")}.`;
    const place = { path: posix.join(folder.inWorkspace, path) };
    return inputError([{ input: "app_config_path", problem, place, hint }]);
  };
  if (!folder.files.some((file) => file.path === path)) {
    throw fail(
      text`names ${quote(path)}, which is not in the archive of ${input("source_path")}: it is missing, ignored, a symbolic link, or in a folder that is never uploaded`,
    );
  }
  const content = parseJsonObject(await readFile(join(folder.path, path), "utf8"));
  if (content === undefined) throw fail(text`must name a JSON object, but ${quote(path)} is none`);
  const graphs = asObject(content.graphs) ?? {};
  const unknown = config.graphs.find((graph) => !uuid.test(graph) && !Object.hasOwn(graphs, graph));
  if (unknown !== undefined) {
    const named = Object.keys(graphs).map((name) => code(name));
    const known =
      named.length === 0 ? text`no ${code("graphs")}` : text`only ${listed(named)} under ${code("graphs")}`;
    const problem = text`runs the graph ${quote(unknown, 200)}, but ${code(path)} names ${known}`;
    const hint = text`Correct ${code("graph")} in ${input("smoke_tests")}, or name the graph in ${code(path)}.`;
    throw inputError([{ input: "smoke_tests", problem, hint }]);
  }
  return config.hasBuildCommand ? [] : findMissingFiles(graphs, path, folder.files);
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
