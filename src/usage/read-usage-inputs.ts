import { resolve } from "node:path";
import type { EpochMs } from "../clock.ts";
import { missingInput } from "../input-problem.ts";
import { readApiLocation } from "../inputs/api-location.ts";
import type { InputReader } from "../inputs/reader.ts";
import type { InputName } from "../text/input-names.ts";
import { code, inputName, phrase, quote } from "../text/message.ts";
import { dayMs, parseDateTime } from "../text/time.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { GroupBySchema } from "./schemas.ts";

export type UsageInputs = Readonly<ReturnType<typeof readUsageInputs>>;

export function readUsageInputs(
  reader: InputReader,
  now: EpochMs,
  { workspace }: Pick<WorkflowRun, "workspace">,
) {
  const pathOf = (path: string | undefined) => path && resolve(workspace, path);
  const [jsonFile, csvFile] = [pathOf(reader.optional("json_file")), pathOf(reader.optional("csv_file"))];
  if (jsonFile !== undefined && jsonFile === csvFile) {
    reader.reject("csv_file", phrase`must not be the same file as ${inputName("json_file")}`);
  }
  const workspaceIds: readonly string[] = reader.list("workspace_ids");
  if (workspaceIds.length === 0) reader.addProblem(missingInput("workspace_ids"));
  return {
    ...readApiLocation(reader, "base_url"),
    apiKey: reader.requiredHeaderValue("api_key"),
    /** The total time of the JSON report, and the longest silence in the CSV export. */
    timeoutMs: reader.durationMs("request_timeout_seconds", 300),
    ...readRange(reader, now),
    workspaceIds,
    groupBy: reader.oneOf("group_by", GroupBySchema.options, "workspace"),
    /** An absolute path, as is `csvFile`. */
    jsonFile,
    csvFile,
    maxTraces: reader.wholeNumber("max_traces", 0),
  };
}

/** Returns the range, which ends before `end`. */
function readRange(reader: InputReader, now: EpochMs): { readonly start: EpochMs; readonly end: EpochMs } {
  const start = readDateTime(reader, "start_time") ?? now - 30 * dayMs;
  const last = readDateTime(reader, "end_time") ?? now;
  // A date includes its whole day.
  const isDate = reader.optional("end_time")?.length === "2026-01-31".length;
  const end = isDate ? last + dayMs : last;
  if (start >= end) {
    const [from, to] = [start, end].map((time) => code(new Date(time).toISOString()));
    reader.reject(
      "start_time",
      phrase`must be before ${inputName("end_time")}, but the range would be ${from} to ${to}`,
    );
  }
  return { start, end };
}

/** Returns undefined if the input is not set. A rejected one becomes NaN: no comparison with it adds a second problem. */
function readDateTime(reader: InputReader, input: InputName): EpochMs | undefined {
  const value = reader.optional(input);
  if (value === undefined) return undefined;
  const at = parseDateTime(value);
  if (Number.isNaN(at)) {
    reader.reject(
      input,
      phrase`must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T14:00:00Z, not ${quote(value, 100)}`,
    );
  }
  return at;
}
