/** The logs of what was really built and run. */
import type { DatabaseSync } from "node:sqlite";
import type { LogType } from "../faults/fault-rule.ts";
import type { RevisionRow } from "../store/deployments.ts";
import { RevisionLogs, type StoredLine } from "../store/revision-logs.ts";
import { type LogContent, type LogEntry, type RevisionLog, statusAt } from "./revision-log.ts";

export class RecordedLog implements RevisionLog {
  readonly #logs: RevisionLogs;

  constructor(database: DatabaseSync) {
    this.#logs = new RevisionLogs(database);
  }

  read(revisions: readonly RevisionRow[], type: LogType, now: number, last?: number): LogContent {
    const lines = this.#logs.lines(
      revisions.map(({ id }) => id),
      type,
      last,
    );
    return {
      entries: lines.map((line) => ({ place: line.sequence, entry: entryOf(line) })),
      isComplete: revisions.every((revision) => {
        const { status, isLast } = statusAt(revision, now);
        // A server may print something for as long as it runs.
        return isLast && (type === "build" || status !== "DEPLOYED");
      }),
    };
  }
}

function entryOf({ sequence, timestampMs, level, message }: StoredLine): LogEntry {
  return { id: String(sequence), timestamp: timestampMs, level, message };
}
