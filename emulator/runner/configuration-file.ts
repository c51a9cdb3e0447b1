/** The configuration file of an agent: found and read without trusting the repository that it is in. */

import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { RunFailure } from "../errors.ts";
import { type PythonApp, pythonAppOf } from "./python/python-app.ts";

const MAX_BYTES = 1024 * 1024;

const GraphSchema = v.union([
  v.string(),
  v.pipe(
    v.looseObject({ path: v.string() }),
    v.transform(({ path }) => path),
  ),
]);
const ContentSchema = v.looseObject({
  graphs: v.optional(v.record(v.string(), v.unknown())),
  node_version: v.optional(v.unknown()),
  python_version: v.optional(v.unknown()),
  dependencies: v.optional(v.unknown()),
  env: v.optional(v.unknown()),
});

export interface Configuration {
  /** The file's folder, in which the agent is built and started. */
  readonly folder: string;
  /** The file's name in that folder. */
  readonly name: string;
  readonly hasGraphs: boolean;
  /** A file of variables beside it; undefined if there is none. */
  readonly envFile: string | undefined;
  /** Undefined if the agent is written in JavaScript or TypeScript, or nothing says that it is in Python. */
  readonly python: PythonApp | undefined;
}

/**
 * Reads the configuration file.
 * @param path relative to the checkout
 * @throws {RunFailure} if it leaves the checkout, is missing, or is not a small file with a JSON object
 */
export async function readConfiguration(checkout: string, path: string): Promise<Configuration> {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (path.startsWith("/") || parts.length === 0 || parts.includes("..") || path.includes("\0")) {
    throw new RunFailure(`The path of the configuration file leaves the repository: ${path}`);
  }
  await refuseLinks(checkout, parts, path);
  const file = join(checkout, ...parts);
  const content = parseContent(await readSmallFile(file, path), path);
  return {
    folder: dirname(file),
    name: basename(file),
    hasGraphs: content.graphs !== undefined,
    envFile: typeof content.env === "string" && /^\.?\w[\w.-]*$/.test(content.env) ? content.env : undefined,
    python: isForPython(content) ? pythonAppOf(content, path) : undefined,
  };
}

/** Every folder on the way has to be one, and the file a file. */
async function refuseLinks(checkout: string, parts: readonly string[], path: string): Promise<void> {
  for (const [index] of parts.entries()) {
    const part = join(checkout, ...parts.slice(0, index + 1));
    const found = await lstat(part).catch(() => undefined);
    if (found === undefined) throw new RunFailure(`The configuration file is missing: ${path}`);
    if (found.isSymbolicLink()) {
      throw new RunFailure(`The path of the configuration file goes through a link: ${path}`);
    }
    const isLast = index === parts.length - 1;
    if (isLast ? !found.isFile() : !found.isDirectory()) {
      throw new RunFailure(`The configuration file is not a file: ${path}`);
    }
  }
}

async function readSmallFile(file: string, path: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw new RunFailure(`The configuration file is larger than 1 MiB: ${path}`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function parseContent(text: string, path: string): Content {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson()), text);
  if (!json.success) throw new RunFailure(`The configuration file is not JSON: ${path}`);
  const { output } = json;
  if (typeof output !== "object" || output === null || Array.isArray(output)) {
    throw new RunFailure(`The configuration file is not a JSON object: ${path}`);
  }
  const content = v.safeParse(ContentSchema, output);
  if (!content.success) throw new RunFailure(`graphs is not an object in the configuration file: ${path}`);
  return content.output;
}

type Content = v.InferOutput<typeof ContentSchema>;

function isForPython({ graphs, node_version, python_version, dependencies }: Content): boolean {
  if (node_version !== undefined || Object.values(graphs ?? {}).some(isNodeGraph)) return false;
  return [graphs, python_version, dependencies].some((one) => one !== undefined);
}

/** A graph is `path:name`, or an object with that as its path. */
function isNodeGraph(graph: unknown): boolean {
  const parsed = v.safeParse(GraphSchema, graph);
  return parsed.success && /\.[cm]?[jt]sx?(:|$)/.test(parsed.output);
}
