import { on, type Target } from "./scenario.ts";

type Request = Omit<Target, "name" | "role">;

function toPlatform(method: string, path: RegExp): Request {
  const isWrite = method !== "GET";
  return { server: "platform", route: on(method, path), ...(isWrite && { writes: true }) };
}

function toGitHub(
  method: string,
  path: RegExp,
  rest: Pick<Request, "idless" | "byId" | "writes"> = {},
): Request {
  return { server: "GitHub", route: on(method, path), ...rest };
}

const oneDeployment = /^\/v2\/deployments\/[^/]+$/;

/** What the control plane and the usage API are asked. */
export const platform = {
  list: toPlatform("GET", /^\/v2\/deployments$/),
  create: toPlatform("POST", /^\/v2\/deployments$/),
  deployment: { ...toPlatform("GET", oneDeployment), byId: true },
  update: { ...toPlatform("PATCH", oneDeployment), byId: true },
  remove: toPlatform("DELETE", oneDeployment),
  revisions: toPlatform("GET", /\/revisions$/),
  revision: { ...toPlatform("GET", /\/revisions\/[^/]+$/), byId: true },
  redeploy: toPlatform("POST", /\/redeploy$/),
  log: { ...toPlatform("GET", /\/logs$/), idless: true },
  integrations: toPlatform("GET", /\/install$/),
  repositories: { ...toPlatform("GET", /\/repos$/), idless: true },
  health: { ...toPlatform("GET", /^\/live\//), idless: true },
  provider: toPlatform("PATCH", /^\/v2\/auth\/providers\/local-provider$/),
  report: { ...toPlatform("GET", /\/granular-usage$/), idless: true },
  export: { ...toPlatform("GET", /\/granular-usage\/export$/), idless: true },
} as const satisfies Record<string, Request>;

/** What GitHub is asked. */
export const gitHub = {
  viewer: toGitHub("POST", /^\/graphql$/, { idless: true }),
  /** The second request to the same address. */
  newestStates: { ...toGitHub("POST", /^\/graphql$/, { idless: true }), from: 2 },
  ref: toGitHub("GET", /\/git\/ref\//, { idless: true }),
  root: toGitHub("GET", /\/contents\/?$/, { idless: true }),
  file: toGitHub("GET", /\/contents\/app/, { idless: true }),
  records: toGitHub("GET", /\/deployments$/),
  makeRecord: toGitHub("POST", /\/deployments$/, { writes: true }),
  statuses: toGitHub("GET", /\/statuses$/, { idless: true }),
  makeStatus: toGitHub("POST", /\/statuses$/, { writes: true }),
  comments: toGitHub("GET", /\/issues\/\d+\/comments$/),
  comment: toGitHub("GET", /\/comments\/\d+$/),
  makeComment: toGitHub("POST", /\/comments$/, { writes: true }),
  changeComment: toGitHub("PATCH", /\/comments\/\d+$/, { writes: true }),
  pullRequest: toGitHub("GET", /\/pulls\/7$/, { idless: true, byId: true }),
  openPullRequest: toGitHub("GET", /\/pulls\/8$/, { idless: true, byId: true }),
} as const satisfies Record<string, Request>;
