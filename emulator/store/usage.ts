/** Trace counts in the database. */
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { dimensionKeys, type GroupBy } from "../../src/usage/schemas.ts";
import type { Range } from "../usage/time.ts";
import type { UsageLine } from "../usage/usage-file.ts";

/** Replaces all trace counts; to be called in a transaction. Rethrows the errors of `lines`. */
export function replaceUsage(database: DatabaseSync, lines: Iterable<UsageLine>): void {
  database.exec("DELETE FROM usage");
  const insert = database.prepare(`
    INSERT INTO usage VALUES (:time, :workspace_id, :workspace_name, :project_id, :project_name,
      :user_id, :user_email, :api_key_short_key, :traces)`);
  for (const line of lines) insert.run({ ...line, user_email: line.user_email ?? null });
}

const RowSchema = v.objectWithRest({ traces: v.number() }, v.nullable(v.string()));

/** The traces of one combination of dimensions. */
export interface UsageSum {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly traces: number;
}

/** The sums of a time range, in the order in which the usage file first names each combination; none of them is zero. */
export function* sumUsage(
  database: DatabaseSync,
  { start, end }: Range,
  workspaceIds: readonly string[],
  groupBy: GroupBy,
): Generator<UsageSum> {
  const columns = dimensionKeys[groupBy].join(", ");
  const statement = database.prepare(`
    SELECT ${columns}, sum(traces) AS traces
    FROM usage
    WHERE workspace_id IN (SELECT value FROM json_each(:workspaceIds)) AND time >= :start AND time < :end
    GROUP BY ${columns}
    HAVING sum(traces) > 0
    ORDER BY min(rowid)`);
  for (const row of statement.iterate({ workspaceIds: JSON.stringify(workspaceIds), start, end })) {
    const { traces, ...dimensions } = v.parse(RowSchema, row);
    yield { dimensions: withoutNulls(dimensions), traces };
  }
}

/** The workspaces that have usage. */
export function workspacesWithUsage(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT DISTINCT workspace_id FROM usage ORDER BY workspace_id").all();
  return rows.map((row) => String(row.workspace_id));
}

function withoutNulls(dimensions: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dimensions).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}
