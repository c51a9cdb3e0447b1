import * as v from "valibot";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { pageSize } from "./pages.ts";
import { purposes } from "./purposes.ts";
import {
  type GitHubRecord,
  newestStatesSchema,
  type Payload,
  RecordListSchema,
  RecordSchema,
  RecordStatusListSchema,
  WrittenSchema,
} from "./schemas.ts";
import type { GitHubTransport } from "./transport.ts";

/** States of a deployment's record that this action uses (docs.github.com, Create a deployment status). */
export const recordStateNames = ["in_progress", "queued", "success", "failure", "error", "inactive"] as const;
export type RecordState = (typeof recordStateNames)[number];

/** A record to be made. */
export interface NewRecord {
  /** A commit, or the name of a branch or tag. */
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly transient: boolean;
  readonly production: boolean;
  readonly payload: Payload;
}

/** A state that a record gets. */
export interface NewStatus {
  readonly state: RecordState;
  /** Cut to the 140 characters that GitHub takes. */
  readonly description: string;
  readonly logUrl: string;
  /** Only an https address is passed on. */
  readonly environmentUrl: string | undefined;
}

/** The requests about the records of deployments. Every method throws GitHubError. */
export class RecordRequests {
  readonly #transport: GitHubTransport;

  constructor(transport: GitHubTransport) {
    this.#transport = transport;
  }

  /** Records of an environment, newest first; of one task where given. */
  list(environment: string, task?: string): Promise<GitHubRecord[]> {
    return this.#transport.readPages(
      purposes.readRecords,
      RecordListSchema,
      async (octokit, options, page) => {
        const asked = { ...options, environment, ...(task !== undefined && { task }) };
        const route = "GET /repos/{owner}/{repo}/deployments";
        return (await octokit.request(route, { ...asked, per_page: pageSize, page })).data;
      },
    );
  }

  /** The newest state of a record, undefined where it has none. */
  async newestState(recordId: number): Promise<string | undefined> {
    const statuses = await this.#transport.read(
      purposes.readRecords,
      RecordStatusListSchema,
      async (octokit, options) => {
        const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
        return (await octokit.request(route, { ...options, deployment_id: recordId, per_page: 1 })).data;
      },
    );
    return statuses[0]?.state;
  }

  /** The newest states of records by their ids in GraphQL, in the same order; undefined for one that has none. */
  async newestStates(nodeIds: readonly string[]): Promise<(string | undefined)[]> {
    const states: (string | undefined)[] = [];
    for (let from = 0; from < nodeIds.length; from += pageSize) {
      const ids = nodeIds.slice(from, from + pageSize);
      const schema = newestStatesSchema(ids.length);
      const { nodes } = await this.#transport.read(purposes.readRecords, schema, (octokit, { request }) =>
        octokit.graphql(newestStatesQuery, { ids, request }),
      );
      states.push(...nodes.map(({ latestStatus }) => latestStatus?.state));
    }
    return states;
  }

  /** Makes a record. Tells its id, undefined where there is none (202: GitHub merged the default branch instead). */
  async create(record: NewRecord): Promise<number | undefined> {
    const answer = await this.#transport.write(
      purposes.writeRecord,
      v.union([RecordSchema, AcceptedSchema]),
      async (octokit, options) => {
        const response = await octokit.request("POST /repos/{owner}/{repo}/deployments", {
          ...options,
          ref: record.ref,
          task: record.task,
          environment: record.environment,
          transient_environment: record.transient,
          production_environment: record.production,
          auto_merge: false,
          required_contexts: [],
          payload: record.payload,
        });
        return response.data;
      },
    );
    return "id" in answer ? Number(answer.id) : undefined;
  }

  /** Gives a record another state. */
  async setState(recordId: number, status: NewStatus): Promise<void> {
    const environmentUrl = status.environmentUrl?.startsWith("https://") ? status.environmentUrl : undefined;
    await this.#transport.write(purposes.writeStatus, WrittenSchema, (octokit, options) =>
      octokit.request("POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses", {
        ...options,
        deployment_id: recordId,
        state: status.state,
        description: sanitizeExcerpt(status.description, 140),
        log_url: status.logUrl,
        ...(environmentUrl !== undefined && { environment_url: environmentUrl }),
        auto_inactive: false,
      }),
    );
  }
}

/** GitHub takes a hundred ids at a time, and answers in their order (docs.github.com, GraphQL, `nodes`). */
const newestStatesQuery =
  "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }";

/** What GitHub says where it merged instead of making a record (docs.github.com, Create a deployment). */
const AcceptedSchema = v.looseObject({ message: v.string() });
