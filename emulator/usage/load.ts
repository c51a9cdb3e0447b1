/** Usage into the database. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { UsageLine } from "./usage-file.ts";

/**
 * Puts these trace counts in place of those there. To be called in a transaction. Needs the same memory for ten
 * lines and for ten million. Throws what `lines` throws.
 */
export function loadUsage(database: DatabaseSync, lines: Iterable<UsageLine>): void {
  database.exec(`
    DELETE FROM usage;
    DELETE FROM usage_dimensions;
    CREATE TEMP TABLE loading (
      hour INTEGER, workspace INTEGER, project INTEGER, user INTEGER, api_key INTEGER, traces INTEGER
    );
  `);
  const insert = database.prepare("INSERT INTO loading VALUES (?, ?, ?, ?, ?, ?)");
  const dimensions = new DimensionIds(database);
  for (const line of lines) {
    insert.run(
      Math.floor(line.time / 3_600_000),
      dimensions.workspace(line),
      dimensions.project(line),
      dimensions.user(line),
      dimensions.apiKey(line),
      line.traces,
    );
  }
  for (const groupBy of ["project", "user", "api_key"] as const) {
    database.exec(`
      INSERT INTO usage (group_by, workspace, hour, dimension, traces)
      SELECT '${groupBy}', workspace, hour, ${groupBy}, sum(traces)
      FROM loading
      GROUP BY workspace, hour, ${groupBy}
    `);
  }
  // From the sums there are: they are in the right order already, and fewer.
  database.exec(`
    INSERT INTO usage (group_by, workspace, hour, dimension, traces)
    SELECT 'workspace', workspace, hour, workspace, sum(traces)
    FROM usage
    WHERE group_by = 'project'
    GROUP BY workspace, hour;
    DROP TABLE loading;
  `);
}

/** Enough that files with many users stay quick, and a few megabytes. */
const REMEMBERED = 50_000;

/** The ids of dimensions, made on first sight; the ones seen lately are remembered. */
class DimensionIds {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #remembered = new Map<string, number>();

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare(
      "INSERT OR IGNORE INTO usage_dimensions (dimensions, workspace_id) VALUES (?, ?)",
    );
    this.#select = database.prepare("SELECT id FROM usage_dimensions WHERE dimensions = ?");
  }

  workspace({ workspace_id, workspace_name }: UsageLine): number {
    return this.#idOf(JSON.stringify({ workspace_id, workspace_name }), workspace_id);
  }

  project({ project_id, project_name }: UsageLine): number {
    return this.#idOf(JSON.stringify({ project_id, project_name }));
  }

  user({ user_id, user_email }: UsageLine): number {
    return this.#idOf(JSON.stringify({ user_id, user_email: user_email ?? undefined }));
  }

  apiKey({ api_key_short_key }: UsageLine): number {
    return this.#idOf(JSON.stringify({ api_key_short_key }));
  }

  #idOf(dimensions: string, workspaceId: string | null = null): number {
    const known = this.#remembered.get(dimensions);
    if (known !== undefined) return known;
    this.#insert.run(dimensions, workspaceId);
    const id = Number(this.#select.get(dimensions)?.id);
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
    this.#remembered.set(dimensions, id);
    return id;
  }
}
