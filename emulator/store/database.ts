/** The SQLite database that holds everything. */

import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../errors.ts";

const VERSION = 5;

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
    value TEXT,
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
  CREATE TABLE runs (
    revision_id TEXT PRIMARY KEY REFERENCES revisions (id) ON DELETE CASCADE,
    request TEXT NOT NULL,
    commit_sha TEXT,
    folder TEXT
  ) STRICT;
  CREATE TABLE ports (
    deployment_id TEXT PRIMARY KEY REFERENCES deployments (id) ON DELETE CASCADE,
    port INTEGER NOT NULL
  ) STRICT;

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

/** Milliseconds that a write waits for another program's lock. Nothing else happens during that. */
const LOCK_TIMEOUT_MS = 5000;

export interface DatabaseOptions {
  /** A path, or undefined for a database that is gone when it is closed. */
  readonly file: string | undefined;
  /** Whether its revisions are really run: then it holds the values of secrets. */
  readonly isForRuns: boolean;
  /** Adds the initial content of a new database. */
  readonly fill: (database: DatabaseSync) => void;
}

/**
 * The open database; a new one gets its tables first.
 * @throws {DataFileError} if the file is not a database of this version of the emulator, or of the other kind
 */
export function openDatabase({ file, isForRuns, fill }: DatabaseOptions): DatabaseSync {
  try {
    // SQLite gives the files beside it the same mode.
    if (isForRuns && file !== undefined) keepForOwner(file);
    // An empty name keeps the database in memory, and in a temporary file if it gets too large for that.
    const database = new DatabaseSync(file ?? "", { timeout: LOCK_TIMEOUT_MS });
    useWriteAheadLog(database);
    // FULL: a write is on disk before its response is sent, so that even `kill -9` loses nothing.
    database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    createTables(database, isForRuns ? RUN_FILE : SIMULATED_FILE, fill);
    return database;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new DataFileError(`--data ${file ?? ""} cannot be used: ${reason}`, { cause });
  }
}

/** SQLite does not wait for the lock of another emulator that opens the same new file (https://www.sqlite.org/wal.html#busy). */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isTransient(error) || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** The kinds of data files. A simulated revision has no process, and a run one has no plan. */
const SIMULATED_FILE = 0;
const RUN_FILE = 1;

function keepForOwner(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

function createTables(database: DatabaseSync, kind: number, fill: (database: DatabaseSync) => void): void {
  // In the transaction: another emulator may be creating the same file.
  transaction(database, () => {
    const version = database.prepare("PRAGMA user_version").get()?.user_version;
    if (version === VERSION) {
      if (database.prepare("PRAGMA application_id").get()?.application_id === kind) return;
      throw new Error(`it was written ${kind === RUN_FILE ? "without" : "with"} --run. Name another file.`);
    }
    if (version !== 0)
      throw new Error(
        `another version of the emulator (${version}) wrote it. Delete it or name another file.`,
      );
    database.exec(TABLES);
    fill(database);
    database.exec(`PRAGMA application_id = ${kind}; PRAGMA user_version = ${VERSION}`);
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
    // SQLite itself rolls back after some errors: https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Like `transaction`, but it fails at once if another program has locked the file. For writes that can be retried, and must
 * not hold up requests.
 */
export function tryTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("PRAGMA busy_timeout = 0");
  try {
    return transaction(database, work);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
  }
}

/** https://www.sqlite.org/rescode.html: SQLITE_BUSY, SQLITE_IOERR and SQLITE_FULL. */
const TRANSIENT_CODES = [5, 10, 13];

/** Whether an error is one of a database that may be written later: it is locked, or the disk is full. */
export function isTransient(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return false;
  // The other bits say more about the same code.
  return TRANSIENT_CODES.includes(Number(error.errcode) & 0xff);
}

/** A salted SHA-256, so that the data file shows neither a secret nor that two are equal. */
export function hashSecret(value: string): string {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${createHash("sha256").update(salt).update(value).digest("hex")}`;
}
