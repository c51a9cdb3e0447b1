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

/** Whether a preview goes, and why it does or doesn't. */
export interface Verdict {
  readonly goes: boolean;
  /** A part of a sentence. */
  readonly why: string;
}

/**
 * Whether a preview goes, by its newest record that isn't inactive (contract, 5). `pullRequestOpen`: undefined where the
 * record names no pull request; `now`: milliseconds since the epoch.
 */
export function judge(
  { pullRequest, newest }: SweptPreview,
  pullRequestOpen: boolean | undefined,
  maxAgeDays: number | undefined,
  now: number,
): Verdict {
  if (pullRequestOpen === false) return { goes: true, why: `pull request #${pullRequest} is closed` };
  const maxMs = (maxAgeDays ?? Number.POSITIVE_INFINITY) * dayMs;
  if (now - newest.createdAt > maxMs) {
    const why = `its newest record that isn't inactive is older than max_age_days (${maxAgeDays})`;
    return { goes: true, why };
  }
  if (pullRequestOpen === undefined) return { goes: false, why: "its record names no pull request" };
  return { goes: false, why: `pull request #${pullRequest} is open` };
}
