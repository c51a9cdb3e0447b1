import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { cancelOnce, expectError, type Inputs, sha, writeLines, writes } from "../../support/scenario.ts";
import { stableHead, stableText } from "../../support/stable-text.ts";
import { type RollbackScenario, startWithRevisions } from "./support.ts";

const redeployment = { path: "/redeploy$" };
const hideLive: FaultRule = { kind: "hide", fields: ["active_revision_id"] };

/** Which of the revisions the last redeployment was of. */
function redeployedId({ emulator }: RollbackScenario): string | undefined {
  const request = emulator.requests.findLast(({ path }) => path.endsWith("/redeploy"));
  return request?.path.split("/").at(-2);
}

test("a rollback makes the revision before the live one live again, and reports it", async () => {
  const { deploymentId, ids, rollBack, stored } = await startWithRevisions(["one", "two", "three"]);

  const run = await rollBack();

  const { active_revision_id: live, revisions, url } = stored();
  expect(run.succeeded).toBe(true);
  expect(writeLines(run)).toEqual(["POST redeploy"]);
  expect(revisions).toHaveLength(4);
  expect(revisions[0]).toMatchObject({ id: live, source_revision_config: { repo_ref: "two" } });
  expect(run.outputs).toEqual({
    deployment_id: deploymentId,
    revision_id: live,
    previous_revision_id: ids[2],
    rolled_back_to: ids[1],
    status: "DEPLOYED",
    outcome: "deployed",
    message: run.infos.at(-1),
    deployment_url: url,
  });
  expect(run.infos.at(-1)).toBe(
    `The content of revision ${ids[1]} is live again at ${url}, as revision ${live}. The serving check passed.`,
  );
  expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## ✅ Rollback of \`agent\`: deployed

**[\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>)**

The content of revision \`id-4…\` is live again at [\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>), as revision \`id-2…\`. The serving check passed.

| | Check | Seconds |
|:---|:---|---:|
| ✅ | serving check \`/info\` | 0.0 |

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Rolled back to | \`id-4\` |
| Commit | \`de46b2060c4f5f55ce9f85685016953775864022\` |
| Agent server | \`1.0.0\` |
| Took | 6 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

| Status | First seen after | Duration |
|:---|---:|---:|
| \`CREATING\` | 0 s | 3 s |
| \`DEPLOYING\` | 3 s | 3 s |
| \`DEPLOYED\` | 6 s | |

"
`);
});

test("a rollback without any check says so", async () => {
  const { rollBack } = await startWithRevisions(["one", "two"]);

  const run = await rollBack({ serving_check: "off" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.at(-1)).toMatch(/ No checks were run on it\.$/);
});

test.each([
  ["ref", { repo_ref: "two", repo_commit_sha: sha("a") }],
  ["commit", { repo_ref: "one", repo_commit_sha: sha("b") }],
])("a rollback fails if its revision has another %s than the earlier one", async (_what, deployed) => {
  const { emulator, deploymentId: id, ids, rollBack } = await startWithRevisions(["one", "two"]);
  const one = { repo_ref: "one", repo_commit_sha: sha("a") };
  const two = { repo_ref: "two", repo_commit_sha: sha("b") };
  const shown = (revision: string | undefined, source_revision_config: object) => {
    return { id: revision, status: "DEPLOYED", source_revision_config };
  };
  const resources = [shown(ids[1], two), shown(ids[0], one)];
  emulator.addFault(answer("GET /revisions$", 200, { body: { resources }, times: "always" }));
  emulator.addFault(answer(redeployment, 200, { body: { id, latest_revision_id: "new" } }));
  emulator.addFault(answer("GET /revisions/new$", 200, { body: shown("new", deployed), times: "always" }));

  const run = await rollBack();

  expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: "" });
  expect(run.outputs).not.toHaveProperty("rolled_back_to");
  expectError(run, "Revision new, which the platform names, is not this run's", "different source");
});

test("a second rollback goes back to what the first one replaced", async () => {
  const { ids, rollBack } = await startWithRevisions(["good", "bad"]);
  await rollBack();

  const { outputs } = await rollBack();

  expect(outputs.rolled_back_to).toBe(ids[1]);
});

