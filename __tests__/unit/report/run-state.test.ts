import { expect, test } from "@jest/globals";
import type { RunEvent } from "../../../src/events.ts";
import { classifyStatus } from "../../../src/platform/status.ts";
import { initialState, nextState, type RunState, stateRedactor } from "../../../src/report/run-state.ts";

const start = initialState(1);
const known = { tenantId: "w-1", name: "agent", url: "https://agent.example/" };
const site = { url: "https://platform.example", workspaceId: "w" };
const [queued, deployed] = [classifyStatus("QUEUED"), classifyStatus("DEPLOYED")];
const result = { kind: "smoke test", name: "a", passed: true, durationMs: 5, message: "Fine." } as const;
const failureLog = { type: "build", lines: ["a"] } as const;

/** An event, and its own parts as what it changes. */
function changing(event: RunEvent): [RunEvent, object] {
  const { kind: _, ...changes } = event;
  return [event, changes];
}

test.each<[RunEvent, object, Partial<RunState>?]>([
  changing({ kind: "planned", title: "t", name: "n", source: "main", site }),
  changing({ kind: "planned", title: "t", name: undefined, source: undefined, site: undefined }),
  changing({ kind: "request_prepared", request: "{}" }),
  changing({ kind: "deployment_identified", deploymentId: "d-1" }),
  [
    { kind: "deployment_seen", deployment: { id: "d-1", ...known }, created: true },
    { deploymentId: "d-1", ...known, created: true },
  ],
  // What a response does not show stays known.
  [
    {
      kind: "deployment_seen",
      deployment: { id: "d-1", name: undefined, url: undefined },
    },
    { deploymentId: "d-1", ...known, created: true },
    { ...known, created: true },
  ],
  [{ kind: "previous_revision_seen", revisionId: "r-0" }, { previousRevisionId: "r-0" }],
  [{ kind: "write_sent", at: 5 }, { writtenAt: 5 }],
  [{ kind: "write_rejected" }, { writtenAt: undefined }, { writtenAt: 5 }],
  [...changing({ kind: "revision_named", revisionId: undefined }), { revisionId: "r-1" }],
  changing({ kind: "revision_identified", revisionId: "r-1", typicalMs: 7, isResumed: true }),
  changing({ kind: "revision_read", commitSha: "abc", statusMessage: "why" }),
  [{ kind: "status_changed", status: queued, at: 5 }, { statuses: [{ status: queued, at: 5 }] }],
  changing({ kind: "failure_log_read", failureLog }),
  [{ kind: "check_changed", label: "health check" }, { runningCheck: "health check" }],
  [
    { kind: "check_changed", label: undefined },
    { runningCheck: undefined },
    { runningCheck: "health check" },
  ],
  [{ kind: "check_ended", result }, { checks: [result, result] }, { checks: [result] }],
  [{ kind: "rollback_planned", revisionId: "r-0" }, { rollbackTarget: "r-0" }],
  [{ kind: "rolled_back", revisionId: "r-0" }, { rolledBackTo: "r-0" }],
  [
    { kind: "deployment_deleted", title: "b" },
    { deleted: ["a", "b"], leftover: undefined },
    { deleted: ["a"], leftover: "It may be deleted." },
  ],
  changing({ kind: "stage_changed", stage: "still rolling back" }),
  changing({ kind: "leftover_changed", leftover: "It may be deleted." }),
  [{ kind: "interrupt_skipped" }, { interruptSkipped: true }],
])("event %j changes exactly what it says", (event, changes, before = {}) => {
  const state = { ...start, ...before };

  expect(nextState(state, event)).toEqual({ ...state, ...changes });
});

const evidence = { request: "a secret", expected: ["a secret", "none"], received: ["none", "a secret"] };

/** A state with a secret in every text. */
const secretive: RunState = {
  startedAt: 1,
  title: "a secret",
  name: "a secret",
  source: "a secret",
  request: "a secret",
  site,
  sourceDigest: "sha256:1",
  sourceCommit: { sha: "0123", hasLocalChanges: true, isOfThisRepository: true },
  deploymentId: "a secret",
  tenantId: "a secret",
  created: true,
  url: "https://a-secret.example/",
  writtenAt: 2,
  endedAt: 9,
  revisionId: "a secret",
  previousRevisionId: "a secret",
  isResumed: true,
  typicalMs: 5,
  statuses: [
    { status: classifyStatus("a secret"), at: 3 },
    { status: deployed, at: 4 },
  ],
  statusMessage: "a secret",
  commitSha: "a secret",
  failureLog: { type: "build", lines: ["a secret", "none"] },
  runningCheck: "smoke test a secret",
  checks: [{ ...result, name: "a secret", message: "a secret", evidence }],
  rollbackTarget: "a secret",
  rolledBackTo: "a secret",
  stage: "a secret",
  leftover: "a secret",
  deleted: ["a secret", "none"],
  interruptSkipped: true,
};
const redact = {
  text: (text: string) => text.replaceAll("secret", "(text)"),
  value: (text: string) => text.replaceAll("secret", "(value)"),
};

test("observers get what may come from the platform without secrets, and all else as it is", () => {
  expect(stateRedactor(redact)(secretive)).toEqual({
    ...secretive,
    name: "a (value)",
    request: "a (text)",
    deploymentId: "a (value)",
    tenantId: "a (value)",
    url: "https://a-(value).example/",
    revisionId: "a (value)",
    previousRevisionId: "a (value)",
    statuses: [
      { status: { raw: "a (text)", kind: "pending", isKnown: false }, at: 3 },
      { status: deployed, at: 4 },
    ],
    statusMessage: "a (text)",
    commitSha: "a (value)",
    failureLog: { type: "build", lines: ["a (text)", "none"] },
    runningCheck: "smoke test a (text)",
    checks: [
      {
        ...{ ...result, name: "a (text)", message: "a (text)" },
        evidence: { request: "a (text)", expected: ["a (text)", "none"], received: ["none", "a (text)"] },
      },
    ],
    rollbackTarget: "a (value)",
    rolledBackTo: "a (value)",
    stage: "a (text)",
    leftover: "a (text)",
    deleted: ["a (text)", "none"],
  });
});

test("observers do not get what is not known", () => {
  expect(stateRedactor(redact)(start)).toEqual(start);
});

test("observers get texts of at most 3000 characters", () => {
  const { stage, name } = stateRedactor(redact)({
    ...secretive,
    stage: "x".repeat(3001),
    name: "x".repeat(3000),
  });

  expect(stage).toBe(`${"x".repeat(2999)}…`);
  expect(name).toBe("x".repeat(3000));
});

test("a text that is reported again and again is redacted once", () => {
  const texts: string[] = [];
  const text = (one: string) => {
    texts.push(one);
    return one;
  };
  const statuses = Array.from({ length: 1000 }, (_, at) => ({ status: classifyStatus(`S-${at % 2}`), at }));
  const redactState = stateRedactor({ ...redact, text });

  for (let event = 0; event < 3; event++) redactState({ ...secretive, statuses });

  expect(texts.filter((one) => one.startsWith("S-"))).toEqual(["S-0", "S-1"]);
});
