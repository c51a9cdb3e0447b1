/** The logs of revisions in the database: what their builds and servers printed. */
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import type { LogType } from "../faults/fault-rule.ts";
import { tryTransaction } from "./database.ts";

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly timestampMs: number;
  readonly level: string;
  readonly message: string;
}

const StoredLineSchema = v.pipe(
  v.object({ sequence: v.number(), time: v.number(), level: v.string(), message: v.string() }),
  v.transform(({ time: timestampMs, ...others }) => ({ ...others, timestampMs })),
);
/** `sequence` grows with every line of any log. */
export type StoredLine = v.InferOutput<typeof StoredLineSchema>;

const MAX_LINES = 10_000;
const MAX_MESSAGE_BYTES = 4096;

export class RevisionLogs {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Adds lines to a log, which keeps its last 10,000. A message is cut at 4 KiB. Lines of a revision that no longer
   * exists are dropped: a server may still print something while its deployment is deleted.
   */
  append(revisionId: string, type: LogType, lines: readonly LogLine[]): void {
    // What could not be stored before the emulator was closed is lost.
    if (!this.#database.isOpen) return;
    tryTransaction(this.#database, () => {
      const insert = this.#database.prepare(
        `INSERT INTO log_lines (revision_id, type, time, level, message)
           SELECT id, ?, ?, ?, ? FROM revisions WHERE id = ?`,
      );
      for (const { timestampMs, level, message } of lines.slice(-MAX_LINES)) {
        insert.run(type, Math.floor(timestampMs), level, cutToBytes(message, MAX_MESSAGE_BYTES), revisionId);
      }
      this.#trim(revisionId, type);
    });
  }

  #trim(revisionId: string, type: LogType): void {
    this.#database
      .prepare(
        `DELETE FROM log_lines WHERE revision_id = :revisionId AND type = :type AND sequence <= (
           SELECT sequence FROM log_lines WHERE revision_id = :revisionId AND type = :type
             ORDER BY sequence DESC LIMIT 1 OFFSET ${MAX_LINES})`,
      )
      .run({ revisionId, type });
  }

  /** The lines of one log of these revisions, or the last of them, in the order in which they were added. */
  lines(revisionIds: readonly string[], type: LogType, last = MAX_LINES * revisionIds.length): StoredLine[] {
    const rows = this.#database
      .prepare(
        `SELECT sequence, time, level, message FROM log_lines
           WHERE revision_id IN (SELECT value FROM json_each(?)) AND type = ? ORDER BY sequence DESC LIMIT ?`,
      )
      .all(JSON.stringify(revisionIds), type, last);
    return rows.map((row) => v.parse(StoredLineSchema, row)).reverse();
  }
}

/** The beginning of a text that fits into so many bytes of UTF-8, without a part of a character. */
function cutToBytes(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its code units.
  if (text.length * 3 <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
