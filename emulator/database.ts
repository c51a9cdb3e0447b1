/** The one SQLite database in which everything is kept. */
import { DatabaseSync } from "node:sqlite";

const VERSION = 1;

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
`;

/** The data file cannot be used. */
export class DataFileError extends Error {}

/**
 * Opens the database, and makes its tables when it is new.
 * @param file a path, or undefined for one in memory
 * @throws {DataFileError} when the file is no database of this version of the emulator
 */
export function openDatabase(file: string | undefined): DatabaseSync {
  const where = file ?? ":memory:";
  try {
    const database = new DatabaseSync(where);
    // FULL: what was answered is on disk before the answer goes out, whatever kills the process afterwards.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    prepareTables(database);
    return database;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFileError(`--data ${where} cannot be used: ${reason}`, { cause });
  }
}

function prepareTables(database: DatabaseSync): void {
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  if (version === VERSION) return;
  if (version !== 0) throw new Error(`it was written by another version of the emulator (${version})`);
  transaction(database, () => {
    database.exec(TABLES);
    database.exec(`PRAGMA user_version = ${VERSION}`);
  });
}

/** Runs `work` in one transaction: all of it is kept, or, when it throws, nothing. */
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
