import type { KnownRevisions, LiveRevision } from "./attribution.ts";

/** This run's revision, and what was there before it. */
export interface AppliedRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** When the write was sent; milliseconds since the epoch. */
  readonly writtenAt: number;
  readonly before: KnownRevisions;
  /** What was live then; undefined where nothing was, or where that isn't known. */
  readonly liveBefore: LiveRevision | undefined;
}
