import { isNativeError } from "node:util/types";
import { ActionError } from "../errors.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** The error of a step with the files of `source_path`. `what` is a sentence's start, such as "Could not read a.txt". */
export function sourceError(what: string, hint: string, cause: unknown): ActionError {
  const reason = isNativeError(cause) ? cause.message : String(cause);
  const message = `${what}: ${sanitizeExcerpt(reason, 500)}.`;
  return new ActionError(message, { code: "source", hint, cause });
}

/** The error of a file or folder that can't be read. */
export function readError(path: string, cause: unknown): ActionError {
  return sourceError(
    `Could not read ${shownPath(path)} for the archive`,
    "Check that the job may read every file below source_path, that their names are UTF-8, and that no other step changes them meanwhile.",
    cause,
  );
}

/** A path as messages quote it. */
export function shownPath(path: string): string {
  return `"${sanitizeExcerpt(path, 300)}"`;
}