test("a re-run needs revision_id, because its first attempt may have changed what is live", async () => {
  const { ids, run, rollBack } = await startWithRevisions(["one", "two", "three"]);
  const [one = ""] = ids;
  await rollBack();
  const rerun = (inputs: Inputs = {}) =>
    run("rollback", { inputs: { name: "agent", ...inputs }, env: { GITHUB_RUN_ATTEMPT: "2" } });

  const without = await rerun();
  const withId = await rerun({ revision_id: one });

  expect(without.requests).toEqual([]);
  expect(without.summary).toMatch(/^## ❌ Rollback of `agent`: failed$/m);
  expectError(without, "A re-run of a rollback needs revision_id");
  expect(withId.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: one });
});

describe("a rollback goes back to", () => {
  async function expectTarget(
    scenario: RollbackScenario,
    target: string | undefined,
    inputs: Inputs = {},
  ): Promise<void> {
    const run = await scenario.rollBack(inputs);

    expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: target });
    expect(redeployedId(scenario)).toBe(target);
  }

  test("the revision of revision_id, in a deployment that is given by its id", async () => {
    const scenario = await startWithRevisions(["one", "two", "three"]);
    const [one] = scenario.ids;

    await expectTarget(scenario, one, { deployment_id: scenario.deploymentId, revision_id: String(one) });
  });

  test("a revision that the list of revisions does not show", async () => {
    const scenario = await startWithRevisions(["one", ...Array<string>(21).fill("two")]);
    const [one] = scenario.ids;

    await expectTarget(scenario, one, { revision_id: String(one) });
  });

  const page = Array<string>(20).fill("bad");
  const takesOver: FaultRule = { kind: "failed_takes_over" };
  type Refs = readonly [string, ...string[]];

  test.each<[string, Refs, readonly FaultRule[], number]>([
    ["past failed ones", ["one", "bad", "two", "bad"], [], 0],
    ["with a page of failed ones between it and the live one", ["one", ...page, "two"], [], 0],
    ["with a page of failed ones since the live one", ["one", "two", ...page], [], 0],
    ["a failed one replaced it", ["one", "two", "worse"], [takesOver], 1],
    ["the newest one, which is DEPLOYED and not shown as live", ["one", "two", "three"], [hideLive], 1],
    ["the newest DEPLOYED one, past failed ones", ["one", "two", "three", "bad"], [hideLive], 1],
  ])("the one that was live before %s", async (_what, refs, faults, target) => {
    const failRefs = { bad: "BUILD_FAILED", worse: "DEPLOY_FAILED" };
    const scenario = await startWithRevisions(refs, { failRefs, faults });

    await expectTarget(scenario, scenario.ids[target]);
  });

  test("the live revision if a newer one is about to replace it", async () => {
    const scenario = await startWithRevisions(["one", "two"], { statusSeconds: 5 });
    scenario.emulator.addConcurrentRevision(scenario.deploymentId, "three");
    const two = String(scenario.ids[1]);

    await expectTarget(scenario, two, { revision_id: two });
    expect(scenario.stored().revisions[0]).toMatchObject({
      id: scenario.stored().active_revision_id,
      source_revision_config: { repo_ref: "two" },
    });
  });

  test("a revision whose status this action does not know, which may mean that it was replaced", async () => {
    const scenario = await startWithRevisions(["one", "two"]);
    const [one] = scenario.ids;
    const resources = scenario
      .stored()
      .revisions.map((revision) => (revision.id === one ? { ...revision, status: "RETIRED" } : revision));
    scenario.emulator.addFault(answer("GET /revisions$", 200, { body: { resources } }));

    await expectTarget(scenario, one, { revision_id: String(one) });
  });
});

test("a revision that is live already is deployed again if it is given", async () => {
  const { ids, rollBack } = await startWithRevisions(["one", "two"]);
  const [, live = ""] = ids;

  const run = await rollBack({ revision_id: live.toUpperCase() });

  expect(writeLines(run)).toEqual(["POST redeploy"]);
  expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: live });
});

