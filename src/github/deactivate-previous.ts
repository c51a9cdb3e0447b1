import { type GitHubClient, pageSize } from "./client.ts";
import {
  isOfControlPlane,
  listOwnRecords,
  type OwnRecord,
  type RecordStatus,
  readState,
  readStates,
  setState,
} from "./deployment-records.ts";

interface ReplacedTask {
  readonly environment: string;
  readonly task: string;
  /** If it is set, only the records of this control plane and workspace are replaced. */
  readonly controlPlaneDigest?: string | undefined;
}

/** The final status of a record. */
export interface RecordEnd extends RecordStatus {
  /** Set if the record replaces the others of this environment and task. */
  readonly replaces?: ReplacedTask | undefined;
}

interface RecordWithState {
  readonly id: number;
  /** The newest, undefined if there is none. */
  readonly state: string | undefined;
}

/** The records that a new record replaces if its deployment becomes live, as they were right after the write. */
export interface PreviousRecords {
  /** The id of the newest, 0 if there is none. */
  readonly newestId: number;
  readonly active: readonly RecordWithState[];
}

/**
 * Limits the requests of a run to 20. After several failed runs there may be more records; the oldest keep their state.
 */
const maxPrevious = 3;

const liveStates: readonly (string | undefined)[] = ["success", "queued"];
/** Failed records don't look live, so they are deactivated last. */
const failedStates: readonly (string | undefined)[] = ["failure", "error"];

/** Finds out which of these records, newest first, a new one replaces. @throws GitHubError */
export async function findPreviousRecords(
  github: GitHubClient,
  records: readonly OwnRecord[],
): Promise<PreviousRecords> {
  const states = await readStatesUpToLive(github, records);
  const active = states.filter(({ state }) => state !== "inactive");
  const failed = active.filter(({ state }) => failedStates.includes(state));
  const others = active.filter(({ state }) => !failedStates.includes(state));
  return { newestId: records[0]?.id ?? 0, active: [...others, ...failed].slice(0, maxPrevious) };
}

/**
 * Reads states, newest first, until the record that was last live: that one has already replaced all older ones. Failed
 * records may be newer than it.
 */
async function readStatesUpToLive(
  github: GitHubClient,
  records: readonly OwnRecord[],
): Promise<RecordWithState[]> {
  const states: RecordWithState[] = [];
  const hasLive = () => states.some(({ state }) => liveStates.includes(state));
  for (const { id } of records.slice(0, maxPrevious)) {
    const state = await readState(github, id);
    if (state === "inactive" && hasLive()) return states;
    states.push({ id, state });
  }
  const isFull = states.every(({ state }) => state !== "inactive" && !failedStates.includes(state));
  if (isFull || hasLive()) return states;
  const older = await readStates(github, records.slice(maxPrevious, maxPrevious + pageSize));
  return [...states, ...[...older].map(([id, state]) => ({ id, state }))];
}

/**
 * Makes the other records of the same task inactive, if the end of this one replaces them. If a newer record is live,
 * this one becomes inactive instead, or both if the deployment is gone. Of two runs at the same time one sees the
 * other, because each sets its own state before it reads the others'. @throws GitHubError
 */
export async function deactivatePreviousRecords(
  github: GitHubClient,
  ownId: number,
  { state, logUrl, replaces }: RecordEnd,
  { newestId, active }: PreviousRecords = { newestId: 0, active: [] },
): Promise<void> {
  if (replaces === undefined) return;
  const isGone = state === "inactive";
  const description = isGone ? "The deployment was deleted" : "Replaced by a newer deployment";
  const deactivate = (id: number) => setState(github, id, { state: "inactive", description, logUrl });
  const { environment, task, controlPlaneDigest } = replaces;
  const ofTask = await listOwnRecords(github, environment, task);
  const records =
    controlPlaneDigest === undefined
      ? ofTask
      : ofTask.filter((record) => isOfControlPlane(record, controlPlaneDigest));
  for (const { id } of records.filter((one) => one.id > ownId).slice(0, maxPrevious)) {
    if (!liveStates.includes(await readState(github, id))) continue;
    if (!isGone) return await deactivate(ownId);
    await deactivate(id);
  }
  const made = records.filter(({ id }) => id < ownId && id > newestId);
  const previous = [...(await findPreviousRecords(github, made)).active, ...active];
  for (const { id } of previous) await deactivate(id);
}
