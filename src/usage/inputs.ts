import { resolve } from "node:path";
import * as v from "valibot";
import { readHeaderValue } from "../inputs/control-plane.ts";
import { readAddress, readPlatform } from "../inputs/platform.ts";
import { type InputReader, quote } from "../inputs/reader.ts";
import type { Disk } from "../runner/disk.ts";
import { type DateTime, parseDateTime } from "../text/date-time.ts";
import type { UsageApiSettings } from "./client.ts";
import type { UsageQuery } from "./query.ts";
import { GroupBySchema } from "./schemas.ts";

/** A file to write; `path` is absolute. */
export interface FileInput {
  readonly input: "json_file" | "csv_file";
  readonly path: string;
}

/** The inputs of the usage action (contract, 7). */
export interface UsageInputs {
  readonly api: UsageApiSettings;
  readonly query: UsageQuery;
  readonly jsonFile: FileInput | undefined;
  readonly csvFile: FileInput | undefined;
  readonly maxTraces: number | undefined;
}

/** Where and when the step runs. */
export interface UsageSurroundings {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The folder at which relative paths start. */
  readonly workspace: string;
  readonly disk: Pick<Disk, "isFreeForFile">;
}

const dayMs = 86_400_000;
const defaultDays = 30;

/** Reads the inputs of the usage action; problems stay in the reader. */
export function readUsageInputs(reader: InputReader, surroundings: UsageSurroundings): UsageInputs {
  const api = {
    ...readAddress(reader, readPlatform(reader), "base_url"),
    apiKey: readHeaderValue(reader, "api_key"),
    timeoutMs: reader.seconds("request_timeout_seconds", 300),
  };
  const query = {
    ...readRange(reader, surroundings.now),
    workspaceIds: readWorkspaceIds(reader),
    groupBy: reader.oneOf("group_by", GroupBySchema.options, "workspace"),
  };
  const jsonFile = readFile(reader, "json_file", surroundings);
  const csvFile = readFile(reader, "csv_file", surroundings);
  if (csvFile !== undefined && csvFile.path === jsonFile?.path) {
    reader.refuse("csv_file", "names the same file as json_file");
  }
  return { api, query, jsonFile, csvFile, maxTraces: reader.wholeNumber("max_traces", 0) };
}

function readRange(reader: InputReader, now: number): Pick<UsageQuery, "start" | "end"> {
  const given = { start: readDateTime(reader, "start_time"), end: readDateTime(reader, "end_time") };
  const start = given.start?.at ?? now - defaultDays * dayMs;
  // A date as the end includes that day (contract, 7), so the range ends with it.
  const end = given.end === undefined ? now : given.end.at + (given.end.isDate ? dayMs : 0);
  if (start >= end) {
    const spelled = [start, end].map((time) => new Date(time).toISOString());
    const problem = `has to be before end_time, but the range would go from ${spelled[0]} to ${spelled[1]}`;
    reader.refuse("start_time", given.start ? problem : `(30 days ago, as none is given) ${problem}`);
  }
  return { start, end };
}

function readDateTime(reader: InputReader, input: string): DateTime | undefined {
  const text = reader.optional(input);
  if (text === undefined) return undefined;
  const dateTime = parseDateTime(text);
  if (dateTime !== undefined) return dateTime;
  reader.refuse(
    input,
    `has to be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T14:00:00Z, not ${quote(text)}`,
  );
  // Neither before nor after anything: no second problem comes of it.
  return { at: Number.NaN, isDate: false };
}

const WorkspaceIdSchema = v.pipe(v.string(), v.uuid());

function readWorkspaceIds(reader: InputReader): string[] {
  const ids = reader.list("workspace_ids");
  if (ids.length === 0)
    reader.refuse("workspace_ids", "has to be given: one id per line, or comma separated");
  for (const id of ids) {
    if (!v.is(WorkspaceIdSchema, id))
      reader.refuse("workspace_ids", `holds ${quote(id)}, which is not a UUID`);
  }
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function readFile(
  reader: InputReader,
  input: FileInput["input"],
  { workspace, disk }: UsageSurroundings,
): FileInput | undefined {
  const text = reader.optional(input);
  if (text === undefined) return undefined;
  const path = resolve(workspace, text);
  if (/[\\/]$/.test(text) || !disk.isFreeForFile(path)) {
    reader.refuse(input, `has to name a file, but ${quote(text)} is a folder or a device`);
  }
  return { input, path };
}
