// A record is a deployment in GitHub's API: https://docs.github.com/en/rest/deployments/deployments. Every function that
// makes a request throws Failure, but for `listRecordsOrWarn`.

import * as v from "valibot";
import type { Report } from "../report/report.ts";
import { type GitHubClient, type SendRequest, sentOnce } from "./github-client.ts";
import { operations } from "./operations.ts";
import {
  type AnyRecord,
  NewestStatesSchema,
  RecordListSchema,
  type SentPayload,
  WrittenSchema,
} from "./schemas.ts";

/** The states that this action sets: https://docs.github.com/en/rest/deployments/statuses#create-a-deployment-status */
export type RecordState = "in_progress" | "queued" | "success" | "failure" | "error" | "inactive";

/** A new record replaces earlier ones with the same environment and task. The main step saves them for the post step. */
export const RecordKeySchema = v.object({ environment: v.string(), task: v.string() });
type RecordKey = Readonly<v.InferOutput<typeof RecordKeySchema>>;

export interface RecordSettings extends RecordKey {
  readonly isProduction: boolean;
  /** That of a preview, whose environment is transient. */
  readonly pullRequest?: number;
}

const pageSize = 100;
/** The longest description that GitHub accepts, in characters. */
const maxDescriptionLength = 140;

/** A record that this action wrote: by the login of the token, with a payload that it understands. */
export type ActionRecord = AnyRecord & { readonly payload: NonNullable<AnyRecord["payload"]> };

export function isActionRecord(record: AnyRecord): record is ActionRecord {
  return record.payload !== undefined;
}

export function isOfControlPlane({ payload }: ActionRecord, controlPlaneDigest: string): boolean {
  return payload.control_plane_digest === controlPlaneDigest;
}

/** Returns this action's records of a task, the newest first, at most a page. */
export async function listActionRecords(
  github: GitHubClient,
  { environment, task }: RecordKey,
): Promise<ActionRecord[]> {
  const records = await readRecords(github, ({ octokit, repo }) =>
    octokit.rest.repos.listDeployments({ ...repo, environment, task, per_page: pageSize }),
  );
  return records.filter(isActionRecord);
}

/** Lists the same for a run that can do without: a failure is only a warning. None if the run is not recorded. */
export async function listRecordsOrWarn(
  github: GitHubClient | undefined,
  key: RecordKey | undefined,
  report: Report,
): Promise<readonly ActionRecord[]> {
  if (github === undefined || key === undefined) return [];
  const list = () => github.untilCancelled(() => listActionRecords(github, key));
  return (await report.warnOnFailure(list)) ?? [];
}

export async function listAllRecords(github: GitHubClient, environment: string): Promise<AnyRecord[]> {
  return await readRecords(github, async ({ octokit, repo }) => ({
    data: await octokit.paginate(octokit.rest.repos.listDeployments, {
      ...repo,
      environment,
      per_page: pageSize,
    }),
  }));
}

/** Returns records, the newest first, without the payloads that another login wrote. */
async function readRecords(github: GitHubClient, send: SendRequest): Promise<AnyRecord[]> {
  const operation = operations.readRecords;
  const viewer = await github.viewer(operation);
  const records = await github.call(operation, RecordListSchema, send);
  return records
    .map((record) => (record.creator?.login === viewer ? record : { ...record, payload: undefined }))
    .toSorted((one, other) => other.id - one.id);
}

const statesQuery =
  "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }";

/** Returns the records with their newest states, a hundred per request. A new record has none. */
export async function withStates<R extends AnyRecord>(github: GitHubClient, records: readonly R[]) {
  const read: (R & { readonly state: string | undefined })[] = [];
  for (let start = 0; start < records.length; start += pageSize) {
    const page = records.slice(start, start + pageSize);
    const ids = page.map(({ node_id }) => node_id);
    const { nodes } = await github.call(operations.readRecords, NewestStatesSchema, async ({ octokit }) => ({
      data: await octokit.graphql(statesQuery, { ids }),
    }));
    read.push(...page.map((record, index) => ({ ...record, state: nodes[index]?.latestStatus?.state })));
  }
  return read;
}

export async function readState(github: GitHubClient, record: AnyRecord): Promise<string | undefined> {
  const [found] = await github.untilCancelled(() => withStates(github, [record]));
  return found?.state;
}

/** Returns the ID of the new record. `payload`: must be redacted, because people can read it. */
export async function createRecord(
  github: GitHubClient,
  { task, environment, isProduction, pullRequest }: RecordSettings,
  ref: string,
  payload: SentPayload,
): Promise<number> {
  const { id } = await github.call(operations.writeRecord, WrittenSchema, ({ octokit, repo }) =>
    octokit.rest.repos.createDeployment({
      ...repo,
      ref,
      task,
      environment,
      transient_environment: pullRequest !== undefined,
      production_environment: isProduction,
      // By default, GitHub may merge the default branch into the ref instead, or refuse because of a check.
      auto_merge: false,
      required_contexts: [],
      payload,
      request: sentOnce,
    }),
  );
  return id;
}

/** `description`: must be redacted, because people can read it. `environmentUrl`: sent only if it is an https URL. */
export async function setRecordState(
  github: GitHubClient,
  recordId: number,
  state: RecordState,
  description: string,
  environmentUrl?: string,
): Promise<void> {
  await github.call(operations.writeStatus, WrittenSchema, ({ octokit, repo, runUrl }) =>
    octokit.rest.repos.createDeploymentStatus({
      ...repo,
      deployment_id: recordId,
      state,
      description: description.slice(0, maxDescriptionLength),
      log_url: runUrl,
      ...(environmentUrl?.startsWith("https://") && { environment_url: environmentUrl }),
      // auto_inactive would skip transient and production records, so `deactivateRecords` does this.
      auto_inactive: false,
    }),
  );
}

/** Each takes a second. Later runs deactivate the others. */
const maxDeactivated = 5;

/** Makes the newest five of the active records inactive. `records`: the newest first. */
export async function deactivateRecords(
  github: GitHubClient,
  records: readonly ActionRecord[],
  description: string,
): Promise<void> {
  const active = (await withStates(github, records)).filter(({ state }) => state !== "inactive");
  for (const { id } of active.slice(0, maxDeactivated)) {
    await setRecordState(github, id, "inactive", description);
  }
}

/** Returns the task of a record. A rollback has that of the deploys, whose records it replaces. */
export function recordTask(kind: "deploy" | "preview", nameOrId: string): string {
  return `${kind}:${nameOrId}`;
}

/** Returns the name of the preview that a record's task belongs to; undefined if it belongs to no preview. */
export function nameOfTask(task: string): string | undefined {
  return /^preview:(.*)$/s.exec(task)?.[1];
}
