import type { Emulator, EmulatorOptions } from "../../emulator/index.ts";
import type { CreateRequest } from "../../src/platform/schemas.ts";
import type { ActionName, Phase } from "../../src/run.ts";
import type { GitHubOptions, GitHubStandIn } from "../support/github/github-stand-in.ts";
import type { Expectation } from "./expectations.ts";
import type { Fault } from "./faults.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";

/** The servers before the run. */
export interface Setup {
  readonly emulator: Emulator;
  /** @throws if the scenario does not use GitHub. */
  readonly github: () => GitHubStandIn;
  /** Creates a deployment, past the proxy. `passSeconds` of virtual time follow, 60 by default. */
  readonly existing: (
    name: string,
    request?: Partial<CreateRequest>,
    passSeconds?: number,
  ) => Promise<{ id: string; revisionId: string }>;
  /** A request of somebody else, past the proxy, such as `DELETE /v2/deployments/1`. */
  readonly request: (line: string, body?: unknown) => Promise<void>;
  /** Lets virtual time pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** What a step gets besides the addresses and credentials of its servers. */
export interface StepOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Files in the workspace, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** A push to main by default. */
  readonly event?: { readonly name: string; readonly payload: unknown };
  /** A revision that existed before and may count as this run's, for a re-run. */
  readonly ownRevision?: string;
  /** A revision of somebody else that appears during the run. */
  readonly foreignRevision?: string;
}

type Route = (request: ProxiedRequest, before: readonly ProxiedRequest[]) => boolean;

/** A kind of request. */
export interface Request {
  readonly server: "platform" | "GitHub";
  readonly route: Route;
  /** The first affected request of this kind, counted from 1, the default. */
  readonly from?: number;
  /** Whether it changes something: then each fault is tried with and without the change. */
  readonly writes?: true;
  /** The response may lack an id without being wrong. */
  readonly optionalId?: true;
  /** The response shows the id that was asked for. */
  readonly showsId?: true;
}

/** A request of a scenario that faults affect. */
export interface Target extends Request {
  readonly name: string;
  readonly expected: Expectation;
  /** The short form tries every fault on it. */
  readonly thorough?: true;
  /** Whether a fault is not tried on it. */
  readonly omits?: (fault: Fault) => boolean;
}

/** A run of an action, and the requests in it that faults affect. */
export interface Scenario {
  readonly name: string;
  readonly action: ActionName;
  readonly phase?: Phase;
  /** How it ends without a fault: the outcome, or `done` if the action has none. */
  readonly usual: string;
  /** Present if GitHub takes part. */
  readonly github?: Pick<GitHubOptions, "files">;
  readonly emulator?: EmulatorOptions;
  /** The number of revisions that appear besides the run's own, 0 by default. */
  readonly otherRevisions?: number;
  readonly setUp: (setup: Setup) => Promise<StepOptions>;
  readonly targets: readonly Target[];
}

function on(method: string, path: RegExp): Route {
  return (request) => request.method === method && path.test(request.path);
}

function toPlatform(method: string, path: RegExp): Request {
  return { server: "platform", route: on(method, path), ...(method !== "GET" && { writes: true }) };
}

function toGitHub(method: string, path: RegExp, rest: Partial<Request> = {}): Request {
  return { server: "GitHub", route: on(method, path), ...rest };
}

const oneDeployment = /^\/v2\/deployments\/[^/]+$/;

/** Requests to the control plane and the usage API. */
export const platform = {
  list: toPlatform("GET", /^\/v2\/deployments$/),
  create: toPlatform("POST", /^\/v2\/deployments$/),
  deployment: { ...toPlatform("GET", oneDeployment), showsId: true },
  update: { ...toPlatform("PATCH", oneDeployment), showsId: true },
  remove: toPlatform("DELETE", oneDeployment),
  // To ask for another address changes nothing.
  uploadAddress: { server: "platform", route: on("POST", /\/upload-url$/), optionalId: true },
  upload: { ...toPlatform("PUT", /^\/uploads\//), optionalId: true },
  revisions: toPlatform("GET", /\/revisions$/),
  revision: { ...toPlatform("GET", /\/revisions\/[^/]+$/), showsId: true },
  redeploy: toPlatform("POST", /\/redeploy$/),
  log: { ...toPlatform("GET", /\/logs$/), optionalId: true },
  integrations: toPlatform("GET", /\/install$/),
  repositories: { ...toPlatform("GET", /\/repos$/), optionalId: true },
  health: { ...toPlatform("GET", /^\/live\/[^/]+\/ok$/), optionalId: true },
  info: { ...toPlatform("GET", /^\/live\/[^/]+\/info$/), optionalId: true },
  /** Of an agent. It changes nothing on the platform. */
  run: { server: "platform", route: on("POST", /^\/live\/[^/]+\/runs\/wait$/), optionalId: true },
  provider: toPlatform("PATCH", /^\/v2\/auth\/providers\/local-provider$/),
  report: { ...toPlatform("GET", /\/granular-usage$/), optionalId: true },
  export: { ...toPlatform("GET", /\/granular-usage\/export$/), optionalId: true },
} as const satisfies Record<string, Request>;

const graphql = toGitHub("POST", /^\/graphql$/, { optionalId: true });

/** Requests to GitHub. */
export const gitHub = {
  viewer: graphql,
  newestStates: { ...graphql, from: 2 },
  ref: toGitHub("GET", /\/git\/ref\//, { optionalId: true }),
  root: toGitHub("GET", /\/contents\/?$/, { optionalId: true }),
  file: toGitHub("GET", /\/contents\/app/, { optionalId: true }),
  records: toGitHub("GET", /\/deployments$/),
  createRecord: toGitHub("POST", /\/deployments$/, { writes: true }),
  statuses: toGitHub("GET", /\/statuses$/, { optionalId: true }),
  createStatus: toGitHub("POST", /\/statuses$/, { writes: true }),
  comments: toGitHub("GET", /\/issues\/\d+\/comments$/),
  comment: toGitHub("GET", /\/comments\/\d+$/),
  createComment: toGitHub("POST", /\/comments$/, { writes: true }),
  updateComment: toGitHub("PATCH", /\/comments\/\d+$/, { writes: true }),
  pullRequest: toGitHub("GET", /\/pulls\/7$/, { optionalId: true, showsId: true }),
  openPullRequest: toGitHub("GET", /\/pulls\/8$/, { optionalId: true, showsId: true }),
} as const satisfies Record<string, Request>;
