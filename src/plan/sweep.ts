import type { OwnRecord } from "../github/records.ts";
import { nameOfTask } from "../inputs/preview-name.ts";

/** A preview as its newest record tells of it. */
export interface SweptPreview {
  readonly name: string;
  readonly deploymentId: string;
  readonly pullRequest: number | undefined;
  /** All records of its task, newest first. */
  readonly records: readonly OwnRecord[];
  readonly newest: OwnRecord;
}

/**
 * The previews that records tell of, from records newest first. One whose payload doesn't name its task's preview is
 * left alone (contract, 5).
 */
export function previewsOf(records: readonly OwnRecord[]): SweptPreview[] {
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

/** Why a preview goes, undefined where it stays. `now`: milliseconds since the epoch. */
export function reasonToSweep(
  preview: SweptPreview,
  pullRequestOpen: boolean | undefined,
  maxAgeDays: number | undefined,
  now: number,
): string | undefined {
  if (pullRequestOpen === false) return `pull request #${preview.pullRequest} is closed`;
  const mostMs = (maxAgeDays ?? Number.POSITIVE_INFINITY) * dayMs;
  const tooOld = now - preview.newest.createdAt > mostMs;
  return tooOld ? `its newest record is older than max_age_days (${maxAgeDays})` : undefined;
}
