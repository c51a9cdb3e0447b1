/** Usage out of the database, one row at a time, so that no report has to fit into memory. */
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { bucketsOf, HOUR } from "./buckets.ts";
import { formatDateTime } from "./date-time.ts";
import type { UsageQuery } from "./requests.ts";

const RowSchema = v.object({
  dimensions: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  traces: v.number(),
});

/** One bucket and one combination of dimensions. */
export interface UsageRow extends v.InferOutput<typeof RowSchema> {
  /** The bucket's start and end, as the API tells times. */
  readonly start: string;
  readonly end: string;
}

// One bucket at a time: its rows are few enough to be grouped quickly, and the first ones can go out at once.
const TRACES_OF_BUCKET = `
  SELECT dimensions, traces
  FROM (
    SELECT dimension, sum(traces) AS traces
    FROM usage
    WHERE group_by = :groupBy
      AND workspace IN (
        SELECT id FROM usage_dimensions WHERE workspace_id IN (SELECT value FROM json_each(:workspaceIds))
      )
      AND hour >= :firstHour AND hour < :endHour
    GROUP BY dimension
  )
  JOIN usage_dimensions ON id = dimension
  WHERE traces > 0
  ORDER BY dimension`;

/** The rows of a report in the order of their time; empty buckets have none. */
export function* usageRows(database: DatabaseSync, query: UsageQuery): Generator<UsageRow> {
  const statement = database.prepare(TRACES_OF_BUCKET);
  for (const bucket of bucketsOf(query.range)) {
    const rows = statement.iterate({
      groupBy: query.groupBy,
      workspaceIds: JSON.stringify(query.workspaceIds),
      firstHour: bucket.start / HOUR,
      endHour: bucket.end / HOUR,
    });
    const times = { start: formatDateTime(bucket.start), end: formatDateTime(bucket.end) };
    for (const row of rows) yield { ...times, ...v.parse(RowSchema, row) };
  }
}
