import { readFile } from "node:fs/promises";
import { extname, join, posix } from "node:path";
import { isNode, parseDocument } from "yaml";
import { type InputProblem, inputError } from "../../inputs/input-error.ts";
import { asObject, type Keys, parseJson } from "../../text/json.ts";
import { code, type Message, text } from "../../text/message.ts";
import type { ArchiveContent } from "./archive-content.ts";
import { describeMissingConfig } from "./missing-config.ts";
import { type NamedPath, readNamedPaths } from "./named-paths.ts";

/** What a run says about its configuration file. */
export interface AppConfig {
  /** In the folder of `source_path`; undefined if the platform chooses the file. */
  readonly path: string | undefined;
  /** The graphs that smoke tests run. */
  readonly graphs: readonly string[];
  /** Whether a command of its own, which may create files, builds the agent. */
  readonly hasBuildCommand: boolean;
  /** The names of the variables that are sent to the agent. */
  readonly variables: readonly string[];
}

/** A configuration file that was read. */
export interface ConfigFile {
  /** The path in the archive. */
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The graphs by their names; empty if the file has none. */
  readonly graphs: Readonly<Record<string, unknown>>;
  readonly archive: ArchiveContent;
  readonly given: AppConfig;
  /** Whether the platform builds an image for Python, in which graphs of JavaScript may run too. */
  readonly isPython: boolean;
  readonly paths: readonly NamedPath[];
  /** The input problem of a mistake in this file. `keys`: where it is. */
  readonly toProblem: (mistake: Mistake) => InputProblem;
}

/** What is wrong with a configuration file. */
export interface Mistake {
  /** A sentence without its subject, which is the file, and its full stop. */
  readonly problem: Message;
  readonly hint: Message;
  readonly keys?: Keys | undefined;
  /** The line of the mistake; by default that of the keys. */
  readonly line?: number | undefined;
}

/** Returns what breaks a rule, as one mistake that may list several values. */
export type Rule = (config: ConfigFile) => Mistake | undefined | Promise<Mistake | undefined>;

/** Reads the configuration file of an archive. @throws Failure if it is not there, or not a JSON object */
export async function readConfigFile(
  given: AppConfig & { readonly path: string },
  archive: ArchiveContent,
): Promise<ConfigFile> {
  const path = posix.normalize(given.path);
  if (!archive.files.has(path)) throw inputError([describeMissingConfig(path, archive)]);
  const json = await readFile(join(archive.folder, path), "utf8");
  const place = posix.join(archive.inWorkspace, path);
  const toProblem = ({ problem, hint, keys, line = keys && lineOf(json, keys) }: Mistake) => {
    return {
      input: "app_config_path",
      subject: text`${code(place)}`,
      problem,
      hint,
      place: { path: place, line },
    };
  };
  const content = asObject(parseJson(json));
  if (content === undefined) throw inputError([toProblem(describeBadJson(json))]);
  const paths = await readNamedPaths(content, path, given.hasBuildCommand, archive);
  const graphs = asObject(content.graphs) ?? {};
  const isPython = isBuiltForPython(graphs, content);
  return { path, content, graphs, archive, given, isPython, paths, toProblem };
}

/** The line of a value. The parser of YAML reads JSON too, and keeps the lines. */
function lineOf(json: string, keys: Keys): number | undefined {
  const node = parseDocument(json, { uniqueKeys: false }).getIn(keys, true);
  return isNode(node) && node.range ? json.slice(0, node.range[0]).split("\n").length : undefined;
}

function describeBadJson(json: string): Mistake {
  const lines = json.split("\n");
  const index =
    json.length > 100_000 ? -1 : lines.findIndex((_, at) => !isBeginning(lines.slice(0, at + 1).join("\n")));
  const hint = text`Correct the file. JSON has no comments, and no comma after the last entry.`;
  if (json.startsWith("\ufeff")) {
    const problem = text`starts with a byte order mark, so the platform does not read it as JSON`;
    return { problem, hint: text`Save the file as UTF-8 without a byte order mark.`, line: 1 };
  }
  return { problem: text`is not a JSON object`, hint, line: index < 0 ? undefined : index + 1 };
}

/** Whether a JSON document can begin like this. */
function isBeginning(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    const [, position] = / at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined ? /Unexpected end/.test(String(error)) : Number(position) === json.length;
  }
}

const scripts: ReadonlySet<string> = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);

/** Whether the image is built for Python, as langgraph-cli 0.4.40 decides it. */
function isBuiltForPython(graphs: ConfigFile["graphs"], content: ConfigFile["content"]): boolean {
  const isScript = Object.values(graphs).map((graph) => {
    const path = asObject(graph)?.path ?? graph;
    return typeof path === "string" && scripts.has(extname(path.split(":", 1)[0] ?? ""));
  });
  const { python_version: python = isScript.includes(false), node_version: node = isScript.includes(true) } =
    content;
  return Boolean(python) || !node;
}
