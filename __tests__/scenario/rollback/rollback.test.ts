import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, type Inputs, writes } from "../../support/scenario.ts";
import { type RollbackScenario, startWithRevisions, writeLines } from "./support.ts";

const redeployment = { path: "/redeploy$" };
const noRedeployment: FaultRule = answer(redeployment, 404, {
  body: { detail: "Not Found" },
  times: "always",
});
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
    deployment_url: url,
  });
  expect(run.infos).toContain(
    `Rolling back deployment ${deploymentId} from revision ${ids[2]} to revision ${ids[1]}.`,
  );
  expect(run.infos.at(-1)).toBe(
    `Revision ${live} is live at ${url}. The revision has the content of ${ids[1]}. The serving check passed.`,
  );
  expect(run.summary).toContain("✅ Rollback of `agent`: succeeded\n");
  expect(run.summary).toContain(`| Rolled back to | \`${ids[1]}\` |`);
});

test("a rollback without any check says so", async () => {
  const { rollBack } = await startWithRevisions(["one", "two"]);

  const run = await rollBack({ serving_check: "off" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.at(-1)).toMatch(/ No checks were run on it\.$/);
});

test("a rollback whose new revision is shown to deploy something else fails, without rolled_back_to", async () => {
  const { deploymentId: id, emulator, ids, rollBack } = await startWithRevisions(["one", "two"]);
  const body = { id, latest_revision_id: "bad" };
  const bad = { id: "bad", status: "DEPLOYED", source_revision_config: { repo_ref: "two" } };
  emulator.addFault(answer(redeployment, 200, { body }));
  emulator.addFault(answer("GET /revisions/bad$", 200, { body: bad, times: "always" }));

  const run = await rollBack();

  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs.rolled_back_to ?? "").toBe("");
  expectError(run, "60 s", "bad");
  expect(run.log).toContain(String(ids[0]));
});

