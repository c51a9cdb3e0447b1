import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import library from "@balena/dockerignore";
import { readError } from "./errors.ts";

/** Whether a `.dockerignore` file leaves out a path, which is relative to its folder. */
export type DockerIgnore = (path: string) => boolean;

/** The rules of a folder's `.dockerignore`, as Docker reads it. @throws ActionError if it can't be read */
export async function readDockerIgnore(folder: string): Promise<DockerIgnore> {
  const path = join(folder, ".dockerignore");
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return () => false;
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw readError(path, cause);
  });
  return dockerIgnoreOf(text);
}

/** The rules of this text. */
export function dockerIgnoreOf(text: string): DockerIgnore {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const rules = library.default({ ignorecase: false }).add(lines.map(escapeLiterals));
  return (path) => rules.ignores(path);
}

/**
 * Docker takes these characters literally, and the library does not:
 * https://github.com/moby/patternmatcher/blob/main/patternmatcher.go (escapeBytes)
 */
function escapeLiterals(pattern: string): string {
  return pattern.replaceAll(/\\.|[+()|{}]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}
