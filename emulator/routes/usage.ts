/** The usage API: a JSON report and a CSV export of trace counts, sent while they are computed. */
import type { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import * as v from "valibot";
import { type GroupBy, GroupBySchema } from "../../src/usage/schemas.ts";
import { sumUsage, type UsageSum } from "../store/usage.ts";
import { bucketsOf, DateTimeSchema, formatDateTime, type Range, strideFor } from "../usage/time.ts";
import { queryOf, validate } from "./validation.ts";

const WorkspaceIdsSchema = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((given) => [given].flat()),
  v.array(v.pipe(v.string(), v.uuid("Input should be a UUID"), v.toLowerCase())),
);

export interface UsageQuery {
  readonly range: Range;
  /** In lower case, as in the database. */
  readonly workspaceIds: readonly string[];
  readonly groupBy: GroupBy;
}

export interface UsageRow extends UsageSum {
  /** ISO 8601. */
  readonly start: string;
  readonly end: string;
}

export const UsageQuerySchema = v.pipe(
  v.strictObject({
    start_time: DateTimeSchema,
    end_time: DateTimeSchema,
    workspace_ids: WorkspaceIdsSchema,
    group_by: v.optional(GroupBySchema, "workspace"),
  }),
  v.forward(
    v.partialCheck(
      [["start_time"], ["end_time"]],
      ({ start_time, end_time }) => end_time > start_time,
      "end_time should be after start_time",
    ),
    ["end_time"],
  ),
  v.transform(
    ({ start_time, end_time, workspace_ids, group_by }): UsageQuery => ({
      range: { start: start_time, end: end_time },
      workspaceIds: workspace_ids,
      groupBy: group_by,
    }),
  ),
);

/** The routes, relative to `/api/v1/orgs/current/billing/granular-usage`. */
export function usageRoutes(database: DatabaseSync): Hono {
  const routes = new Hono();

  routes.get("/", (c) => {
    const query = validate(UsageQuerySchema, queryOf(c.req.url), "query");
    return c.body(streamOf(jsonParts(database, query)), 200, { "Content-Type": "application/json" });
  });

  routes.get("/export", (c) => {
    const query = validate(UsageQuerySchema, queryOf(c.req.url), "query");
    return c.body(streamOf(csvParts(database, query)), 200, { "Content-Type": "text/csv; charset=utf-8" });
  });

  return routes;
}

/** The sums of each bucket, in order of time. */
export function* usageRows(
  database: DatabaseSync,
  { range, workspaceIds, groupBy }: UsageQuery,
): Generator<UsageRow> {
  for (const bucket of bucketsOf(range)) {
    const [start, end] = [formatDateTime(bucket.start), formatDateTime(bucket.end)];
    for (const sum of sumUsage(database, bucket, workspaceIds, groupBy)) yield { start, end, ...sum };
  }
}

function* jsonParts(database: DatabaseSync, query: UsageQuery): Generator<string> {
  yield `{"stride":${JSON.stringify(strideFor(query.range))},"usage":[`;
  let separator = "";
  for (const { start, dimensions, traces } of usageRows(database, query)) {
    yield separator + JSON.stringify({ time_bucket: start, dimensions, traces });
    separator = ",";
  }
  yield "]}";
}

/** The title and the dimension of each column between the times and the traces. */
const DIMENSION_COLUMNS = [
  ["Workspace ID", "workspace_id"],
  ["Workspace Name", "workspace_name"],
  ["Project ID", "project_id"],
  ["Project Name", "project_name"],
  ["User ID", "user_id"],
  ["User Email", "user_email"],
  ["API Key Short Key", "api_key_short_key"],
] as const;

function* csvParts(database: DatabaseSync, query: UsageQuery): Generator<string> {
  const titles = DIMENSION_COLUMNS.map(([title]) => title);
  yield csvLine(["Time Bucket Start", "Time Bucket End", ...titles, "Traces"]);
  for (const { start, end, dimensions, traces } of usageRows(database, query)) {
    const cells = DIMENSION_COLUMNS.map(([, key]) => dimensions[key] ?? "");
    yield csvLine([start, end, ...cells, String(traces)]);
  }
}

/** https://www.rfc-editor.org/rfc/rfc4180 */
function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  // A tab keeps spreadsheets from running the cell: https://owasp.org/www-community/attacks/CSV_Injection
  const guarded = /^[=+\-@\t\r]/.test(text) ? `\t${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** A stream in chunks that are large enough to be fast. It asks for more only when the reader takes them. */
function streamOf(parts: Iterable<string>): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunksOf(parts));
}

function* chunksOf(parts: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}
