import type { GitHub } from "./client.ts";
import type { NewStatus } from "./record-requests.ts";
import { newestStatesOf, type OwnRecord, ownRecords } from "./records.ts";

/** How a record ends. */
export interface RecordEnd extends NewStatus {
  /** Where it is then to replace the others: of which environment and task. */
  readonly replaces: { readonly environment: string; readonly task: string } | undefined;
}

interface Seen {
  readonly id: number;
  /** The newest; undefined where there is none yet. */
  readonly state: string | undefined;
}

/** What a record may replace, as it was seen right after the write. */
export interface Earlier {
  /** Of the newest that there was then. */
  readonly newestId: number;
  /** Those that are to be made inactive. */
  readonly active: readonly Seen[];
}

/**
 * So many records are looked at, at a call each, and made inactive: a run may need 20 calls (issue "Pull-request
 * previews"). There are more only after several runs that ended badly; the oldest of these stay as they ended.
 */
const maxReplaced = 3;
/** So many more GitHub tells of in one call. */
const maxAtOnce = 100;

/** States of a deployment that is live, as far as its record tells. */
const live: readonly (string | undefined)[] = ["success", "queued"];
/** And of one that never got to be: it doesn't pass for live, so it is the last to be made inactive. */
const endedBadly: readonly (string | undefined)[] = ["failure", "error"];

/** What to make inactive once a new record's deployment is live. `records`: older ones, newest first. @throws GitHubError */
export async function lookAtEarlier(github: GitHub, records: readonly OwnRecord[]): Promise<Earlier> {
  const active = (await statesOf(records, github)).filter(({ state }) => state !== "inactive");
  const urgent = active.filter(({ state }) => !endedBadly.includes(state));
  const others = active.filter(({ state }) => endedBadly.includes(state));
  return { newestId: records[0]?.id ?? 0, active: [...urgent, ...others].slice(0, maxReplaced) };
}

/** Up to what was live before, which has replaced those before it; that may be behind many that ended badly. */
async function statesOf(records: readonly OwnRecord[], github: GitHub): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const hasLive = () => seen.some(({ state }) => live.includes(state));
  for (const { id } of records.slice(0, maxReplaced)) {
    const state = await github.records.newestState(id);
    if (state === "inactive" && hasLive()) return seen;
    seen.push({ id, state });
  }
  const isFull = seen.every(({ state }) => state !== "inactive" && !endedBadly.includes(state));
  if (isFull || hasLive()) return seen;
  return [...seen, ...(await statesAtOnce(records.slice(maxReplaced), github))];
}

async function statesAtOnce(records: readonly OwnRecord[], github: GitHub): Promise<readonly Seen[]> {
  const states = await newestStatesOf(records.slice(0, maxAtOnce), github);
  return [...states].map(([id, state]) => ({ id, state }));
}

/**
 * To be called once a record says how it ended: where that replaces others, makes the earlier ones of its task
 * inactive. Where a newer one is live, that is made so too if the deployment is gone, and otherwise the own one. As
 * each run first writes its own state and then looks at the others', of two at once one sees the other. Explicitly,
 * because GitHub's `auto_inactive` leaves transient and production records alone. `earlier`: as seen after the write,
 * undefined where they weren't looked at.
 *
 * @throws GitHubError
 */
export async function replaceOthers(
  github: GitHub,
  ownId: number,
  { state, logUrl, replaces }: RecordEnd,
  earlier: Earlier = { newestId: 0, active: [] },
): Promise<void> {
  if (replaces === undefined) return;
  const isGone = state === "inactive";
  const description = isGone ? "The deployment was deleted" : "Replaced by a newer deployment";
  const retire = (id: number) =>
    github.records.setState(id, { state: "inactive", description, logUrl, environmentUrl: undefined });
  const records = await ownRecords(github, replaces.environment, replaces.task);
  for (const { id } of records.filter((one) => one.id > ownId).slice(0, maxReplaced)) {
    if (!live.includes(await github.records.newestState(id))) continue;
    if (!isGone) return await retire(ownId);
    await retire(id);
  }
  const { newestId, active } = earlier;
  const meanwhile = records.filter(({ id }) => id < ownId && id > newestId);
  const unseen = await lookAtEarlier(github, meanwhile);
  for (const { id } of [...unseen.active, ...active]) await retire(id);
}
