import { describe, expect, test } from "@jest/globals";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import {
  type PreviewScenario,
  type RecordedRun,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";

const always = { times: "always" } as const;
const recordPermissions = ['"deployments: write"'];
const previewPermissions = [...recordPermissions, '"pull-requests: write"'];

/** The deployment went through, and what GitHub didn't do is told once. */
function expectUnharmed(run: RecordedRun, permissions: readonly string[]): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.errors).toEqual([]);
  expect(run.warnings).toHaveLength(permissions.length);
  for (const permission of permissions)
    expect(run.warnings.filter((warning) => warning.includes(permission))).toHaveLength(1);
}

const faults: [string, GitHubFault, Inputs][] = [
  [
    "403",
    {
      kind: "answer",
      match: always,
      status: 403,
      body: { message: "Resource not accessible by integration" },
    },
    {},
  ],
  ["404", { kind: "answer", match: always, status: 404, body: { message: "Not Found" } }, {}],
  ["500", { kind: "answer", match: always, status: 500, body: "<html>oops</html>" }, {}],
  ["a reset", { kind: "reset", match: always }, {}],
  ["nothing", { kind: "hang", match: always }, { request_timeout_seconds: "0.1" }],
  ["200 and nonsense", { kind: "answer", match: always, status: 200, body: { what: "?" } }, {}],
  ["200 and half of it", { kind: "cut", match: always }, {}],
];

describe.each(faults)("where GitHub answers everything with %s", (title, fault, inputs) => {
  test("a preview is deployed, updated and deleted", async () => {
    const { emulator, github, open, preview, shut } = await startPreviewScenario();
    open();
    const heal = github.fail(fault);
    const opened = await preview("opened", { inputs });
    // Half an answer means that the write took place.
    const partial = title.startsWith("200");
    if (!partial) expectUnharmed(opened, previewPermissions);
    const pushed = await preview("synchronize", { inputs });
    if (!partial) expectUnharmed(pushed, previewPermissions);
    expect([opened.outputs.outcome, pushed.outputs.outcome]).toEqual(["deployed", "deployed"]);
    expect(pushed.outputs.deployment_id).toBe(opened.outputs.deployment_id);
    heal();
    github.fail(fault);
    shut();
    const closed = await preview("closed", { inputs });
    expect(closed.outputs.outcome).toBe("deleted");
    expect(closed.succeeded).toBe(true);
    expect(emulator.deployments()).toEqual([]);
  });

  test("the root action deploys", async () => {
    const { github, run } = await startPreviewScenario({ emulator: { statusSeconds: 1 } });
    github.fail(fault);
    const deployed = await run("deploy", { inputs: { ...inputs, name: "agent", environment: "staging" } });
    if (title.startsWith("200")) expect(deployed.outputs.outcome).toBe("deployed");
    else expectUnharmed(deployed, recordPermissions);
  });
});

