import type { OwnRecord } from "../github/deployment-records.ts";
import { nameOfTask } from "../inputs/preview-name.ts";

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

/** `why`: a part of a sentence. */
export interface SweepDecision {
  readonly shouldDelete: boolean;
  readonly why: string;
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
  if (isOpen === false) return { shouldDelete: true, why: `pull request #${pullRequest} is closed` };
  const maxAgeMs = (maxAgeDays ?? Number.POSITIVE_INFINITY) * dayMs;
  if (now - newest.createdAt > maxAgeMs) {
    return { shouldDelete: true, why: `its newest active record is older than max_age_days (${maxAgeDays})` };
  }
  if (isOpen === undefined) return { shouldDelete: false, why: "its record names no pull request" };
  return { shouldDelete: false, why: `pull request #${pullRequest} is open` };
}
