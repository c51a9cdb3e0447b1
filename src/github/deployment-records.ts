import { type GitHubClient, pageSize } from "./client.ts";
import { operations } from "./errors.ts";
import {
  NewRecordSchema,
  newestStatesSchema,
  type Payload,
  RecordListSchema,
  RecordStatusListSchema,
  WrittenSchema,
} from "./schemas.ts";

// A record is a deployment of GitHub's: https://docs.github.com/en/rest/deployments/deployments. Every function that
// reads or writes throws GitHubError.

/** The states that this action sets: https://docs.github.com/en/rest/deployments/statuses#create-a-deployment-status */
export const recordStateNames = ["in_progress", "queued", "success", "failure", "error", "inactive"] as const;
export type RecordState = (typeof recordStateNames)[number];

export interface NewRecord {
  /** A commit, branch or tag. */
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly transient: boolean;
  readonly production: boolean;
  /** As people will see it. */
  readonly payload: Payload;
}

/** In characters: GitHub refuses longer ones. */
const maxDescriptionLength = 140;

export interface RecordStatus {
  readonly state: RecordState;
  /** As people will see it. */
  readonly description: string;
  readonly logUrl: string;
  /** Only sent if it is https. */
  readonly environmentUrl?: string | undefined;
}

/** A record that this action wrote: by the login of the token, with a payload that it understands. */
export interface OwnRecord {
  readonly id: number;
  /** Its id in GraphQL. */
  readonly nodeId: string | undefined;
  readonly task: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly payload: Payload;
}

/** Whether a record's deployment is on this control plane and in this workspace. */
export function isOfControlPlane({ payload }: OwnRecord, controlPlaneDigest: string): boolean {
  return payload.control_plane_digest === controlPlaneDigest;
}

/** This action's records of an environment, newest first; of one task if it is given. */
export async function listOwnRecords(
  github: GitHubClient,
  environment: string,
  task?: string,
): Promise<OwnRecord[]> {
  return (await listRecords(github, environment, task)).filter(isOwn);
}

/** A record of whoever wrote it: without a payload it is not this action's. */
export type AnyRecord = OwnRecord | (Omit<OwnRecord, "payload"> & { readonly payload?: undefined });

export function isOwn(record: AnyRecord): record is OwnRecord {
  return record.payload !== undefined;
}

/** The records of an environment, newest first; of one task if it is given. */
export async function listRecords(
  github: GitHubClient,
  environment: string,
  task?: string,
): Promise<AnyRecord[]> {
  const operation = operations.readRecords;
  const viewer = await github.viewer(operation);
  const records = await github.readPages(operation, RecordListSchema, "/deployments", { environment, task });
  return records.map(({ id, node_id: nodeId, task, created_at: createdAt, creator, payload }) => ({
    id,
    nodeId,
    task,
    createdAt: Date.parse(createdAt),
    payload: creator?.login === viewer ? payload : undefined,
  }));
}

/** The records that a workflow run made, newest first. */
export async function listRecordsOfRun(
  github: GitHubClient,
  { environment, task }: { readonly environment: string; readonly task: string },
  runId: string,
): Promise<OwnRecord[]> {
  const records = await listOwnRecords(github, environment, task);
  return records.filter(({ payload }) => payload.run_id === runId);
}

/** The newest state of a record, undefined if it has none. */
export async function readState(github: GitHubClient, recordId: number): Promise<string | undefined> {
  return (await readStatus(github, recordId))?.state;
}

async function readStatus(github: GitHubClient, recordId: number) {
  const path = `/deployments/${recordId}/statuses`;
  const statuses = await github.read(operations.readRecords, RecordStatusListSchema, path, { per_page: 1 });
  return statuses[0];
}

interface NewestStatus {
  /** Undefined if the record has no status. */
  readonly state: string | undefined;
  /** Whether the login of the token set it: others may set one too. */
  readonly isOwn: boolean;
}

/** The newest status of a record, within the time of one request, for a run that waits for it. */
export async function readNewestStatus(github: GitHubClient, recordId: number): Promise<NewestStatus> {
  const operation = operations.readRecords;
  return await github.withinOneTimeout(operation, async () => {
    const status = await readStatus(github, recordId);
    return { state: status?.state, isOwn: status?.creator?.login === (await github.viewer(operation)) };
  });
}

const statesQuery =
  "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }";

/**
 * The newest states by the ids of the records, a hundred per request: REST shows them for one record only. Records
 * without an id in GraphQL are left out.
 */
export async function readStates(
  github: GitHubClient,
  records: readonly Pick<OwnRecord, "id" | "nodeId">[],
): Promise<ReadonlyMap<number, string | undefined>> {
  const known = records.flatMap(({ id, nodeId }) => (nodeId === undefined ? [] : [{ id, nodeId }]));
  const states = new Map<number, string | undefined>();
  for (let start = 0; start < known.length; start += pageSize) {
    const page = known.slice(start, start + pageSize);
    const ids = page.map(({ nodeId }) => nodeId);
    const schema = newestStatesSchema(ids.length);
    const { nodes } = await github.graphql(operations.readRecords, schema, statesQuery, { ids });
    for (const [index, { id }] of page.entries()) states.set(id, nodes[index]?.latestStatus?.state);
  }
  return states;
}

/** Returns the id of the new record, undefined if GitHub accepted the request without making one. */
export async function createRecord(github: GitHubClient, record: NewRecord): Promise<number | undefined> {
  const { ref, task, environment, transient, production, payload } = record;
  const created = await github.write({
    operation: operations.writeRecord,
    schema: NewRecordSchema,
    method: "POST",
    path: "/deployments",
    body: {
      ref,
      task,
      environment,
      transient_environment: transient,
      production_environment: production,
      // By default GitHub may merge the default branch instead, or refuse because of a check.
      auto_merge: false,
      required_contexts: [],
      payload,
    },
  });
  return "id" in created ? created.id : undefined;
}

export async function setState(github: GitHubClient, recordId: number, status: RecordStatus): Promise<void> {
  const { state, description, logUrl, environmentUrl } = status;
  await github.write({
    operation: operations.writeStatus,
    schema: WrittenSchema,
    method: "POST",
    path: `/deployments/${recordId}/statuses`,
    body: {
      state,
      description: description.slice(0, maxDescriptionLength),
      log_url: logUrl,
      ...(environmentUrl?.startsWith("https://") && { environment_url: environmentUrl }),
      // auto_inactive would leave out transient and production records, so earlier ones are made inactive one by one.
      auto_inactive: false,
    },
  });
}

/** Makes those records inactive that are not yet. */
export async function makeInactive(
  github: GitHubClient,
  records: readonly OwnRecord[],
  why: Pick<RecordStatus, "description" | "logUrl">,
): Promise<void> {
  for (const { id } of records) {
    if ((await readState(github, id)) === "inactive") continue;
    await setState(github, id, { state: "inactive", ...why });
  }
}

const previewTaskPrefix = "preview:";

/** The task of a preview's deployment record. */
export function previewRecordTask(name: string): string {
  return `${previewTaskPrefix}${name}`;
}

/** The name of the preview that a record's task belongs to; undefined if it belongs to no preview. */
export function nameOfTask(task: string): string | undefined {
  return task.startsWith(previewTaskPrefix) ? task.slice(previewTaskPrefix.length) : undefined;
}