describe("a second rollback", () => {
  test("warns that it makes live again what the first one replaced", async () => {
    const { ids, rollBack } = await startWithRevisions(["good", "bad"]);
    const first = await rollBack();

    const second = await rollBack();

    expect(first.warnings).toEqual([]);
    expect(second.outputs.rolled_back_to).toBe(ids[1]);
    expect(second.warnings).toEqual([
      `This rollback makes revision ${ids[1]} live again. An earlier rollback, to ${ids[0]}, replaced it, so it may be the bad version. To choose another revision, set revision_id.`,
    ]);
    expect(first.summary).toMatch(/^## ✅ .*: succeeded\n/);
    expect(second.summary).toMatch(/^## ⚠️ .*: succeeded, but this version was rolled back before\n/);
    expect(second.infos.at(-1)).toContain(
      "An earlier rollback replaced that one, so it may be the bad version.",
    );
  });

  test("does not warn if revision_id is set", async () => {
    const { ids, rollBack } = await startWithRevisions(["good", "bad"]);
    await rollBack();

    const second = await rollBack({ revision_id: String(ids[1]) });

    expect(second.warnings).toEqual([]);
  });
});

test("a rollback to what is live again, built from the same commit, has no warning", async () => {
  const { rollBack } = await startWithRevisions(["one", "one"]);

  expect((await rollBack()).warnings).toEqual([]);
});

test("the error for a shortened revision_id asks for the full ID", async () => {
  const { ids, rollBack } = await startWithRevisions(["one", "two"]);

  const run = await rollBack({ revision_id: String(ids[0]).slice(0, 8) });

  expectError(run, "revision_id", "full ID");
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

  test("the one that was live before, past revisions that failed", async () => {
    const options = { failRefs: { bad: "BUILD_FAILED" } };
    const scenario = await startWithRevisions(["one", "bad", "two", "bad"], options);

    await expectTarget(scenario, scenario.ids[0]);
  });

  test.each([
    ["between it and the live one", ["one", ...Array<string>(20).fill("bad"), "two"]],
    ["since the live one", ["one", "two", ...Array<string>(20).fill("bad")]],
  ])("the one that was live before, with a page of failed ones %s", async (_where, [, ...others]) => {
    const options = { failRefs: { bad: "BUILD_FAILED" } };
    const scenario = await startWithRevisions(["one", ...others], options);

    await expectTarget(scenario, scenario.ids[0]);
  });

  test("the one that was live before a failed one replaced it", async () => {
    const scenario = await startWithRevisions(["one", "two", "bad"], {
      failRefs: { bad: "DEPLOY_FAILED" },
      faults: [{ kind: "failed_takes_over" }],
    });

    await expectTarget(scenario, scenario.ids[1]);
  });

  test.each([
    ["DEPLOYED", 1, {}],
    ["failed", 1, { failRefs: { three: "DEPLOY_FAILED" } }],
  ])(
    "the newest one before the newest, which is %s, if the platform does not show what is live",
    async (_status, target, options) => {
      const scenario = await startWithRevisions(["one", "two", "three"], { ...options, faults: [hideLive] });

      await expectTarget(scenario, scenario.ids[target]);
    },
  );

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

  test("the live revision, which is also the previous one, although a newer one is still built", async () => {
    const scenario = await startWithRevisions(["one", "two"], { statusSeconds: 5 });
    const { id: newer } = scenario.emulator.addConcurrentRevision(scenario.deploymentId, "three");
    const two = String(scenario.ids[1]);

    const run = await scenario.rollBack({ revision_id: two });

    expect(run.outputs).toMatchObject({ outcome: "deployed", previous_revision_id: two });
    expect(run.summary).toContain(`| Previous revision | \`${two}\` |`);
    expect(run.infos).toContain(`Revision ${two} is live, but the newer revision ${newer} may replace it.`);
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

describe("a revision that is live already is a success with a notice, and nothing is sent", () => {
  test.each<[string, FaultRule[]]>([
    ["if the platform shows what is live", []],
    ["if it is the newest one on a platform that does not show what is live", [hideLive]],
  ])("a live revision is not rolled back to, %s", async (_when, faults) => {
    const { ids, rollBack } = await startWithRevisions(["one", "two"], { faults });

    const run = await rollBack({ revision_id: String(ids[1]).toUpperCase() });

    expect(run.succeeded).toBe(true);
    expect(writes(run.requests)).toEqual([]);
    expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: ids[1] });
    expect(run.outputs).not.toHaveProperty("revision_id");
    expect(run.notices).toEqual([
      expect.stringMatching(`^Revision ${ids[1]} is already live, so nothing was changed.`),
    ]);
    expect(run.summary).toContain("✅ Rollback of `agent`: already live\n");
  });
});

test("a live revision is rolled back to if a newer one is DEPLOYED and about to be live", async () => {
  const scenario = await startWithRevisions(["one", "two"]);
  const [one] = scenario.ids;
  const match = { method: "GET", path: "^/v2/deployments/[^/]+$", times: 2 };
  const body = { ...scenario.stored(), active_revision_id: one };
  scenario.emulator.addFault({ kind: "answer", match, status: 200, body });

  const run = await scenario.rollBack({ revision_id: String(one) });

  expect(writeLines(run)).toEqual(["POST redeploy"]);
  expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: one });
});

test("a rollback goes back from what is live when it chooses, not when it found the deployment", async () => {
  const { deploymentId: id, emulator, ids, rollBack } = await startWithRevisions(["one", "two", "three"]);
  // GitHub's records are read in between, which may take a minute.
  const body = { id, name: "agent", active_revision_id: ids[1] };
  emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body }));

  const run = await rollBack();

  expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: ids[1] });
});