describe("a rollback fails without a write", () => {
  async function expectRefusal(scenario: RollbackScenario, inputs: Inputs, ...facts: string[]) {
    const run = await scenario.rollBack(inputs);

    expectError(run, ...facts);
    expect(run.summary).toMatch(/^## ❌ (Rollback of `[^`]+`|Rollback): failed$/m);
    expect(writes(run.requests)).toEqual([]);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
  }

  test("if the list lacks the live revision", async () => {
    const scenario = await startWithRevisions(["one", "two", "three"]);
    const [, ...resources] = scenario.stored().revisions;
    scenario.emulator.addFault(answer("GET /revisions$", 200, { body: { resources } }));

    await expectRefusal(scenario, {}, "nothing to roll back to", "revision_id");
  });

  test("if no revision is live", async () => {
    const scenario = await startWithRevisions(["bad"], { failRefs: { bad: "BUILD_FAILED" } });

    const fact = "shows no live revision, so there is nothing to roll back to";
    await expectRefusal(scenario, {}, fact, "revision_id");
  });

  test("if no other revision was live", async () => {
    const options = { failRefs: { bad: "BUILD_FAILED" } };
    const scenario = await startWithRevisions(["bad", "one"], options);

    await expectRefusal(scenario, {}, "nothing to roll back to", "Deploy a working version", "revision_id");
  });

  const unknown = "11111111-1111-4111-8111-111111111111";

  test.each<[string, Inputs, readonly string[]]>([
    [
      "a name without a deployment",
      { name: "agent-1" },
      ["no deployment named agent-1", "Check name, control_plane_url (or region)"],
    ],
    [
      "an unknown deployment_id",
      { deployment_id: unknown },
      [`no deployment ${unknown}`, "Check deployment_id, which takes an ID"],
    ],
    ["an unknown revision_id", { revision_id: unknown }, [`no revision ${unknown} of deployment`, "404"]],
    ["the short form of a revision_id", { revision_id: "1a2b3c4d" }, ["must be the full ID"]],
    ["neither deployment_id nor name", { name: "" }, ["deployment_id"]],
    ["a revision_id that can't stand in a path", { revision_id: ".." }, ["revision_id"]],
  ])("for %s", async (_what, inputs, facts) => {
    await expectRefusal(await startWithRevisions(["one", "two"]), inputs, ...facts);
  });

  test.each<[string, (scenario: RollbackScenario) => Inputs]>([
    ["found by its name", () => ({})],
    ["given by its id", ({ deploymentId }) => ({ deployment_id: deploymentId, name: "" })],
    ["whose live revision is wanted", ({ ids }) => ({ revision_id: String(ids[1]) })],
  ])("for a deployment that is being deleted, %s", async (_what, inputs) => {
    const scenario = await startWithRevisions(["one", "two"]);
    scenario.emulator.addFault({ kind: "slow_delete", seconds: 600 });
    await scenario.send(`DELETE /v2/deployments/${scenario.deploymentId}`);

    await expectRefusal(scenario, inputs(scenario), "is being deleted, so nothing can be deployed to it");
  });

  test("for a deployment whose read shows another name than the list", async () => {
    const scenario = await startWithRevisions(["one", "two"]);
    const body = { id: scenario.deploymentId, name: "production" };
    scenario.emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body, times: "always" }));

    await expectRefusal(scenario, {}, "is named production now, not agent");
  });

  test("for a name on a control plane without a list", async () => {
    const noList = answer("GET ^/v2/deployments$", 405, { body: { detail: "Method Not Allowed" } });

    await expectRefusal(await startWithRevisions(["one", "two"], { faults: [noList] }), {}, "deployment_id");
  });

  test.each(["BUILD_FAILED", "SKIPPED", "BUILDING"])("for a revision that is %s", async (status) => {
    const scenario = await startWithRevisions(["one", "bad"], { failRefs: { bad: status } });
    const bad = String(scenario.ids[1]);

    const fact = `${bad} is ${status} and not DEPLOYED`;
    await expectRefusal(scenario, { revision_id: bad }, fact, "revision_id");
  });
});

