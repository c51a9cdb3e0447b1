import * as v from "valibot";
import type { Ports } from "../ports.ts";
import { inertExcerpt } from "../text/inert.ts";
import { GitHubError, type Purpose } from "./errors.ts";
import { pageSize } from "./pages.ts";
import {
  type Comment,
  CommentListSchema,
  CommentSchema,
  type GitHubRecord,
  newestStatesSchema,
  type Payload,
  PullRequestSchema,
  RecordListSchema,
  RecordSchema,
  RecordStatusListSchema,
  ViewerSchema,
} from "./schemas.ts";
import { type Tolerate, tolerating } from "./tolerate.ts";
import { type GitHubSettings, GitHubTransport } from "./transport.ts";

/** States of a deployment's record that this action uses (docs.github.com, Create a deployment status). */
export const recordStateNames = ["in_progress", "queued", "success", "failure", "error", "inactive"] as const;
export type RecordState = (typeof recordStateNames)[number];

export interface NewRecord {
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly transient: boolean;
  readonly production: boolean;
  readonly payload: Payload;
}

export interface NewStatus {
  readonly state: RecordState;
  /** Cut to the 140 characters that GitHub takes. */
  readonly description: string;
  readonly logUrl: string;
  /** Only an https address is passed on. */
  readonly environmentUrl: string | undefined;
}

const purposes = {
  readRecords: { what: "reading the deployment records", permission: "deployments: read" },
  writeRecord: { what: "recording the deployment", permission: "deployments: write" },
  writeStatus: { what: "recording the deployment's status", permission: "deployments: write" },
  readPullRequest: { what: "reading the pull request", permission: "pull-requests: read" },
  readComments: { what: "reading the comments", permission: "pull-requests: write" },
  readContents: { what: "reading the repository", permission: "contents: read" },
  writeComment: { what: "writing the comment", permission: "pull-requests: write" },
} satisfies Record<string, Purpose>;

export interface PullRequestState {
  readonly open: boolean;
  readonly labels: readonly string[];
}

export type PathKind = "file" | "folder" | "missing";

/** The operations on GitHub that this action needs. Every method throws GitHubError. */
export class GitHub {
  readonly #transport: GitHubTransport;
  #viewer: string | undefined;
  #reserved = 0;
  /** Does what the deployment doesn't depend on: a failure is told and becomes undefined. */
  readonly tolerate: Tolerate;

  constructor(settings: GitHubSettings, ports: Ports) {
    this.#transport = new GitHubTransport(settings, ports);
    this.tolerate = tolerating(ports.log);
  }

  /** How often GitHub was called so far, further pages not counted, with what is reserved. */
  get calls(): number {
    return this.#transport.calls + this.#reserved;
  }

  /** Keeps so many of a run's calls for its end, out of reach of whoever can do without (see `calls`). */
  reserve(calls: number): void {
    this.#reserved += calls;
  }

  /**
   * The login that the token writes as. A workflow's own token can't ask REST for it, so GraphQL it is; that takes no
   * permission of its own, so a failure names the one of what it is asked for.
   */
  async viewer(forWhat: "readRecords" | "readComments"): Promise<string> {
    if (this.#viewer === undefined) {
      const { viewer } = await this.#transport.read(purposes[forWhat], ViewerSchema, (octokit, { request }) =>
        octokit.graphql("query { viewer { login } }", { request }),
      );
      this.#viewer = viewer.login;
    }
    return this.#viewer;
  }

  /** Records of an environment, newest first; of one task where given. */
  records(environment: string, task?: string): Promise<GitHubRecord[]> {
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

  /** The record's id, undefined where GitHub answers without one (202: it merged the default branch instead). */
  async createRecord(record: NewRecord): Promise<number | undefined> {
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

  async setState(recordId: number, status: NewStatus): Promise<void> {
    const environmentUrl = status.environmentUrl?.startsWith("https://") ? status.environmentUrl : undefined;
    await this.#transport.write(purposes.writeStatus, WrittenSchema, (octokit, options) =>
      octokit.request("POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses", {
        ...options,
        deployment_id: recordId,
        state: status.state,
        description: inertExcerpt(status.description, 140),
        log_url: status.logUrl,
        ...(environmentUrl !== undefined && { environment_url: environmentUrl }),
        auto_inactive: false,
      }),
    );
  }

  async pullRequest(number: number): Promise<PullRequestState> {
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
    const found = await this.#transport.read(
      purposes.readPullRequest,
      PullRequestSchema,
      async (octokit, options) => {
        return (await octokit.request(route, { ...options, pull_number: number })).data;
      },
    );
    return { open: found.state === "open", labels: found.labels.map(({ name }) => name) };
  }

  /** Whether a ref such as `refs/heads/main` exists. */
  async refExists(fullRef: string): Promise<boolean> {
    const ref = fullRef.replace(/^refs\//, "");
    const found = await this.#ifThere(
      this.#transport.read(purposes.readContents, FoundRefSchema, (octokit, options) =>
        octokit.request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...options, ref }),
      ),
    );
    return found !== undefined;
  }

  /** What stands at a path at a ref; `""` is the root. */
  async pathKind(path: string, ref: string): Promise<PathKind> {
    const found = await this.#ifThere(
      this.#transport.read(purposes.readContents, FoundPathSchema, (octokit, options) =>
        octokit.request("GET /repos/{owner}/{repo}/contents/{path}", { ...options, path, ref }),
      ),
    );
    if (found === undefined) return "missing";
    return Array.isArray(found.data) ? "folder" : "file";
  }

  async #ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof GitHubError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** All comments of a pull request, oldest first. */
  comments(pullRequest: number): Promise<Comment[]> {
    return this.#transport.readPages(
      purposes.readComments,
      CommentListSchema,
      async (octokit, options, page) => {
        const asked = { ...options, issue_number: pullRequest };
        const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
        return (await octokit.request(route, { ...asked, per_page: pageSize, page })).data;
      },
    );
  }

  async commentBody(id: number): Promise<string> {
    const comment = await this.#transport.read(
      purposes.readComments,
      CommentSchema,
      async (octokit, options) => {
        const route = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";
        return (await octokit.request(route, { ...options, comment_id: id })).data;
      },
    );
    return comment.body;
  }

  async createComment(pullRequest: number, body: string): Promise<number> {
    const comment = await this.#transport.write(
      purposes.writeComment,
      CommentSchema,
      async (octokit, options) => {
        const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
        return (await octokit.request(route, { ...options, issue_number: pullRequest, body })).data;
      },
    );
    return comment.id;
  }

  async updateComment(id: number, body: string): Promise<void> {
    await this.#transport.write(purposes.writeComment, WrittenSchema, (octokit, options) =>
      octokit.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...options,
        comment_id: id,
        body,
      }),
    );
  }

  async deleteComment(id: number): Promise<void> {
    await this.#transport.write(purposes.writeComment, v.unknown(), (octokit, options) =>
      octokit.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...options,
        comment_id: id,
      }),
    );
  }
}

/** GitHub takes a hundred ids at a time, and answers in their order (docs.github.com, GraphQL, `nodes`). */
const newestStatesQuery =
  "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }";

const AcceptedSchema = v.looseObject({ message: v.string() });

/** Answers that are only looked at to see that they are GitHub's, and not the page of something in between. */
const WrittenSchema = v.looseObject({ data: v.looseObject({ id: v.number() }) });
const FoundRefSchema = v.looseObject({ data: v.looseObject({ ref: v.string() }) });
const FoundPathSchema = v.looseObject({
  data: v.union([v.array(v.unknown()), v.looseObject({ type: v.string() })]),
});