describe("a rollback fails without a write", () => {
  async function expectRefusal(scenario: RollbackScenario, inputs: Inputs, ...facts: string[]) {
    const run = await scenario.rollBack(inputs);

    expectError(run, ...facts);
    expect(run.summary).toMatch(/^## ❌ (Rollback of `[^`]+`|Rollback): failed$/m);
    expect(writes(run.requests)).toEqual([]);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
  }

  test("if no other revision was live", async () => {
    const options = { failRefs: { bad: "BUILD_FAILED" } };
    const scenario = await startWithRevisions(["bad", "one"], options);

    await expectRefusal(scenario, {}, "nothing to roll back to", "Deploy a working version", "revision_id");
  });

  test.each<[string, Inputs, readonly string[]]>([
    ["a name without a deployment", { name: "agent-1" }, ["no deployment named agent-1", "Check name"]],
    [
      "an unknown deployment_id",
      { deployment_id: "11111111-1111-4111-8111-111111111111" },
      ["404", "deployment_id"],
    ],
    [
      "an unknown revision_id",
      { revision_id: "11111111-1111-4111-8111-111111111111" },
      ["404", "Check revision_id"],
    ],
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

  test("for a name on a control plane without a list", async () => {
    const noList: FaultRule = answer("GET ^/v2/deployments$", 405, {
      body: { detail: "Method Not Allowed" },
    });

    await expectRefusal(await startWithRevisions(["one", "two"], { faults: [noList] }), {}, "deployment_id");
  });

  test.each(["BUILD_FAILED", "SKIPPED", "BUILDING"])("for a revision that is %s", async (status) => {
    const scenario = await startWithRevisions(["one", "bad"], { failRefs: { bad: status } });
    const bad = String(scenario.ids[1]);

    await expectRefusal(scenario, { revision_id: bad }, `${bad} is ${status}`, "never live", "revision_id");
  });
});

describe("on a control plane that can't redeploy a revision", () => {
  const [oldTag, newTag] = ["refs/tags/v1", "refs/tags/v2"];
  const cannot: EmulatorOptions = { platform: "standard" };

  test("a tag is deployed by an update", async () => {
    const { ids, rollBack, stored } = await startWithRevisions([oldTag, newTag], cannot);

    const run = await rollBack();

    expect(writeLines(run)).toEqual(["POST redeploy", "PATCH"]);
    expect(writes(run.requests).at(-1)?.body).toEqual({
      source_revision_config: { repo_ref: oldTag, app_config_path: "app/config.json" },
    });
    expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: ids[0] });
    expect(stored().active_revision_id).toBe(run.outputs.revision_id);
  });

  test("an image is deployed by an update", async () => {
    const { deploy, start } = await startWithRevisions([oldTag], cannot);
    const deployImage = (tag: string) =>
      deploy({ name: "other", source: "external_docker", image_uri: `registry.example/agent:${tag}` });
    const first = await deployImage("1");
    await deployImage("2");

    const run = await start("rollback", { inputs: { name: "other" } }).ended;

    expect(writes(run.requests).at(-1)?.body).toMatchObject({
      source_revision_config: { image_uri: "registry.example/agent:1" },
    });
    expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: first.outputs.revision_id });
  });

  test("the live tag is deployed again if a newer revision is about to replace it", async () => {
    const scenario = await startWithRevisions([oldTag, newTag], { ...cannot, statusSeconds: 5 });
    scenario.emulator.addConcurrentRevision(scenario.deploymentId, oldTag);
    const live = String(scenario.ids[1]);

    const run = await scenario.rollBack({ revision_id: live });

    expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: live });
  });

  const hidden: FaultRule = { kind: "hide", fields: ["source_revision_config"] };

  test.each<[string, [string, string], FaultRule[], string]>([
    ["a branch", ["good", newTag], [], "branch good would build the newest commit"],
    ["the tag of the live revision", [oldTag, oldTag], [], "same image or tag"],
    ["what the platform does not show", [oldTag, newTag], [hidden], "does not report"],
  ])("%s is an error that says why, and what could be done", async (_what, refs, faults, why) => {
    const { rollBack, stored } = await startWithRevisions(refs, { ...cannot, faults });

    const run = await rollBack();

    expectError(run, why, "404", "Roll back on the platform, or deploy a working version");
    expect(writeLines(run)).toEqual(["POST redeploy"]);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(stored().revisions).toHaveLength(2);
  });
});

