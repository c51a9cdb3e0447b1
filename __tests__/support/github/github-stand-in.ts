import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Exchange, respondWith } from "../../../emulator/misbehave/faults.ts";
import { Misbehaviour } from "../../../emulator/misbehave/misbehaviour.ts";
import type { Fault, RuleInput } from "../../../emulator/misbehave/rules.ts";
import { type LoggedRequest, logEntry, loggedBody } from "../../../emulator/request-log.ts";
import { closeServer, listen } from "../listen.ts";
import { defaultToken } from "../runner/run-action.ts";
import type { WorkflowEvent } from "../runner/step-environment.ts";
import type { Answer } from "./answer.ts";
import { Api, type Token } from "./api.ts";
import { type Comment, Comments, commentRoutes } from "./comments.ts";
import { deploymentRoutes } from "./deployment-routes.ts";
import {
  type DeploymentObstacles,
  type DeploymentRecord,
  type DeploymentStatus,
  Deployments,
} from "./deployments.ts";
import { graphqlQueries } from "./graphql.ts";
import { allWritable, type Permissions } from "./permissions.ts";
import { mergeSha, PullRequests, pullRequestEvent, pullRequestRoutes } from "./pull-requests.ts";
import { type Files, Repository } from "./repository.ts";
import { repositoryRoutes } from "./repository-routes.ts";

export interface GitHubOptions {
  /** Full name of the one repository there is. */
  readonly repository?: string;
  readonly defaultBranch?: string;
  /** The commit at the default branch's head. */
  readonly sha?: string;
  readonly files?: Files;
  /** Of the job's token; write everywhere unless told. */
  readonly permissions?: Partial<Permissions>;
  /** Tokens beside the job's, by their value: who they write as, and what they may do. */
  readonly tokens?: Readonly<Record<string, { login: string; permissions?: Partial<Permissions> }>>;
  /** Answers 404 instead of 403 to reads without permission. */
  readonly hidesMissingPermission?: boolean;
  /** Milliseconds since the epoch; the time in the log and in what GitHub dates. */
  readonly now?: () => number;
}

export interface GitHubRequest extends LoggedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One of the faults that the emulator can make too; `match.path` is a regular expression for the path. */
export type GitHubFault = Extract<RuleInput, { kind: Fault["kind"] }>;

export interface GitHubStandIn {
  /** What `GITHUB_API_URL` is to be, without a slash at the end. */
  readonly url: string;
  readonly graphqlUrl: string;
  /** The variables that point an action at this server and its repository; for `env` of the runner's stand-in. */
  readonly env: Readonly<Record<string, string>>;
  readonly repository: Repository;
  readonly pullRequests: PullRequests;
  readonly records: Deployments;
  readonly allComments: Comments;
  /** Every request so far, in order, whatever became of it. */
  readonly requests: readonly GitHubRequest[];
  /** What was wrong with requests. A test asserts that there is nothing. */
  readonly violations: readonly string[];
  /** What the job's token may do from now on. */
  permissions: Permissions;
  /** GitHub's reasons not to make a deployment at once. */
  obstacles: DeploymentObstacles;
  /** Newest first; of one task, if given. */
  deployments(task?: string): readonly DeploymentRecord[];
  /** Newest first. */
  statuses(deployment: number): readonly DeploymentStatus[];
  /** Oldest first. */
  comments(issue: number): readonly Comment[];
  /** `event` and `env` for the runner's stand-in, of a run that a pull request set off. Throws when there is none. */
  pullRequestRun(
    number: number,
    action: string,
    label?: string,
  ): { readonly event: WorkflowEvent; readonly env: Readonly<Record<string, string>> };
  /** Has matching requests go wrong; the function takes it back. */
  fail(fault: GitHubFault): () => void;
  /** Closes all connections, hanging ones too. */
  close(): Promise<void>;
}

/** The login of a workflow's own token, in REST and in GraphQL. */
export const actionsLogin = "github-actions[bot]";

const commitOfMain = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

/** `count` is how many requests there were, this one included. */
function response({ status, body, headers }: Answer, count: number): Response {
  const init = { status, headers: { "x-github-request-id": `0400:1A2B:${count}`, ...headers } };
  return body === undefined ? new Response(null, init) : Response.json(body, init);
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

/** What GitHub holds of the one repository. */
function contentOf(options: GitHubOptions, now: () => number) {
  const fullName = options.repository ?? "octo-org/octo-repo";
  const repository = new Repository(fullName, options.defaultBranch ?? "main");
  const sha = options.sha ?? commitOfMain;
  const files = options.files ?? { "README.md": "# Example\n" };
  repository.commit(sha, files, `heads/${repository.defaultBranch}`);
  return {
    sha,
    repository,
    pullRequests: new PullRequests(repository, now),
    records: new Deployments(repository, now),
    allComments: new Comments(now),
  };
}

/** What answers for it. */
function apiOf(
  { repository, pullRequests, records, allComments }: ReturnType<typeof contentOf>,
  tokens: Map<string, Token>,
  hidesMissingPermission = false,
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
  const { sha, repository, pullRequests, records, allComments } = content;
  const tokens = tokensOf(options);
  const api = apiOf(content, tokens, options.hidesMissingPermission);
  const misbehaviour = new Misbehaviour();
  const requests: GitHubRequest[] = [];

  async function respond(request: Request, exchange: Exchange): Promise<Response> {
    const url = new URL(request.url);
    const entry = { ...logEntry(request), at: now() };
    const count = requests.push(entry);
    const { method, headers } = request;
    const body = await request.text();
    entry.body = loggedBody(body);
    const applyPlan = api.take({ method, path: url.pathname, query: url.searchParams, headers, body }, url);
    const fault = misbehaviour.faultFor({ method, path: url.pathname });
    const right = async () => response(applyPlan(), count);
    const answer = fault === undefined ? await right() : await respondWith(fault, right, exchange);
    entry.status = exchange.outgoing.headersSent ? exchange.outgoing.statusCode : answer.status;
    return answer;
  }

  const server = createServer((incoming, outgoing) => {
    void getRequestListener((request) => respond(request, { incoming, outgoing }))(incoming, outgoing);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const ownToken = tokens.get(defaultToken) ?? { login: actionsLogin, permissions: allWritable };
  const env = {
    GITHUB_API_URL: url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    GITHUB_REPOSITORY: repository.fullName,
    GITHUB_REPOSITORY_OWNER: repository.owner,
    GITHUB_SHA: sha,
  };

  return {
    url,
    graphqlUrl: `${url}/graphql`,
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
    get obstacles() {
      return records.obstacles;
    },
    set obstacles(obstacles) {
      records.obstacles = obstacles;
    },
    deployments: (task) => records.all().filter((record) => task === undefined || record.task === task),
    statuses: (deployment) => records.all().find(({ id }) => id === deployment)?.statuses ?? [],
    comments: (issue) => allComments.of(issue),
    pullRequestRun: (number, action, label) => {
      const found = pullRequests.find(number);
      if (found === undefined) {
        throw new Error(`There is no pull request ${number}`);
      }
      const event = pullRequestEvent(found, repository, action, label);
      return { event, env: { ...env, GITHUB_SHA: mergeSha(found) } };
    },
    fail: (fault) => misbehaviour.add(fault),
    close: () => closeServer(server),
  };
}
