/** Usage files (`--usage`): one JSON object per line, of any size. */

import { closeSync, openSync, readSync } from "node:fs";
import * as v from "valibot";
import { messageOf } from "../errors.ts";
import { parseDateTime } from "./time.ts";

const text = v.pipe(v.string(), v.minLength(1));

const UsageLineSchema = v.strictObject({
  time: v.pipe(
    v.string(),
    v.transform(parseDateTime),
    v.number("time should be an ISO 8601 date or date-time"),
  ),
  workspace_id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  workspace_name: v.string(),
  project_id: text,
  project_name: v.string(),
  user_id: text,
  user_email: v.nullish(v.string()),
  api_key_short_key: text,
  traces: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

/** One line; its `time` is in milliseconds since the epoch. */
export type UsageLine = v.InferOutput<typeof UsageLineSchema>;

/** A usage file cannot be read, or a line is invalid. */
export class UsageFileError extends Error {}

const CHUNK_BYTES = 1 << 20;
/** Without a limit, a file without line ends would fill the memory. */
const MAX_LINE_BYTES = 1 << 20;

/**
 * The lines of a file, read one after the other; blank lines are skipped.
 * @throws {UsageFileError} with the number of the line
 */
export function* readUsageFile(file: string): Generator<UsageLine> {
  let number = 0;
  let total = 0;
  for (const text of readLines(file)) {
    number += 1;
    if (text.trim() === "") continue;
    const line = parseLine(text, file, number);
    total += line.traces;
    // Keeps every sum exact.
    if (total > Number.MAX_SAFE_INTEGER) throw lineError(file, number, "the sum of all traces is too large");
    yield line;
  }
}

function parseLine(line: string, file: string, number: number): UsageLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw lineError(file, number, "not JSON", { cause });
  }
  const result = v.safeParse(UsageLineSchema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw lineError(file, number, `${v.getDotPath(issue) ?? "the line"}: ${issue.message}`);
}

function lineError(file: string, number: number, reason: string, options?: ErrorOptions): UsageFileError {
  return new UsageFileError(`--usage ${file}, line ${number}: ${reason}`, options);
}

function* readLines(file: string): Generator<string> {
  const descriptor = attempt(file, () => openSync(file, "r"));
  try {
    const decoder = new TextDecoder();
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    let number = 0;
    const fill = () => attempt(file, () => readSync(descriptor, chunk));
    for (let size = fill(); size > 0; size = fill()) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        yield decoder.decode(bytes.subarray(start, end));
        start = end + 1;
        number += 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > MAX_LINE_BYTES) {
        throw lineError(file, number + 1, `longer than ${MAX_LINE_BYTES} bytes`);
      }
    }
    if (rest.length > 0) yield decoder.decode(rest);
  } finally {
    closeSync(descriptor);
  }
}

function attempt(file: string, work: () => number): number {
  try {
    return work();
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageFileError(`--usage ${file} cannot be read: ${reason}`, { cause });
  }
}
