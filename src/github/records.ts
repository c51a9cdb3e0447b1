import type { Log } from "../runner/log.ts";
import type { GitHub } from "./client.ts";
import { GitHubError } from "./errors.ts";
import { type GitHubRecord, type Payload, parsePayload } from "./schemas.ts";

/** A record of this action's: written by the token's own login, with a payload that it can read. */
export interface OwnRecord {
  readonly id: number;
  readonly task: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly payload: Payload;
}

/** This action's own records of an environment, newest first; of one task where given. @throws GitHubError */
export async function ownRecords(github: GitHub, environment: string, task?: string): Promise<OwnRecord[]> {
  const viewer = await github.viewer();
  const records = await github.records(environment, task);
  return records.flatMap((record) => toOwn(record, viewer) ?? []);
}

function toOwn(record: GitHubRecord, viewer: string): OwnRecord | undefined {
  const payload = parsePayload(record.payload);
  if (record.creator?.login !== viewer || payload === undefined) return undefined;
  return { id: record.id, task: record.task, createdAt: Date.parse(record.created_at), payload };
}

/**
 * Makes records inactive, newest first, up to the first that is so already: those before it were made so by the run
 * that wrote it. Kept explicit because GitHub's `auto_inactive` leaves transient and production records alone.
 */
export async function makeInactive(
  github: GitHub,
  records: readonly OwnRecord[],
  logUrl: string,
  description: string,
): Promise<void> {
  for (const { id } of records) {
    if ((await github.newestState(id)) === "inactive") return;
    await github.setState(id, { state: "inactive", description, logUrl, environmentUrl: undefined });
  }
}

/**
 * Does something on GitHub that the deployment doesn't depend on: a failure is a warning that names the permission,
 * and undefined (contract, 4). What is no failure of GitHub's goes on its way.
 */
export async function tolerate<T>(log: Log, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warning(`${error.message} ${error.hint} The deployment itself goes on.`);
    return undefined;
  }
}
