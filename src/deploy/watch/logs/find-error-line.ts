import { posix } from "node:path";
import type { Place } from "../../../errors.ts";
import type { SourceArchive } from "../../../source/archive.ts";

/** Lines such as `ModuleNotFoundError: …` or `fatal: …`, but no warnings, also after a builder's prefix such as `#12 0.345`. */
const usualError =
  /^(?![#\d.\s]*(?:npm )?warn(?:ing)?\b).*(?:(?:error|exception)(?: \[?\w+\]?)?: \S|\bfatal: |\bnot found\b|\bno matching\b|\bcould not\b|\bcannot\b|\bcan't\b)/i;
const anyError = /error|exception|fatal|fail/i;
/** Such as `exited with code 1`: last lines of package managers and image builders, the same for every failure. */
const boilerplate =
  /complete log of this run|\bexit(?:ed|s)?\b.{0,20}\b\d+\b|ended with code|did not complete successfully|\b0 errors\b/i;
/** `File "src/agent.py", line 12`, `src/agent.py:12` or `src/agent.ts(12,5)`. */
const namedPlace = /File "([^"]{1,300})", line (\d{1,7})|([^\s"'`()[\]<>|:]{1,300})[:(](\d{1,7})(?!\d)/g;

export interface ErrorLine {
  /** The line that says why the build or deploy failed. */
  readonly errorLine?: string | undefined;
  /** The place in a file of the upload that this line is about. */
  readonly place?: Place | undefined;
}

export function findErrorLine(
  lines: readonly string[],
  upload: Pick<SourceArchive, "folder" | "files"> | undefined,
): ErrorLine {
  const errorIndex = [usualError, anyError]
    .map((pattern) => lines.findLastIndex((line) => pattern.test(line) && !boilerplate.test(line)))
    .find((index) => index >= 0);
  if (errorIndex === undefined) return {};
  const line = lines[errorIndex]?.trim() ?? "";
  const next = line.endsWith(":") ? ` ${lines[errorIndex + 1]?.trim() ?? ""}` : "";
  const stack = stackBelow(lines.slice(errorIndex + 1));
  // A traceback of Python names the place before the error, so lines are searched upwards.
  const searched = stack.length > 0 ? [line, ...stack] : lines.slice(0, errorIndex + 1).toReversed();
  return { errorLine: line + next, place: upload && findPlace(searched, upload) };
}

/** Returns the lines of a stack of JavaScript, the innermost call first. */
function stackBelow(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => !/^\s+at /.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** Returns the first place that the lines name in a file of the upload, relative to the workspace. */
function findPlace(
  lines: readonly string[],
  { folder, files }: Pick<SourceArchive, "folder" | "files">,
): Place | undefined {
  const paths = new Set(files.map(({ path }) => path));
  for (const line of lines) {
    for (const [, quoted, lineNumber, plain, number] of line.matchAll(namedPlace)) {
      const path = pathsInBuild(quoted ?? plain ?? "").find((candidate) => paths.has(candidate));
      if (path !== undefined) return { path: posix.join(folder, path), line: Number(lineNumber ?? number) };
    }
  }
  return undefined;
}

/**
 * Returns the paths in the app that a path in a log may mean. The vendor's images have the app, or folders of it, in `/deps`:
 * https://github.com/langchain-ai/langgraph/blob/main/libs/cli/langgraph_cli/config.py
 */
function pathsInBuild(logged: string): string[] {
  const path = posix.normalize(logged);
  if (!posix.isAbsolute(path)) return [path];
  const [, inDeps] = /^\/deps\/(.*)$/.exec(path) ?? [];
  if (inDeps === undefined) return [];
  const parts = inDeps.split("/");
  return [0, 1, 2].map((skipped) => parts.slice(skipped).join("/"));
}
