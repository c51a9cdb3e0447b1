import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import {
  immediate,
  type Scenario,
  type ScenarioRun,
  startScenario,
  taskOf7,
} from "../../support/scenario.ts";
import { commentOf7, newestStates, recordStates } from "./support.ts";

const always = { times: "always" } as const;
const recordPermission = '"deployments: write"';
const commentPermission = '"pull-requests: write"';

/** The deployment succeeded, with one warning for each of these permissions. */
function expectUnaffected(run: ScenarioRun, ...permissions: readonly string[]): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.errors).toEqual([]);
  expect(run.warnings).toHaveLength(permissions.length);
  for (const permission of permissions) {
    expect(run.warnings).toContainEqual(expect.stringContaining(permission));
  }
}

const faults: [string, GitHubFault, string[]][] = [
  ["403", answer(always, 403), [recordPermission, commentPermission]],
  ["a reset", { kind: "reset", match: always }, [recordPermission, commentPermission]],
  ["nonsense", answer(always, 200, { body: { what: "?" } }), [recordPermission, commentPermission]],
  ["half of each response", { kind: "cut", match: always }, [recordPermission, commentPermission]],
];

test.each(faults)(
  "a GitHub that responds with %s does not keep a preview from being deployed, updated and deleted",
  async (_what, fault, warnings) => {
    const { emulator, github, open, preview, shut } = await startScenario(immediate);
    open();
    github.fail(fault);

    const opened = await preview("opened");
    const pushed = await preview("synchronize");
    shut();
    const closed = await preview("closed");

    expectUnaffected(opened, ...warnings);
    expectUnaffected(pushed, ...warnings);
    expect(pushed.outputs.deployment_id).toBe(opened.outputs.deployment_id);
    expect(closed.outputs.outcome).toBe("deleted");
    expect(emulator.deployments()).toEqual([]);
  },
);

describe("a re-run finds the revision of its earlier attempt although there was a 502 on the way to", () => {
  test.each([
    ["the login of the token", "/graphql$"],
    ["the records", "GET /deployments$"],
  ])("a re-run finds its revision after a 502 for %s", async (_what, match) => {
    const { github, run } = await startScenario({ statusSeconds: 15 });
    const inputs = { name: "agent", environment: "staging", timeout_seconds: "60" };
    const first = await run("deploy", { inputs, env: { GITHUB_RUN_ID: "77" } });
    github.fail(answer(match, 502));

    const again = await run("deploy", { inputs, env: { GITHUB_RUN_ID: "77" } });

    expectUnaffected(again);
    expect(again.outputs.revision_id).toBe(first.outputs.revision_id);
  });
});

describe("without the permission", () => {
  async function previewWithout(permission: string, hidesMissingPermission: boolean) {
    const permissions = { [permission]: "none", issues: "none" } as const;
    const scenario = await startScenario({
      ...immediate,
      github: { permissions, hidesMissingPermission },
    });
    scenario.open();
    return { scenario, run: await scenario.preview("opened") };
  }

  test.each([false, true])("deployments the comment is written (404 for reads: %s)", async (isHidden) => {
    const { scenario, run } = await previewWithout("deployments", isHidden);

    expectUnaffected(run, recordPermission);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed/m);
  });

  test.each([false, true])("pull-requests the record is written (404 for reads: %s)", async (isHidden) => {
    const { scenario, run } = await previewWithout("pull_requests", isHidden);

    expectUnaffected(run, commentPermission);
    expect(newestStates(scenario)).toEqual(["success"]);
  });

  test.each([false, true])(
    "contents only the preflight is left out (404 for reads: %s)",
    async (isHidden) => {
      const { run } = await previewWithout("contents", isHidden);

      expectUnaffected(run);
    },
  );

  test("to write, record and comment are warnings", async () => {
    const { github, open, preview } = await startScenario(immediate);
    github.permissions = { contents: "read", deployments: "read", issues: "read", pull_requests: "read" };
    open();

    expectUnaffected(await preview("opened"), recordPermission, commentPermission);
  });
});

describe("the token", () => {
  test.each([
    ["opened", /^github_token is empty: this run writes nothing to GitHub/],
    ["closed", /^github_token is empty: this run writes nothing to GitHub/],
  ])("that is empty means no requests and one warning (%s)", async (action, warning) => {
    const { open, preview, shut } = await startScenario(immediate);
    open();
    if (action === "closed") shut();

    const run = await preview(action, { inputs: { github_token: "" } });

    expect(run.succeeded).toBe(true);
    expect(run.warnings).toEqual([expect.stringMatching(warning)]);
    expect(run.github).toEqual([]);
  });

  test("that is unknown is one warning, which names it", async () => {
    const { open, preview } = await startScenario(immediate);
    open();

    expectUnaffected(await preview("opened", { inputs: { github_token: "ghs_unknown" } }), "github_token");
  });
});

describe("if GitHub recovers", () => {
  /** Deploys a preview with this fault, which ends after so many seconds. */
  async function deployWith(
    fault: GitHubFault,
    seconds = 90,
  ): Promise<{ scenario: Scenario; run: ScenarioRun }> {
    const scenario = await startScenario({ statusSeconds: 5 });
    scenario.open();
    scenario.clock.at(seconds * 1000, scenario.github.fail(fault));
    return { scenario, run: await scenario.preview("opened") };
  }

  test("record and comment are made at the end", async () => {
    const { scenario, run } = await deployWith(answer(always, 503), 20);

    expectUnaffected(run, recordPermission, commentPermission);
    expect(scenario.github.deployments(taskOf7)).toMatchObject([
      { payload: { revision_id: run.outputs.revision_id }, statuses: [{ state: "success" }] },
    ]);
    expect(scenario.github.comments(7)).toHaveLength(1);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed/m);
    expect(run.state).toEqual({ record: "", comment: "", unfinished: "", outcome: "deployed" });
  });

  test("a status is written after a failure", async () => {
    const { scenario, run } = await deployWith(answer("POST /statuses$", 502));

    expectUnaffected(run);
    expect(recordStates(scenario)).toEqual([["in_progress", "success"]]);
  });

  test("the status is written although newer records could not be read at the end", async () => {
    const { scenario, run } = await deployWith(answer("GET /deployments$", 502, { from: 2, times: 3 }));

    expectUnaffected(run, recordPermission);
    expect(newestStates(scenario)).toEqual(["success"]);
  });

  test("a lost response to the comment leads to no second comment", async () => {
    const match = { method: "POST", path: "/comments$" };
    const { scenario, run } = await deployWith({ kind: "reset", match, applied: true });

    expectUnaffected(run, commentPermission);
    expect(scenario.github.comments(7)).toHaveLength(1);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed/m);
  });

  test("a lost response to the record leads to no second record", async () => {
    const match = { method: "POST", path: "/deployments$" };
    const { scenario } = await deployWith({ kind: "reset", match, applied: true });

    expect(newestStates(scenario)).toEqual(["success"]);
  });
});

describe("a rate limit", () => {
  async function deployWithLimit(seconds: number, statusSeconds: number) {
    const scenario = await startScenario({ statusSeconds });
    scenario.open();
    const headers = { "retry-after": String(seconds) };
    const body = { message: "You have exceeded a secondary rate limit." };
    scenario.github.fail(answer("POST /deployments$", 403, { headers, body }));
    return { scenario, run: await scenario.preview("opened") };
  }

  test("that is over before the end of the run lets the end be written", async () => {
    const { scenario, run } = await deployWithLimit(200, 60);

    expectUnaffected(run, "GitHub limits");
    expect(newestStates(scenario)).toEqual(["success"]);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed/m);
  });
});
