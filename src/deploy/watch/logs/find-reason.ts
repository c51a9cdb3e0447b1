import { posix } from "node:path";
import type { Place } from "../../../errors.ts";

/** Why a build or deploy failed, such as `ModuleNotFoundError: …`, `error TS2304: …` or `fatal: …`, but no warning. */
const reason =
  /^(?![#\d.\s]*(?:npm )?warn(?:ing)?\b).*(?:(?:error|exception)(?: \[?\w+\]?)?: \S|\bfatal: |\bnot found\b|\bno matching\b|\bcould not\b|\bcannot\b|\bcan't\b)/i;
const anyError = /error|exception|fatal|fail/i;
/** What package managers and image builders end with, which is true of any failure. */
const boilerplate =
  /complete log of this run|\bexit(?:ed|s)?\b.{0,20}\b\d+\b|ended with code|did not complete successfully|\b0 errors\b/i;
/** `File "src/agent.py", line 12`, `src/agent.py:12` or `src/agent.ts(12,5)`. */
const namedPlace = /File "([^"]{1,300})", line (\d{1,7})|([^\s"'`()[\]<>|:]{1,300})[:(](\d{1,7})(?!\d)/g;
/** The files of an upload. */
interface UploadedFiles {
  /** Relative to the workspace. */
  readonly folder: string;
  readonly files: readonly { readonly path: string }[];
}

/** Returns the line of a failed log that says why, and the place in a file of the upload that it is about. */
export function findReason(
  texts: readonly string[],
  { upload }: { readonly upload?: UploadedFiles | undefined },
): { readonly reason?: string; readonly place?: Place | undefined } {
  const found = [reason, anyError]
    .map((pattern) => texts.findLastIndex((line) => pattern.test(line) && !boilerplate.test(line)))
    .find((index) => index >= 0);
  if (found === undefined) return {};
  const line = texts[found]?.trim() ?? "";
  const next = line.endsWith(":") ? ` ${texts[found + 1]?.trim() ?? ""}` : "";
  // Lines are searched from the error upwards, because a traceback names the place before the error.
  const place = upload && findPlace(texts.slice(0, found + 1).toReversed(), upload);
  return { reason: line + next, place };
}

/** Returns the first place that the lines name in a file of the upload, relative to the workspace. */
function findPlace(lines: readonly string[], { folder, files }: UploadedFiles): Place | undefined {
  const paths = new Set(files.map(({ path }) => path));
  for (const line of lines) {
    for (const [, quoted, lineNumber, plain, number] of line.matchAll(namedPlace)) {
      const path = pathsInBuild(quoted ?? plain ?? "").find((one) => paths.has(one));
      if (path !== undefined) return { path: posix.join(folder, path), line: Number(lineNumber ?? number) };
    }
  }
  return undefined;
}

/**
 * A path from a log, relative to the app. The vendor's images have the app, or folders of it, below `/deps`:
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
