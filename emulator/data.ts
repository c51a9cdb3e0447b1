/** The database with what is in it from the start. */
import type { DatabaseSync } from "node:sqlite";
import { openDatabase, transaction } from "./database.ts";
import { addLocalProvider } from "./oauth/provider-store.ts";
import { loadUsage } from "./usage/load.ts";
import { sampleUsage } from "./usage/sample.ts";
import { usageLinesIn } from "./usage/usage-file.ts";

export interface DataOptions {
  /** Undefined: nothing outlives the emulator. */
  readonly dataFile?: string | undefined;
  /** Trace counts to put in place of those there. */
  readonly usageFile?: string | undefined;
  /** Whether a new database starts with some usage to look at. */
  readonly sampleUsage: boolean;
  readonly workspaceId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Opens the database and loads what the options say.
 * @throws {DataFileError}
 * @throws {UsageFileError} nothing of the file is loaded then
 */
export function openData({
  dataFile,
  usageFile,
  sampleUsage: sample,
  workspaceId,
  now,
}: DataOptions): DatabaseSync {
  const database = openDatabase(dataFile, (fresh) => {
    addLocalProvider(fresh, now);
    if (sample) loadUsage(fresh, sampleUsage(workspaceId, now));
  });
  try {
    if (usageFile !== undefined) transaction(database, () => loadUsage(database, usageLinesIn(usageFile)));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
