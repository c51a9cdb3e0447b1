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
import { hasFile, type SourceFile, type SourceListing } from "../list-files.ts";
import { relativeToWorkspace } from "../source-folder.ts";
import { type NamedPath, readNamedPaths } from "./named-paths.ts";

/** What the inputs say about the configuration file. */
export interface ConfigInputs {
  /** In the folder of `source_path`. */
  readonly path: string;
  /** The graphs that smoke tests run. */
  readonly testedGraphs: readonly string[];
  /** Whether there is a build command, which may create files. */
  readonly hasBuildCommand: boolean;
  /** The names of the variables that the agent gets: from this run, or from the platform. */
  readonly variables: readonly string[];
}

export interface ConfigFile {
  readonly inputs: ConfigInputs;
  readonly listing: SourceListing;
  /** The path in the archive. */
  readonly path: string;
  readonly pathInWorkspace: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The graphs by their names; empty if the file has none. */
  readonly graphs: Readonly<Record<string, unknown>>;
  readonly paths: readonly NamedPath[];
  /** Returns the input problem of a mistake in this file. `keys`: the place of the mistake. */
  readonly problemAt: (keys: Keys, problem: Phrase, hint: Message) => InputProblem;
}

/** A mistake in the file: its place, and its name in lists. */
export interface Mistake {
  readonly keys: Keys;
  readonly label: Phrase;
}

/** A rule for the file, and how a break of it is told. */
export interface Rule {
  /** Whether surely no build succeeds with such a mistake. By default, one may. */
  readonly preventsBuild?: true;
  readonly find: (config: ConfigFile) => readonly Mistake[] | Promise<readonly Mistake[]>;
  /** What is wrong with the file. A list of the mistakes follows it. */
  readonly problem: Phrase;
  readonly hint: Message | ((config: ConfigFile) => Message);
}

/** Reads the configuration file of an archive. @throws Failure if it is missing, or not a JSON object */
export async function readConfigFile(inputs: ConfigInputs, listing: SourceListing): Promise<ConfigFile> {
  const { source, files } = listing;
  const path = posix.normalize(inputs.path);
  const pathInWorkspace = posix.join(relativeToWorkspace(source), path);
  const input = "app_config_path" as const;
  if (!hasFile(listing, path)) {
    const problem = phrase`names ${quote(path)}, which is not in the archive of ${inputName("source_path")}`;
    throw inputFailure([
      { input, place: { path: pathInWorkspace }, problem, hint: missingHint(path, files) },
    ]);
  }
  const json = await readFile(join(source.path, path), "utf8");
  const problemAtLine = (line: number | undefined, problem: Phrase, hint: Message) => {
    const place = { path: pathInWorkspace, line };
    return { input, subject: code(pathInWorkspace), problem, hint, place };
  };
  const content = parseJsonObject(json);
  if (content === undefined) {
    const hint = text`Correct the file. JSON has no byte order mark, no comments, and no comma after the last entry.`;
    throw inputFailure([problemAtLine(lineOfMistake(json), phrase`is not a JSON object`, hint)]);
  }
  return {
    inputs,
    listing,
    path,
    pathInWorkspace,
    content,
    graphs: asObject(content.graphs) ?? {},
    paths: await readNamedPaths(content, path, listing),
    problemAt: (keys, ...words) => problemAtLine(lineOfValue(json, keys), ...words),
  };
}

/** Returns the hint for a missing file. Its path may start from another folder, or have separators of Windows. */
function missingHint(path: string, files: readonly SourceFile[]): Message {
  const missing = `/${path.replaceAll("\\", "/")}`;
  const similar = files
    .map((file) => file.path)
    .filter((file) => missing.endsWith(`/${file}`) || `/${file}`.endsWith(missing))
    .map((file) => code(`app_config_path: ${file}`));
  return similar.length > 0
    ? text`The path is relative to ${inputName("source_path")}, with ${code("/")} between its parts. Set ${listFirst(similar)}.`
    : text`It is missing, ignored, a folder, a symbolic link, or outside of ${inputName("source_path")}: add it to the checkout, or correct ${inputName("source_path")} or ${inputName("app_config_path")}.`;
}
