/** The SQLite database that holds everything. */
import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

const VERSION = 4;

/** Times are milliseconds since the epoch. */
const TABLES = `
  CREATE TABLE deployments (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    source_config TEXT NOT NULL,
    source_revision_config TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    gone_at INTEGER
  ) STRICT;
  CREATE TABLE revisions (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    source_revision_config TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    timeline TEXT NOT NULL
  ) STRICT;
  CREATE INDEX revisions_of_deployment ON revisions (deployment_id, sequence);
  CREATE TABLE secrets (
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value_hash TEXT NOT NULL,
    PRIMARY KEY (deployment_id, name)
  ) STRICT;

  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    token TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    completed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- What deleted deployments left behind: their names stay taken.
  CREATE TABLE tracing_projects (name TEXT PRIMARY KEY) STRICT;
  CREATE TABLE log_lines (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    time INTEGER NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX log_of_revision ON log_lines (revision_id, type, sequence);

  CREATE TABLE oauth_providers (
    provider_id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    client_secret_hash TEXT
  ) STRICT;

  CREATE TABLE usage (
    time INTEGER NOT NULL,
    workspace_id TEXT NOT NULL,
    workspace_name TEXT NOT NULL,
    project_id TEXT NOT NULL,
    project_name TEXT NOT NULL,
    user_id TEXT NOT NULL,
    user_email TEXT,
    api_key_short_key TEXT NOT NULL,
    traces INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX usage_of_workspace ON usage (workspace_id, time);
`;

/** The data file cannot be used. */
export class DataFileError extends Error {}

/**
 * The open database; a new one gets its tables first.
 * @param file a path, or undefined for a database that is gone when it is closed
 * @param fill adds the initial content of a new database
 * @throws {DataFileError} if the file is not a database of this version of the emulator
 */
export function openDatabase(file: string | undefined, fill: (database: DatabaseSync) => void): DatabaseSync {
  try {
    // An empty name keeps the database in memory, and in a temporary file if it gets too large for that.
    const database = new DatabaseSync(file ?? "");
    // FULL: a write is on disk before its response is sent, so that even `kill -9` loses nothing.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    createTables(database, fill);
    return database;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFileError(`--data ${file ?? ""} cannot be used: ${reason}`, { cause });
  }
}

function createTables(database: DatabaseSync, fill: (database: DatabaseSync) => void): void {
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  if (version === VERSION) return;
  if (version !== 0)
    throw new Error(`another version of the emulator (${version}) wrote it. Delete it or name another file.`);
  transaction(database, () => {
    database.exec(TABLES);
    fill(database);
    database.exec(`PRAGMA user_version = ${VERSION}`);
  });
}

/** The result of `work`, run in one transaction that is rolled back if it throws. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** A salted SHA-256, so that the data file shows neither a secret nor that two are equal. */
export function hashSecret(value: string): string {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${createHash("sha256").update(salt).update(value).digest("hex")}`;
}
