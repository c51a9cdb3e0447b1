import { createServer } from "node:http";
import {
  ActiveFaults,
  createListener,
  type Exchange,
  type Fault,
  type FaultRule,
  type LoggedRequest,
  logEntry,
  loggedBody,
  respondWithFault,
} from "../../../emulator/index.ts";
import { closeServer, listen } from "../listen.ts";
import { defaultToken } from "../runner/run-action.ts";
import type { WorkflowEvent } from "../runner/step-environment.ts";
import { Api, type Token } from "./api.ts";
import type { ApiResponse } from "./api-response.ts";
import { type Comment, Comments, commentRoutes } from "./comments.ts";
import { deploymentRoutes } from "./deployment-routes.ts";
import { type DeploymentRecord, type DeploymentStatus, Deployments } from "./deployments.ts";
import { graphqlQueries } from "./graphql.ts";
import { allWritable, type Permissions } from "./permissions.ts";
import { mergeSha, PullRequests, pullRequestEvent, pullRequestRoutes } from "./pull-requests.ts";
import { type Files, Repository, repositoryRoutes } from "./repository.ts";

export interface GitHubOptions {
  /** Of the default branch. */
  readonly files?: Files;
  /** Of the job's token; by default write. */
  readonly permissions?: Partial<Permissions>;
  /** Other tokens by their value: who they write as, and what they may do. */
  readonly tokens?: Readonly<Record<string, { login: string; permissions?: Partial<Permissions> }>>;
  /** Reads without permission get 404 instead of 403. */
  readonly hidesMissingPermission?: boolean;
  /** Milliseconds since the epoch, for the log and the dates in responses. */
  readonly now?: () => number;
}

export interface GitHubRequest extends LoggedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A fault that the emulator has too; `match.path` is a regular expression for the path. */
export type GitHubFault = Extract<FaultRule, { kind: Fault["kind"] }>;

export interface GitHubStandIn {
  /** For `GITHUB_API_URL`. */
  readonly url: string;
  /** The variables with which an action uses this server and its repository. */
  readonly env: Readonly<Record<string, string>>;
  readonly repository: Repository;
  readonly pullRequests: PullRequests;
  readonly records: Deployments;
  readonly allComments: Comments;
  /** All requests in order, failed ones too. */
  readonly requests: readonly GitHubRequest[];
  /** What was wrong with requests. A test asserts that this is empty. */
  readonly violations: readonly string[];
  /** Of the job's token, from now on. */
  permissions: Permissions;
  /** Newest first; of one task if it is given. */
  deployments(task?: string): readonly DeploymentRecord[];
  /** Newest first. */
  statuses(deployment: number): readonly DeploymentStatus[];
  /** Oldest first. */
  comments(issue: number): readonly Comment[];
  /** `event` and `env` of a run for a pull request. @throws an error if there is none with this number */
  pullRequestRun(
    number: number,
    action: string,
    label?: string,
  ): { readonly event: WorkflowEvent; readonly env: Readonly<Record<string, string>> };
  /** Adds a fault for matching requests. The returned function removes it. */
  fail(fault: GitHubFault): () => void;
  /** Closes all connections, also hanging ones. */
  close(): Promise<void>;
}

/** The login of a workflow's token, in REST and in GraphQL. */
export const actionsLogin = "github-actions[bot]";

const commitOfMain = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

/** `count`: of the requests, this one included. */
function responseOf({ status, body, nextPage }: ApiResponse, request: Request, count: number): Response {
  const headers = { "x-github-request-id": `0400:1A2B:${count}`, ...linkTo(nextPage, request) };
  const init = { status, headers };
  return body === undefined ? new Response(null, init) : Response.json(body, init);
}

/** https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api#using-link-headers */
function linkTo(page: number | undefined, request: Request): { link?: string } {
  if (page === undefined) return {};
  const url = new URL(request.url);
  url.searchParams.set("page", String(page));
  return { link: `<${url.href}>; rel="next"` };
}

function tokensOf(options: GitHubOptions): Map<string, Token> {
  const own = { login: actionsLogin, permissions: options.permissions ?? {} };
  const given = Object.entries({ [defaultToken]: own, ...options.tokens });
  return new Map(
    given.map(([value, { login, permissions }]) => [
      value,
      { login, permissions: { ...allWritable, ...permissions } },
    ]),
  );
}

/** What GitHub holds of the repository. */
function contentOf(options: GitHubOptions, now: () => number) {
  const repository = new Repository();
  const files = options.files ?? { "README.md": "# Example\n" };
  repository.commit(commitOfMain, files, `heads/${repository.defaultBranch}`);
  return {
    repository,
    pullRequests: new PullRequests(repository, now),
    records: new Deployments(repository, now),
    allComments: new Comments(now),
  };
}

function apiOf(
  { repository, pullRequests, records, allComments }: ReturnType<typeof contentOf>,
  tokens: Map<string, Token>,
  { hidesMissingPermission = false }: GitHubOptions,
): Api {
  return new Api({
    tokens,
    repository: repository.fullName,
    hidesMissingPermission,
    routes: new Map([
      ...repositoryRoutes(repository),
      ...deploymentRoutes(records, repository),
      ...pullRequestRoutes(pullRequests, repository),
      ...commentRoutes(allComments, (number) => pullRequests.has(number)),
    ]),
    queries: graphqlQueries(records),
  });
}

/** Starts a GitHub with one repository on a free port of this machine. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHubStandIn> {
  const now = options.now ?? Date.now;
  const content = contentOf(options, now);
  const { repository, pullRequests, records, allComments } = content;
  const tokens = tokensOf(options);
  const api = apiOf(content, tokens, options);
  const faults = new ActiveFaults();
  const requests: GitHubRequest[] = [];

  async function respond(request: Request, exchange: Exchange): Promise<Response> {
    const { pathname: path, searchParams: query } = new URL(request.url);
    const entry = { ...logEntry(request), at: now() };
    const count = requests.push(entry);
    const { method, headers } = request;
    const body = await request.text();
    entry.body = loggedBody(body);
    const apply = api.accept({ method, path, query, headers, body });
    const fault = faults.faultFor({ method, path });
    const regular = async () => responseOf(apply(), request, count);
    const response = fault === undefined ? await regular() : await respondWithFault(fault, regular, exchange);
    entry.status = exchange.outgoing.headersSent ? exchange.outgoing.statusCode : response.status;
    return response;
  }

  const server = createServer(createListener(respond));
  const url = `http://127.0.0.1:${await listen(server)}`;
  const ownToken = tokens.get(defaultToken) ?? { login: actionsLogin, permissions: allWritable };
  const env = {
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: repository.fullName,
    GITHUB_REPOSITORY_OWNER: repository.owner,
    GITHUB_SHA: commitOfMain,
  };

  return {
    url,
    env,
    repository,
    pullRequests,
    records,
    allComments,
    requests,
    violations: api.violations,
    get permissions() {
      return ownToken.permissions;
    },
    set permissions(permissions) {
      ownToken.permissions = permissions;
    },
    deployments: (task) => records.all().filter((record) => task === undefined || record.task === task),
    statuses: (deployment) => records.all().find(({ id }) => id === deployment)?.statuses ?? [],
    comments: (issue) => allComments.of(issue),
    pullRequestRun: (number, action, label) => {
      const found = pullRequests.find(number);
      if (found === undefined) throw new Error(`There is no pull request ${number}`);
      const event = pullRequestEvent(found, repository, action, label);
      return { event, env: { ...env, GITHUB_SHA: mergeSha(found) } };
    },
    fail: (fault) => faults.add(fault),
    close: () => closeServer(server),
  };
}
