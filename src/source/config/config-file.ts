import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { type InputProblem, inputFailure } from "../../input-problem.ts";
import { asObject, type Keys, lineOfMistake, lineOfValue, parseJsonObject } from "../../text/json.ts";
import {
  code,
  inputName,
  listFirst,
  type Message,
  type Phrase,
  phrase,
  quote,
  text,
} from "../../text/message.ts";
import {
  hasFile,
  isOutside,
  relativeToWorkspace,
  type SourceFile,
  type SourceListing,
} from "../source-files.ts";
import { type NamedPath, readNamedPaths } from "./named-paths.ts";

export interface AppConfig {
  /** In the folder of `source_path`; undefined if the platform chooses the file. */
  readonly path: string | undefined;
  readonly graphs: readonly string[];
  /** Whether the inputs name a build command, which may create files. */
  readonly hasBuildCommand: boolean;
  /** The names of the variables that the agent gets: from this run, or from the platform. */
  readonly variables: readonly string[];
}

export interface ConfigFile {
  /** The path in the archive. */
  readonly path: string;
  readonly pathInWorkspace: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The graphs by their names; empty if the file has none. */
  readonly graphs: Readonly<Record<string, unknown>>;
  readonly listing: SourceListing;
  readonly appConfig: AppConfig;
  /** Whether the platform builds an image for Python, in which graphs of JavaScript may run too. */
  readonly isPython: boolean;
  readonly paths: readonly NamedPath[];
  /** Returns the input problem of a mistake in this file. `keys`: the place of the mistake. */
  readonly problemAt: (keys: Keys, problem: Phrase, hint: Message) => InputProblem;
}

/** A mistake in the file: its place, and its name in lists. */
export interface Mistake {
  readonly keys: Keys;
  readonly label: Phrase;
}

/** Reads the configuration file of an archive. @throws Failure if it is missing, or not a JSON object */
export async function readConfigFile(
  appConfig: AppConfig & { readonly path: string },
  listing: SourceListing,
): Promise<ConfigFile> {
  const { source, files } = listing;
  const path = posix.normalize(appConfig.path);
  const pathInWorkspace = posix.join(relativeToWorkspace(source), path);
  const input = "app_config_path" as const;
  if (!hasFile(listing, path)) {
    throw inputFailure([{ input, place: { path: pathInWorkspace }, ...describeMissing(path, files) }]);
  }
  const json = await readFile(join(source.path, path), "utf8");
  const problemAtLine = (line: number | undefined, problem: Phrase, hint: Message) => {
    const place = { path: pathInWorkspace, line };
    return { input, subject: code(pathInWorkspace), problem, hint, place };
  };
  const content = parseJsonObject(json);
  if (content === undefined) {
    const hint = json.startsWith("\ufeff")
      ? text`Save it as UTF-8 without a byte order mark.`
      : text`Correct the file. JSON has no comments, and no comma after the last entry.`;
    throw inputFailure([problemAtLine(lineOfMistake(json), phrase`is not a JSON object`, hint)]);
  }
  const graphs = asObject(content.graphs) ?? {};
  return {
    path,
    pathInWorkspace,
    content,
    graphs,
    listing,
    appConfig,
    isPython: Boolean(content.python_version) || !Object.values(graphs).every(isScript),
    paths: await readNamedPaths(content, path, listing),
    problemAt: (keys, ...words) => problemAtLine(lineOfValue(json, keys), ...words),
  };
}

/** Describes a missing file. Its path may start from another folder, or have separators of Windows. */
function describeMissing(path: string, files: readonly SourceFile[]): Pick<InputProblem, "problem" | "hint"> {
  if (files.some((file) => file.path.startsWith(posix.join(path, "/")))) {
    return {
      problem: phrase`names ${quote(path)}, which is a folder`,
      hint: text`Name the configuration file in it.`,
    };
  }
  const problem = phrase`names ${quote(path)}, which is not in the archive of ${inputName("source_path")}`;
  const missing = `/${path.replaceAll("\\", "/")}`;
  const similar = files
    .map((file) => file.path)
    .filter((file) => missing.endsWith(`/${file}`) || `/${file}`.endsWith(missing))
    .map((file) => code(`app_config_path: ${file}`));
  if (isOutside(path)) {
    const hint = text`The archive has only the files in ${inputName("source_path")}: set that to a folder around this file, and ${inputName("app_config_path")} to its path there.`;
    return { problem, hint };
  }
  const hint =
    similar.length > 0
      ? text`The path is relative to ${inputName("source_path")}, with ${code("/")} between its parts. Set ${listFirst(similar)}.`
      : text`It is missing, ignored or a symbolic link: add it to the checkout, or correct ${inputName("source_path")} or ${inputName("app_config_path")}.`;
  return { problem, hint };
}

export function pathOfGraph(graph: unknown): unknown {
  return asObject(graph)?.path ?? graph;
}

function isScript(graph: unknown): boolean {
  return /^[^:]*\.[cm]?[jt]s(:|$)/.test(String(pathOfGraph(graph)));
}
