import type { SweepReason } from "../deletion-results.ts";
import { nameOfTask, type OwnRecord } from "../github/deployment-records.ts";

/** A preview as its newest record describes it. */
export interface RecordedPreview {
  readonly name: string;
  readonly deploymentId: string;
  readonly pullRequest: number | undefined;
  /** All records of its task, newest first. */
  readonly records: readonly OwnRecord[];
  readonly newest: OwnRecord;
}

/** The previews of records, which are newest first. One whose payload has another name than its task is left alone. */
export function previewsOf(records: readonly OwnRecord[]): RecordedPreview[] {
  const byTask = Map.groupBy(records, ({ task }) => task);
  return [...byTask].flatMap(([task, ofTask]) => {
    const name = nameOfTask(task);
    const [newest] = ofTask;
    if (name === undefined || newest === undefined || newest.payload.name !== name) return [];
    const { deployment_id: deploymentId, pull_request: pullRequest } = newest.payload;
    return [{ name, deploymentId, pullRequest, records: ofTask, newest }];
  });
}

const dayMs = 86_400_000;

export interface SweepDecision {
  readonly shouldDelete: boolean;
  readonly reason: SweepReason;
}

/**
 * Whether to delete a preview, by its newest record that is not inactive (docs/specification.md#sweep).
 * `isOpen`: of its pull request; undefined if the record names none. `now`: milliseconds since the epoch.
 */
export function decideSweep(
  { pullRequest, newest }: RecordedPreview,
  isOpen: boolean | undefined,
  maxAgeDays: number | undefined,
  now: number,
): SweepDecision {
  const reason: SweepReason =
    pullRequest === undefined || isOpen === undefined
      ? { kind: "no_pull_request" }
      : { kind: "pull_request", number: pullRequest, isOpen };
  if (isOpen === false) return { shouldDelete: true, reason };
  if (maxAgeDays !== undefined && now - newest.createdAt > maxAgeDays * dayMs) {
    return { shouldDelete: true, reason: { kind: "too_old", maxAgeDays } };
  }
  return { shouldDelete: false, reason };
}