describe("a rollback waits for its own revision like a deploy:", () => {
  const isOf = (status: string): FaultRule => ({
    kind: "statuses",
    redeployed: true,
    sequence: [{ status: "BUILDING", seconds: 1 }, { status }],
  });

  test.each([
    ["DEPLOY_FAILED", "failed", "is live"],
    ["SKIPPED", "superseded", "is live"],
    ["INTERRUPTED", "interrupted", "is live"],
    ["DEPLOYING", "timed_out", "is still running"],
  ])("one that is %s is %s, and the error says which one %s", async (status, outcome, state) => {
    const options = { faults: [isOf(status)] };
    const { deploymentId, ids, rollBack } = await startWithRevisions(["one", "two"], options);

    const run = await rollBack({ timeout_seconds: "20" });

    expect(run.outputs).toMatchObject({ outcome, status, revision_id: expect.any(String) });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    const revision =
      state === "is live" ? ids[1] : `${run.outputs.revision_id} of deployment ${deploymentId}`;
    expectError(run, status, `Revision ${revision} ${state}`);
  });

  test("the hint after a timeout is no rollback without revision_id, which would go back too far", async () => {
    const { rollBack } = await startWithRevisions(["one", "two"], { faults: [isOf("DEPLOYING")] });

    const run = await rollBack({ timeout_seconds: "20" });

    expectError(run, "raise timeout_seconds", "use the rollback action with revision_id");
  });

  test("one that fails has the end of its log, and a hint for this action", async () => {
    const { ids, rollBack } = await startWithRevisions(["one", "two"], { faults: [isOf("DEPLOY_FAILED")] });

    const run = await rollBack({ platform: "langsmith" });

    expect(run.log).toContain("End of the deploy log");
    expect(stableHead(run.summary)).toMatchInlineSnapshot(`
"## ❌ Rollback of \`agent\`: failed (deploy failed)
> [!CAUTION]
> Revision \`id-2…\` failed with status \`DEPLOY_FAILED\`.
> The platform says: \`The server did not become healthy: it ended with code 1 while it started\`. Revision \`id-3…\` is live.
> **What to do next:** The end of the deploy log is in the job summary. If a variable is missing or wrong, correct it and deploy again: a rollback does not restore variables. To roll back to a different revision, use the rollback action with \`revision_id\`."
`);
    expect(run.summary).toContain("<summary>End of the deploy log</summary>");
    expect(run.summary).toContain(`| Target of the rollback | \`${ids[0]}\` |`);
    expect(run.summary).toContain(`| Live revision | \`${ids[1]}\` |`);
  });

  test("without wait it ends as started", async () => {
    const { ids, rollBack, stored } = await startWithRevisions(["one", "two"]);

    const run = await rollBack({ wait: "false" });

    expect(run.succeeded).toBe(true);
    expect(run.outputs).toMatchObject({ outcome: "started", status: stored().revisions[0]?.status });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(run.outputs.revision_id).not.toBe(ids[0]);
  });
});

const unknownRoute = { body: { detail: "Unknown route" } };
const otherWay = "Deploy the earlier version with the deploy action: by its ref or tag in repo_ref";

test.each<[string, FaultRule, number, readonly string[]]>([
  ["404", answer(redeployment, 404, unknownRoute), 2, ["404", otherWay]],
  ["405", answer(redeployment, 405, unknownRoute), 2, ["405", otherWay]],
  ["501", answer(redeployment, 501, unknownRoute), 2, ["501", otherWay]],
  [
    "403",
    answer(redeployment, 403, { body: { detail: "Not yours" } }),
    2,
    ["403", "Not yours", "workspace_id"],
  ],
  [
    "a lost response",
    { kind: "reset", match: redeployment, applied: true },
    3,
    ["Could not confirm", "may still be running", "Check on the platform which revision is live"],
  ],
])(
  "a redeployment that ends with %s fails the step, and is sent once",
  async (_what, fault, count, facts) => {
    const { rollBack, stored } = await startWithRevisions(["one", "two"], { faults: [fault] });

    const run = await rollBack();

    expect(run.outputs.outcome).toBe("failed");
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, ...facts);
    expect(run.errors[0]).not.toContain("safe");
    expect(writeLines(run)).toEqual(["POST redeploy"]);
    expect(run.requests.at(-1)?.path).toMatch(/redeploy$/);
    expect(stored().revisions).toHaveLength(count);
  },
);

describe("a cancelled rollback reports", () => {
  test("that no changes were sent, before the redeployment", async () => {
    const { startRollback } = await startWithRevisions(["one", "two"]);

    const run = await cancelOnce(startRollback(), Promise.resolve());

    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, "SIGINT", "No changes were sent");
  });

  test("its revision, which is still running, and advises to name the revision to roll back to", async () => {
    const { pass, startRollback, stored } = await startWithRevisions(["one", "two"], { statusSeconds: 5 });

    const run = await cancelOnce(startRollback(), pass(8));

    const { id, latest_revision_id: latest } = stored();
    expect(run.outputs).toMatchObject({ outcome: "cancelled", revision_id: latest });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, `Revision ${latest} of deployment ${id} is still running`);
    expectError(
      run,
      "What to do next: If a newer run replaced this one, there is nothing to do. To roll back again, use the rollback action with revision_id.",
    );
    expect(run.summary).toMatch(/^## 🚫 Rollback of `agent`: cancelled$/m);
  });
});
