/** The build and deploy logs of revisions. */
import type { LogType } from "../faults/fault-rule.ts";
import type { RevisionRow } from "../store/deployments.ts";
import { isTerminal, stepAt } from "../timeline.ts";

/** An entry of a log in a response. */
export interface LogEntry {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly level: string;
  readonly message: string;
}

export interface PlacedEntry {
  /** Never changes, and is larger than that of every earlier entry of the log. */
  readonly place: number;
  /** A `LogEntry`, unless a fault rule gives it another shape. */
  readonly entry: unknown;
}

/** A log at one moment. */
export interface LogContent {
  /** The oldest first. */
  readonly entries: readonly PlacedEntry[];
  /** Whether no entry will be added. */
  readonly isComplete: boolean;
}

export interface RevisionLog {
  /**
   * The log of these revisions of one deployment.
   * @param revisions the oldest first
   * @param now milliseconds since the epoch
   * @param last how many entries at most, the last ones; by default all
   */
  read(revisions: readonly RevisionRow[], type: LogType, now: number, last?: number): LogContent;
}

/** The status of a revision at `now`, and whether it is the last one. */
export function statusAt({ timeline, created_at }: RevisionRow, now: number) {
  const { status } = stepAt(timeline, now - created_at);
  return { status, isLast: isTerminal(status) };
}