describe("a rollback waits for its own revision like a deploy:", () => {
  const isOf = (status: string): FaultRule => ({
    kind: "statuses",
    redeployed: true,
    sequence: [{ status: "BUILDING", seconds: 1 }, { status }],
  });

  test.each([
    ["DEPLOY_FAILED", "failed"],
    ["SKIPPED", "superseded"],
    ["INTERRUPTED", "interrupted"],
    ["DEPLOYING", "timed_out"],
  ])("one that ends as %s is %s, and the error says what is live", async (status, outcome) => {
    const { ids, rollBack } = await startWithRevisions(["one", "two"], { faults: [isOf(status)] });

    const run = await rollBack({ timeout_seconds: "20" });

    expect(run.outputs).toMatchObject({ outcome, status, revision_id: expect.any(String) });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, status, `Revision ${ids[1]} is live now`);
    expect(run.summary).toContain(`| To be rolled back to | \`${ids[0]}\` |`);
  });

  test("one that fails has the end of its log, and a hint for this action", async () => {
    const { rollBack } = await startWithRevisions(["one", "two"], { faults: [isOf("DEPLOY_FAILED")] });

    const run = await rollBack({ platform: "langsmith" });

    expect(run.log).toContain("End of the deploy log");
    expectError(run, "The platform says", "set revision_id");
  });

  test("one that was built from another commit is a failure", async () => {
    const { emulator, ids, rollBack, stored } = await startWithRevisions(["one", "two"]);
    const commit = "c".repeat(40);
    const resources = stored().revisions.map((revision) =>
      revision.id === ids[0]
        ? { ...revision, source_revision_config: { repo_ref: "one", repo_commit_sha: commit } }
        : revision,
    );
    emulator.addFault(answer("GET /revisions$", 200, { body: { resources } }));

    const run = await rollBack();

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, `instead of ${commit}`, "Deploy a tag or an image");
  });

  test("without wait it ends as started", async () => {
    const { ids, rollBack, stored } = await startWithRevisions(["one", "two"]);

    const run = await rollBack({ wait: "false" });

    expect(run.succeeded).toBe(true);
    expect(run.outputs).toMatchObject({
      outcome: "started",
      rolled_back_to: ids[0],
      status: stored().revisions[0]?.status,
    });
    expect(run.outputs.revision_id).not.toBe(ids[0]);
  });
});

describe("a redeployment is sent once:", () => {
  test("if its response is lost, its revision is searched and found", async () => {
    const { ids, rollBack, stored } = await startWithRevisions(["one", "two"], {
      faults: [{ kind: "reset", match: redeployment, applied: true }],
    });

    const run = await rollBack();

    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      revision_id: stored().revisions[0]?.id,
      rolled_back_to: ids[0],
    });
    expect(stored().revisions).toHaveLength(3);
  });

  test("if it was lost, somebody else's revision of unknown content is not taken for it", async () => {
    const scenario = await startWithRevisions(["one", "two"], {
      faults: [
        { kind: "hide", fields: ["source_revision_config"] },
        { kind: "reset", match: redeployment },
      ],
    });
    let foreign = "";
    scenario.clock.at(scenario.clock.elapsed() + 5_000, () => {
      foreign = scenario.emulator.addConcurrentRevision(scenario.deploymentId).id;
    });

    const run = await scenario.rollBack();

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "Could not confirm", foreign, "may still appear");
  });

  test("a refusal is an error with the platform's words", async () => {
    const { rollBack } = await startWithRevisions(["one", "two"], {
      faults: [answer(redeployment, 403, { body: { detail: "Not yours." } })],
    });

    const run = await rollBack();

    expectError(run, "403", "Not yours", "workspace_id");
    expect(writeLines(run)).toEqual(["POST redeploy"]);
  });

  test("a 501 by which the API says that it lacks the endpoint had no effect", async () => {
    const { rollBack, stored } = await startWithRevisions(["one", "two"], {
      faults: [{ ...noRedeployment, status: 501 }],
    });

    const run = await rollBack();

    expectError(run, "branch one");
    expect(stored().revisions).toHaveLength(2);
  });
});

describe("a cancelled rollback reports", () => {
  test("that no changes were sent, before the redeployment", async () => {
    const { startRollback } = await startWithRevisions(["one", "two"]);

    const running = startRollback();
    running.cancel();
    const run = await running.ended;

    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, "SIGINT", "No changes were sent");
  });

  test("its revision, which is still running", async () => {
    const { clock, startRollback, stored } = await startWithRevisions(["one", "two"], { statusSeconds: 5 });

    const running = startRollback();
    clock.at(clock.elapsed() + 8_000, running.cancel);
    const run = await running.ended;

    const { id, latest_revision_id: latest } = stored();
    expect(run.outputs).toMatchObject({ outcome: "cancelled", revision_id: latest });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, `Revision ${latest} of deployment ${id} is still running`);
  });
});