test("a GitHub that hangs is not asked again and again", async () => {
  const { emulator, github, open, preview } = await startPreviewScenario();
  open();
  github.fail({ kind: "hang", match: always });
  const watching = () => emulator.requests.some(({ path }) => path.includes("/revisions/"));
  let askedBefore = 0;
  const stop = emulator.misbehave({ kind: "lag", where: ["revision"], reads: 1 });
  const running = preview("opened", { inputs: { request_timeout_seconds: "0.1" } });
  while (!watching()) {
    askedBefore = github.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  stop();
  const run = await running;
  expect(askedBefore).toBeLessThanOrEqual(6);
  expect(run.github.length - askedBefore).toBeLessThanOrEqual(6);
});

test.each<[string, GitHubFault["match"]]>([
  ["the token's login", { path: "/graphql$" }],
  ["the records", { method: "GET", path: "/deployments$" }],
])(
  "a 502 on the way to %s doesn't keep a re-run from its earlier attempt's revision",
  async (_what, match) => {
    const { github, run } = await startPreviewScenario({ emulator: { statusSeconds: 15 } });
    const inputs = { name: "agent", environment: "staging", timeout_seconds: "60" };
    const sameRun = { inputs, env: { GITHUB_RUN_ID: "77" } };
    const first = await run("deploy", sameRun);
    expect(first.outputs.outcome).toBe("timed_out");
    github.fail({ kind: "answer", status: 502, match });
    const again = await run("deploy", sameRun);
    expectUnharmed(again, []);
    expect(again.outputs.revision_id).toBe(first.outputs.revision_id);
  },
);

describe("one permission is missing", () => {
  async function without(permission: "deployments" | "pull_requests" | "contents", hides = false) {
    const scenario = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
      github: { permissions: { [permission]: "none", issues: "none" }, hidesMissingPermission: hides },
    });
    scenario.open();
    return { scenario, run: await scenario.preview("opened") };
  }

  test.each([false, true])("deployments (hidden as 404: %s)", async (hides) => {
    const { scenario, run } = await without("deployments", hides);
    expectUnharmed(run, recordPermissions);
    expect(scenario.github.comments(7)[0]?.body).toContain("✅ deployed");
  });

  test.each([false, true])("pull-requests (hidden as 404: %s)", async (hides) => {
    const { scenario, run } = await without("pull_requests", hides);
    expectUnharmed(run, ['"pull-requests: write"']);
    expect(scenario.github.deployments(taskOf7)[0]?.statuses[0]?.state).toBe("success");
  });

  test.each([false, true])("contents: only the preflight needs it (hidden as 404: %s)", async (hides) => {
    const { run } = await without("contents", hides);
    expectUnharmed(run, []);
  });

  test("a token that may only read", async () => {
    const { github, open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    github.permissions = { contents: "read", deployments: "read", issues: "read", pull_requests: "read" };
    open();
    expectUnharmed(await preview("opened"), ['"deployments: write"', '"pull-requests: write"']);
  });

  test.each([
    ["opened", /^github_token is empty: .*no record and no comment.*sweep doesn't find it/],
    ["closed", /^github_token is empty: .*by its name alone\. Its records and its comment on GitHub stay/],
  ])("no token at all (%s): nothing is asked, one warning", async (action, warning) => {
    const { open, preview, shut } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    open();
    if (action === "closed") shut();
    const run = await preview(action, { inputs: { github_token: "" } });
    expect(run.succeeded).toBe(true);
    expect(run.warnings).toEqual([expect.stringMatching(warning)]);
    expect(run.github).toEqual([]);
  });

  test("a token that nobody knows", async () => {
    const { open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    open();
    const run = await preview("opened", { inputs: { github_token: "ghs_unknown" } });
    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringContaining("Check github_token")]);
  });
});

describe("GitHub comes back", () => {
  async function deployWith(
    fault: GitHubFault,
    healAt: number,
  ): Promise<{ scenario: PreviewScenario; run: RecordedRun }> {
    const scenario = await startPreviewScenario();
    const { clock, github, open, preview } = scenario;
    open();
    const heal = github.fail(fault);
    clock.at(healAt, heal);
    return { scenario, run: await preview("opened") };
  }

  test("in the middle of a deploy: record and comment are made at its end", async () => {
    const { scenario, run } = await deployWith({ kind: "answer", match: always, status: 503 }, 20_000);
    const { github } = scenario;
    expectUnharmed(run, previewPermissions);
    const [record, ...others] = github.deployments(taskOf7);
    expect(others).toEqual([]);
    expect(record?.payload).toMatchObject({ revision_id: run.outputs.revision_id });
    expect(record?.statuses.map(({ state }) => state)).toEqual(["success"]);
    expect(github.comments(7)).toHaveLength(1);
    expect(github.comments(7)[0]?.body).toContain("✅ deployed");
    expect(run.state).toMatchObject({ record_id: "", comment_id: "" });
  });

  test("after one failure of the status: the next one is written", async () => {
    const match = { method: "POST", path: "/statuses$" };
    const { scenario, run } = await deployWith({ kind: "answer", match, status: 502 }, 90_000);
    expectUnharmed(run, ['"deployments: write"']);
    expect(scenario.github.deployments(taskOf7)[0]?.statuses.map(({ state }) => state)).toEqual(["success"]);
  });

  test("after the newer records couldn't be read at the end: the status is written all the same", async () => {
    const match = { method: "GET", path: "/deployments$", from: 2, times: 3 };
    const { scenario, run } = await deployWith({ kind: "answer", match, status: 502 }, 90_000);
    expectUnharmed(run, ['"deployments: write"']);
    expect(scenario.github.deployments(taskOf7)[0]?.statuses[0]?.state).toBe("success");
  });

  test("an answer to the comment that was lost makes no second one", async () => {
    const match = { method: "POST", path: "/comments$" };
    const { scenario, run } = await deployWith({ kind: "reset", match, applied: true }, 90_000);
    expectUnharmed(run, ['"pull-requests: write"']);
    expect(scenario.github.comments(7)).toHaveLength(1);
    expect(scenario.github.comments(7)[0]?.body).toContain("✅ deployed");
  });

  test("an answer to the record that was lost leaves one that is active", async () => {
    const match = { method: "POST", path: "/deployments$" };
    const { scenario } = await deployWith({ kind: "reset", match, applied: true }, 90_000);
    const states = scenario.github.deployments(taskOf7).map(({ statuses }) => statuses[0]?.state);
    expect(states).toEqual(["success", "inactive"]);
  });
});
