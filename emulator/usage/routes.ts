/** Requests about usage → responses (platform-api, "Granular usage" and "Granular usage export"). */
import type { DatabaseSync } from "node:sqlite";
import { Hono } from "hono";
import { queryOf, validate } from "../validation.ts";
import { strideFor } from "./buckets.ts";
import { CSV_HEADER, csvLineOf } from "./csv.ts";
import { usageRows } from "./report.ts";
import { type UsageQuery, UsageQuerySchema } from "./requests.ts";
import { streamOf } from "./text-stream.ts";

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

function* jsonParts(database: DatabaseSync, query: UsageQuery): Generator<string> {
  yield `{"stride":${JSON.stringify(strideFor(query.range))},"usage":[`;
  let separator = "";
  for (const { start, dimensions, traces } of usageRows(database, query)) {
    const item = { time_bucket: start, dimensions, traces };
    yield separator + JSON.stringify(item);
    separator = ",";
  }
  yield "]}";
}

function* csvParts(database: DatabaseSync, query: UsageQuery): Generator<string> {
  yield CSV_HEADER;
  for (const row of usageRows(database, query)) yield csvLineOf(row);
}
