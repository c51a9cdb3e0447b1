/** Locks that end with their process, also after `kill -9`. */
import { DatabaseSync } from "node:sqlite";

export interface FileLock {
  release(): void;
}

/**
 * Locks a file, which is created if it is missing, against other processes and against this one.
 * @throws if somebody holds the lock, or the file can't be written
 */
export function lockFile(file: string): FileLock {
  // Node.js has no locks of files, but SQLite does: https://www.sqlite.org/lockingv3.html
  const database = new DatabaseSync(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    const isHeld = String(cause).includes("is locked");
    throw isHeld ? new Error("another emulator that is running uses it.", { cause }) : cause;
  }
  return { release: () => database.close() };
}
