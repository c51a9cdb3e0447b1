/** The one SQLite database in which everything is kept. */
import { DatabaseSync } from "node:sqlite";
import { TABLES } from "./tables.ts";

const VERSION = 1;

/** The data file cannot be used. */
export class DataFileError extends Error {}

/**
 * Opens the database, and makes its tables when it is new.
 * @param file a path, or undefined for one that is gone when it is closed
 * @param fill puts in what a new database holds from the start
 * @throws {DataFileError} when the file is no database of this version of the emulator
 */
export function openDatabase(file: string | undefined, fill: (database: DatabaseSync) => void): DatabaseSync {
  try {
    // An empty name: in memory, but what gets too large for that goes to a temporary file.
    const database = new DatabaseSync(file ?? "");
    // FULL: what was answered is on disk before the answer goes out, whatever kills the process afterwards.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    // 64 MB, which is also what a sort may hold before it goes to a file: millions of usage rows are sorted here.
    database.exec("PRAGMA cache_size = -65536");
    prepareTables(database, fill);
    return database;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFileError(`--data ${file ?? ""} cannot be used: ${reason}`, { cause });
  }
}

function prepareTables(database: DatabaseSync, fill: (database: DatabaseSync) => void): void {
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  if (version === VERSION) return;
  if (version !== 0) throw new Error(`it was written by another version of the emulator (${version})`);
  transaction(database, () => {
    database.exec(TABLES);
    fill(database);
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
