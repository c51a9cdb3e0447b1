import { statSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { readAddress, readPlatform } from "../inputs/address.ts";
import { missingInput } from "../inputs/input-error.ts";
import type { InputReader } from "../inputs/reader.ts";
import { code, input as inputName, quote, text } from "../text/message.ts";
import { type DateTime, dayMs, parseDateTime } from "../text/time.ts";
import type { UsageOperation, UsageQuery } from "./client.ts";
import { GroupBySchema } from "./schemas.ts";

/** A file to write; `path` is absolute. */
export interface FileInput {
  readonly input: "json_file" | "csv_file";
  readonly path: string;
}

export interface UsageInputs extends UsageOperation {
  readonly jsonFile: FileInput | undefined;
  readonly csvFile: FileInput | undefined;
  readonly maxTraces: number | undefined;
}

interface ReportDefaults {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The directory that relative paths start from. */
  readonly workspace: string;
}

/** Reads the inputs of the usage action; problems stay in the reader. */
export function readUsageInputs(reader: InputReader, defaults: ReportDefaults): UsageInputs {
  const settings = {
    ...readAddress(reader, readPlatform(reader), "base_url"),
    apiKey: reader.requiredHeaderValue("api_key"),
    timeoutMs: reader.seconds("request_timeout_seconds", 300),
  };
  const query = {
    ...readRange(reader, defaults.now),
    workspaceIds: readWorkspaceIds(reader),
    groupBy: reader.oneOf("group_by", GroupBySchema.options, "workspace"),
  };
  const jsonFile = readFile(reader, "json_file", defaults);
  const csvFile = readFile(reader, "csv_file", defaults);
  if (csvFile !== undefined && csvFile.path === jsonFile?.path) {
    reader.reject("csv_file", text`names the same file as ${inputName("json_file")}`);
  }
  return { settings, query, jsonFile, csvFile, maxTraces: reader.wholeNumber("max_traces", 0) };
}

const defaultDays = 30;

function readRange(reader: InputReader, now: number): Pick<UsageQuery, "start" | "end"> {
  const given = { start: readDateTime(reader, "start_time"), end: readDateTime(reader, "end_time") };
  const start = given.start?.at ?? now - defaultDays * dayMs;
  // A date as the end includes that day.
  const end = given.end === undefined ? now : given.end.at + (given.end.isDate ? dayMs : 0);
  if (start >= end) {
    const [from, to] = [start, end].map((time) => code(new Date(time).toISOString()));
    const note = given.start === undefined ? text`(by default ${defaultDays} days ago) ` : undefined;
    reader.reject(
      "start_time",
      text`${note}must be before ${inputName("end_time")}, but the range would be ${from} to ${to}`,
    );
  }
  return { start, end };
}

function readDateTime(reader: InputReader, input: string): DateTime | undefined {
  const value = reader.optional(input);
  if (value === undefined) return undefined;
  const dateTime = parseDateTime(value);
  if (dateTime !== undefined) return dateTime;
  reader.reject(
    input,
    text`must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T14:00:00Z, not ${quote(value, 100)}`,
  );
  // NaN is not before or after anything, so the range is not rejected too.
  return { at: Number.NaN, isDate: false };
}

const WorkspaceIdSchema = v.pipe(v.string(), v.uuid());

function readWorkspaceIds(reader: InputReader): string[] {
  const ids = reader.list("workspace_ids");
  if (ids.length === 0) reader.add(missingInput("workspace_ids"));
  for (const id of ids) {
    if (!v.is(WorkspaceIdSchema, id)) {
      reader.reject("workspace_ids", text`contains ${quote(id, 100)}, which is not a UUID`);
    }
  }
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function readFile(
  reader: InputReader,
  input: FileInput["input"],
  { workspace }: ReportDefaults,
): FileInput | undefined {
  const value = reader.optional(input);
  if (value === undefined) return undefined;
  const path = resolve(workspace, value);
  if (/[\\/]$/.test(value) || !isFileOrMissing(path)) {
    reader.reject(input, text`must name a file, but ${quote(value, 100)} is a directory or a device`);
  }
  return { input, path };
}

/** Whether a file can be created under this name or replaced: a directory or a device would be in the way. */
function isFileOrMissing(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Usually the file does not exist. Any other obstacle becomes an error when it is written.
    return true;
  }
}
