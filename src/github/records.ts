import type { GitHub } from "./client.ts";
import { type GitHubRecord, type Payload, parsePayload } from "./schemas.ts";

/** A record of this action's: written by the token's own login, with a payload that it can read. */
export interface OwnRecord {
  readonly id: number;
  /** Its id in GraphQL, where GitHub tells it. */
  readonly nodeId: string | undefined;
  readonly task: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly payload: Payload;
}

/** This action's own records of an environment, newest first; of one task where given. @throws GitHubError */
export async function ownRecords(github: GitHub, environment: string, task?: string): Promise<OwnRecord[]> {
  const viewer = await github.viewer("readRecords");
  const records = await github.records.list(environment, task);
  return records.flatMap((record) => toOwn(record, viewer) ?? []);
}

function toOwn(record: GitHubRecord, viewer: string): OwnRecord | undefined {
  const payload = parsePayload(record.payload);
  if (record.creator?.login !== viewer || payload === undefined) return undefined;
  const { id, node_id: nodeId, task, created_at: created } = record;
  return { id, nodeId, task, createdAt: Date.parse(created), payload };
}

/**
 * The newest states by the records' ids, in their order, in a call for a hundred of them (GraphQL, because REST's list
 * shows no states). A record whose id in GraphQL isn't known is left out. @throws GitHubError
 */
export async function newestStatesOf(
  records: readonly OwnRecord[],
  github: GitHub,
): Promise<ReadonlyMap<number, string | undefined>> {
  const known = records.flatMap(({ id, nodeId }) => (nodeId === undefined ? [] : { id, nodeId }));
  const states = await github.records.newestStates(known.map(({ nodeId }) => nodeId));
  return new Map(known.map(({ id }, index) => [id, states[index]]));
}

/** Why records become inactive. */
export interface Retirement {
  readonly logUrl: string;
  readonly description: string;
}

/**
 * Makes records inactive that aren't so yet. Explicitly, because GitHub's `auto_inactive` leaves transient and
 * production records alone. @throws GitHubError
 */
export async function makeInactive(
  github: GitHub,
  records: readonly OwnRecord[],
  why: Retirement,
): Promise<void> {
  for (const { id } of records) {
    if ((await github.records.newestState(id)) === "inactive") continue;
    await github.records.setState(id, { state: "inactive", environmentUrl: undefined, ...why });
  }
}
