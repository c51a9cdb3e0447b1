import fc from "fast-check";
import type { FaultRule } from "../../emulator/index.ts";

/** The secrets of every run, unlike anything else. */
export const canaries = {
  apiKey: "canary-api-key-2f6d1c7e9b",
  secret: "canary-secret-value-5a1b88",
} as const;

export const writeKinds = ["create", "update by name", "update by id", "rollback"] as const;

/** The refs of this run, of the deployment before it, and of everybody else. */
export const refs = {
  own: "refs/tags/own",
  earlier: "refs/tags/earlier",
  before: "refs/tags/before",
  foreign: "refs/tags/foreign",
} as const;

/** A run, everything that goes wrong during it, and what others do meanwhile. */
export interface RandomPlan {
  readonly platform: "standard" | "langsmith";
  readonly write: (typeof writeKinds)[number];
  readonly wait: boolean;
  readonly statusSeconds: number;
  readonly faults: readonly FaultRule[];
  /** Fields that no response shows. */
  readonly hidden: readonly string[];
  /** Revisions of others, by when they appear, in seconds after the start of the run. */
  readonly foreign: readonly { readonly at: number; readonly isSameSource: boolean }[];
}

const times = fc.constantFrom(1, 2, 3, "always" as const);

/** A kind of request. */
function requests(write: boolean) {
  const [list, one] = ["^/v2/deployments$", "^/v2/deployments/[^/]+$"];
  const targets = write
    ? [
        { method: "POST", path: list },
        { method: "PATCH", path: one },
        { method: "POST", path: "/redeploy$" },
      ]
    : [list, one, "/revisions$", "/revisions/[^/]+$"].map((path) => ({ method: "GET", path }));
  return fc.record({ target: fc.constantFrom(...targets), from: fc.integer({ min: 1, max: 6 }), times }).map(
    // A write is sent once or twice, so a fault of the fifth would affect none.
    ({ target, from, ...rest }) => ({ ...target, from: write ? Math.min(from, 2) : from, ...rest }),
  );
}

const page = { headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" };
const echo = { body: { detail: `No, not with ${canaries.apiKey} and ${canaries.secret}.` } };
const retryAfter = fc.constantFrom("3", "20", "soon", "99999").map((text) => ({ "retry-after": text }));

/** Refusals, which never take effect. */
const refusals = fc.oneof(
  fc.record({ status: fc.constantFrom(400, 401, 403, 404, 405, 409, 410, 422, 501), ...constants(echo) }),
  fc.constant({ status: 404, ...page }),
  fc.record({ status: fc.constantFrom(429, 408), headers: retryAfter, ...constants(echo) }),
);

/** Responses that leave open whether the request took effect. */
const unclear = fc.oneof(
  fc.record({ status: fc.constantFrom(500, 502, 503, 504), headers: retryAfter, ...constants(echo) }),
  fc.constant({ status: 502, ...page }),
  fc.constant({ status: 200, ...page }),
  fc.constant({ status: 307, headers: { location: "http://127.0.0.1:9/" } }),
);

/** Successes, which always took effect. */
const successes = fc.constantFrom<{ status: number; body?: unknown }>(
  { status: 200 },
  { status: 204 },
  { status: 200, body: { ok: true } },
  { status: 200, body: null },
);

function constants<T extends object>(value: T): { [Key in keyof T]: fc.Arbitrary<T[Key]> };
function constants(value: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fc.constant(one)]));
}

function answers(write: boolean): fc.Arbitrary<FaultRule> {
  const match = requests(write);
  const answer = { kind: fc.constant("answer" as const), match };
  return fc
    .oneof(
      fc.record({ ...answer, response: refusals, applied: fc.constant(false) }),
      fc.record({ ...answer, response: unclear, applied: fc.boolean() }),
      fc.record({ ...answer, response: successes, applied: fc.constant(true) }),
    )
    .map(({ response, ...rule }) => ({ ...rule, ...response }));
}

function lostConnections(write: boolean): fc.Arbitrary<FaultRule> {
  const match = requests(write);
  return fc.oneof(
    fc.record({ kind: fc.constant("reset" as const), match, applied: fc.boolean() }),
    fc.record({ kind: fc.constant("cut" as const), match }),
  );
}

/** What hangs takes real time, so it happens once. */
const hanging: fc.Arbitrary<FaultRule> = fc.record({
  kind: fc.constant("hang"),
  match: requests(true).map((match) => ({ ...match, times: 1 })),
  applied: fc.boolean(),
});

const places = ["revisions", "revision", "deployment", "deployments"] as const;
const lags: fc.Arbitrary<FaultRule> = fc.record({
  kind: fc.constant("hide_new"),
  where: fc.subarray([...places], { minLength: 1 }),
  milliseconds: fc.constantFrom(0, 3000, 30_000, 90_000),
  reads: fc.integer({ min: 0, max: 4 }),
});

const foreignRevisions: fc.Arbitrary<FaultRule> = fc.record({
  kind: fc.constant("concurrent_revision"),
  when: fc.constantFrom("before", "after"),
  repo_ref: fc.constant(refs.foreign),
});

const ends = ["DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "DEPLOYING", "RETIRED"];
const statuses: fc.Arbitrary<FaultRule> = fc.record({
  kind: fc.constant("statuses"),
  repo_ref: fc.constantFrom(refs.own, refs.foreign),
  redeployed: fc.boolean(),
  sequence: fc.tuple(fc.constantFrom(0, 5, 70), fc.constantFrom(...ends)).map(([seconds, status]) => [
    { status: "BUILDING", seconds },
    { status, message: echo.body.detail },
  ]),
});

const faults = fc.oneof(
  { weight: 5, arbitrary: answers(true) },
  { weight: 5, arbitrary: lostConnections(true) },
  { weight: 4, arbitrary: answers(false) },
  { weight: 2, arbitrary: lostConnections(false) },
  { weight: 3, arbitrary: lags },
  { weight: 3, arbitrary: foreignRevisions },
  { weight: 2, arbitrary: statuses },
  { weight: 1, arbitrary: fc.constant<FaultRule>({ kind: "failed_takes_over" }) },
  { weight: 1, arbitrary: hanging },
);

const plans: fc.Arbitrary<RandomPlan> = fc.record({
  platform: fc.constantFrom("standard", "langsmith"),
  write: fc.constantFrom(...writeKinds),
  wait: fc.constantFrom(true, true, true, true, false),
  statusSeconds: fc.constantFrom(0, 0.5, 3, 8),
  faults: fc.array(faults, { maxLength: 5 }),
  hidden: fc.subarray(["source_revision_config", "active_revision_id", "latest_revision_id", "created_at"]),
  foreign: fc.array(fc.record({ at: fc.integer({ min: 0, max: 70 }), isSameSource: fc.boolean() }), {
    maxLength: 3,
  }),
});

/** Any run with any faults. */
export const randomPlans = plans.map((plan) => ({
  ...plan,
  faults: plan.faults.filter((fault) => isPossible(fault, plan)),
}));

/** The dialect without redeployments does not report that one succeeded. */
function isPossible(fault: FaultRule, { platform }: RandomPlan): boolean {
  const isSuccess = fault.kind === "answer" && fault.status < 300;
  return !(platform === "standard" && isSuccess && fault.match?.path === "/redeploy$");
}
