import { beforeEach, describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import type { EmulatorOptions } from "../../../emulator/server.ts";
import { type DeployRun, type Inputs, type Scenario, startScenario, writes } from "../../support/scenario.ts";
import { cancel, langsmith } from "./support.ts";

const redeployPath = "/redeploy$";
const noRedeploy: RuleInput = {
  kind: "answer",
  match: { path: redeployPath, times: "always" },
  status: 404,
  body: { detail: "Not Found" },
};
const rollsBack: Inputs = { ...langsmith, rollback_on_failure: "true" };

/** A deployment whose revision `good` is live; of other refs what the options say becomes. */
async function startLive(options: EmulatorOptions = {}, good = "good"): Promise<Live> {
  const scenario = await startScenario({ platform: "langsmith", ...options });
  const first = await scenario.deploy({ ...langsmith, repo_ref: good });
  expect(first.outputs.outcome).toBe("deployed");
  return {
    ...scenario,
    earlier: first.outputs.revision_id ?? "",
    active: () => scenario.held().active_revision_id,
  };
}

interface Live extends Scenario {
  /** The revision that is live before the run that is looked at. */
  readonly earlier: string;
  readonly active: () => string | null;
}

/** Everything of the ref `bad` is deployed, fails at last, and takes the place of what was live. */
const failsLate: EmulatorOptions = {
  failRefs: { bad: "DEPLOY_FAILED" },
  misbehave: [{ kind: "failed_takes_over" }],
};
/** Everything of the ref `bad` is deployed and then not well. */
const isSick: EmulatorOptions = { unhealthyRefs: ["bad"] };
const checked: Inputs = { ...rollsBack, health_check_path: "/ok", health_check_timeout_seconds: "10" };

function requestsOf(run: DeployRun): string[] {
  return writes(run.requests).map(
    ({ method, path }) => `${method} …${path.replace(/^.*(?=\/redeploy$)|.*/, "")}`,
  );
}

/** The one annotation. */
function told(run: DeployRun): string {
  expect(run.succeeded).toBe(false);
  expect(run.errors).toHaveLength(1);
  return run.errors[0] ?? "";
}

test("a step that is killed meanwhile leaves the rollback to be told, with what it is about", async () => {
  const { clock, earlier, start } = await startLive(failsLate);
  const { context, ended } = start({ ...rollsBack, repo_ref: "bad" });
  const left: (string | undefined)[] = [];
  const stop = clock.every(1000, () => left.push(context.recorded.state.left_running));
  await ended;
  stop();
  expect(left).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^The rollback of deployment \\S+, to revision ${earlier}, goes on on the platform as revision \\S+ This run's own`,
      ),
    ),
  );
  expect(context.recorded.state.left_running).toBe("");
});

describe("what was live before is deployed again", () => {
  test("after a deploy that failed and took its place", async () => {
    const { active, deploy, earlier, held } = await startLive(failsLate);
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
    const redeploy = run.requests.find(({ method }) => method === "POST");
    expect(redeploy?.path).toContain(`/revisions/${earlier}/redeploy`);
    expect(redeploy?.headers).toMatchObject({ "content-length": "0" });
    expect(redeploy?.headers).not.toHaveProperty("content-type");
    const [again, own] = held().revisions;
    expect(run.outputs).toMatchObject({
      outcome: "failed",
      status: "DEPLOY_FAILED",
      revision_id: own?.id,
      rolled_back_to: earlier,
    });
    expect(active()).toBe(again?.id);
    expect(told(run)).toContain(`Revision ${own?.id} failed with status DEPLOY_FAILED.`);
    expect(told(run)).toContain(
      `Rolled back: revision ${earlier}, which was live before, was deployed again as revision ${again?.id}. Live now is revision ${again?.id}.`,
    );
    expect(run.summary).toContain(`| Rolled back to | \`${earlier}\` |`);
    expect(run.infos).toContainEqual(expect.stringMatching(/^\[\d+ (s|min).*\] Rollback: DEPLOYED$/));
  });

  test("after a revision that isn't well", async () => {
    const { active, deploy, earlier, held } = await startLive(isSick);
    const run = await deploy({ ...checked, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED", rolled_back_to: earlier });
    expect(active()).toBe(held().revisions[0]?.id);
    expect(told(run)).toContain("didn't answer 2xx");
    expect(told(run)).toContain("Rolled back:");
  });

  test("after an interrupted revision that took its place", async () => {
    const { deploy, earlier, emulator, held } = await startLive({ failRefs: { bad: "INTERRUPTED" } });
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments/[^/]+$", from: 2 },
      status: 200,
      body: { ...held(), active_revision_id: null },
    });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(run.outputs).toMatchObject({
      outcome: "interrupted",
      status: "INTERRUPTED",
      rolled_back_to: earlier,
    });
  });

  test("where the platform doesn't show which is live, only after one that was deployed", async () => {
    const { deploy, earlier, emulator } = await startLive(isSick);
    emulator.misbehave({ kind: "hide", fields: ["active_revision_id"] });
    const run = await deploy({ ...checked, repo_ref: "bad" });
    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
    expect(told(run)).toContain("The platform doesn't show which revision is live now.");
  });

  test("on any platform that can do it, once the input asks for it", async () => {
    const { deploy, earlier } = await startLive(failsLate);
    const run = await deploy({ ...rollsBack, platform: "standard", integration_id: "", repo_ref: "bad" });
    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
  });
});

describe("nothing is rolled back", () => {
  test("unless the input asks for it", async () => {
    const { deploy } = await startLive(failsLate);
    const run = await deploy({ ...langsmith, repo_ref: "bad" });
    expect(run.outputs).toMatchObject({ outcome: "failed" });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(run.requests.at(-1)?.path).toMatch(/\/logs$/);
  });

  test("after a failed build, because the earlier revision still serves", async () => {
    const { active, deploy, earlier } = await startLive({ failRefs: { bad: "BUILD_FAILED" } });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(active()).toBe(earlier);
    expect(told(run)).toContain(
      `Nothing had to be rolled back: revision ${earlier}, which was live before, still is.`,
    );
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
  });

  test("after the first revision of a deployment", async () => {
    const { deploy } = await startScenario({ platform: "langsmith", ...failsLate });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["POST …"]);
    expect(told(run)).toContain("No revision is known to have been live before");
  });

  test("where nothing but failures came before", async () => {
    const { deploy } = await startScenario({ platform: "langsmith", failRefs: { bad: "BUILD_FAILED" } });
    await deploy({ ...langsmith, repo_ref: "bad" });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(told(run)).toContain("No revision is known to have been live before");
  });

  test("where somebody else's newer revision is on its way", async () => {
    const { clock, deploy, emulator, held } = await startLive(isSick);
    clock.at(clock.elapsed() + 35_000, () => void emulator.addForeignRevision(held().id, "theirs"));
    const run = await deploy({ ...checked, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(told(run)).toMatch(
      new RegExp(`a newer revision takes over: ${held().latest_revision_id} is [A-Z_]+\\.`),
    );
  });

  test("where another revision is live by now", async () => {
    const { deploy, emulator, held } = await startLive({ failRefs: { bad: "DEPLOY_FAILED" } });
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments/[^/]+$", from: 2 },
      status: 200,
      body: { ...held(), active_revision_id: "another" },
    });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(told(run)).toContain("another revision is live by now: another.");
  });

  test("after a failed deploy where the platform doesn't show which revision is live", async () => {
    const { deploy, earlier, emulator } = await startLive(failsLate);
    emulator.misbehave({ kind: "hide", fields: ["active_revision_id"] });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(told(run)).toContain(`it usually still is the one before, ${earlier}.`);
  });

  test.each([
    ["timed_out", { failRefs: { bad: "BUILDING" } }],
    ["superseded", { failRefs: { bad: "SKIPPED" } }],
  ])("after %s", async (outcome, options) => {
    const { deploy } = await startLive(options);
    const run = await deploy({ ...rollsBack, repo_ref: "bad", timeout_seconds: "60" });
    expect(run.outputs.outcome).toBe(outcome);
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(told(run)).not.toContain("olled back");
  });

  test("after a revision of another commit, which verify_commit fails", async () => {
    const { deploy } = await startLive({ commits: { main: "f".repeat(40) } });
    const run = await deploy({ ...rollsBack, verify_commit: "true" });
    expect(run.outputs.outcome).toBe("failed");
    expect(requestsOf(run)).toEqual(["PATCH …"]);
  });
});

describe("on a control plane that can't deploy a revision again", () => {
  const tags = {
    failRefs: { "refs/tags/v2": "DEPLOY_FAILED" },
    misbehave: [{ kind: "failed_takes_over" } as const],
  };

  test.each([404, 405, 501])("(%i) a tag is deployed by an update", async (status) => {
    const { deploy, earlier, emulator, held } = await startLive(tags, "refs/tags/v1");
    emulator.misbehave({ ...noRedeploy, kind: "answer", status });
    const run = await deploy({ ...rollsBack, repo_ref: "refs/tags/v2", secrets: "TOKEN=value" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy", "PATCH …"]);
    expect(writes(run.requests).at(-1)?.body).toEqual({
      source_revision_config: { repo_ref: "refs/tags/v1", langgraph_config_path: "langgraph.json" },
    });
    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
    expect(told(run)).toContain(`Live now is revision ${held().latest_revision_id}.`);
    expect(run.took).toBeLessThan(120);
  });

  test("an image is deployed by an update", async () => {
    const image = { ...langsmith, source: "external_docker" };
    const scenario = await startScenario({ platform: "langsmith" });
    const first = await scenario.deploy({ ...image, image_uri: "registry.example/agent:1" });
    expect(first.outputs.outcome).toBe("deployed");
    scenario.emulator.misbehave({ kind: "failed_takes_over" });
    scenario.emulator.misbehave(noRedeploy);
    const stop = scenario.emulator.misbehave({ kind: "statuses", sequence: [{ status: "DEPLOY_FAILED" }] });
    const running = scenario.start({
      ...image,
      rollback_on_failure: "true",
      image_uri: "registry.example/agent:2",
    });
    await scenario.asked("PATCH");
    stop();
    const run = await running.ended;
    expect(writes(run.requests).at(-1)?.body).toEqual({
      source_revision_config: { image_uri: "registry.example/agent:1" },
    });
    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: first.outputs.revision_id });
  });

  test("a branch isn't, because it would be built as it is now", async () => {
    const { deploy, emulator, held } = await startLive(failsLate);
    emulator.misbehave(noRedeploy);
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
    expect(told(run)).toContain("is of the branch good, which would be built as it is now.");
    expect(told(run)).toContain("was answered with 404: Not Found.");
    expect(told(run)).toContain(`Live now is revision ${held().latest_revision_id}.`);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
  });

  test("what the run itself deployed isn't", async () => {
    const { deploy, emulator } = await startLive(
      { misbehave: [{ kind: "failed_takes_over" }] },
      "refs/tags/v1",
    );
    emulator.misbehave(noRedeploy);
    emulator.misbehave({ kind: "statuses", sequence: [{ status: "DEPLOY_FAILED" }] });
    const run = await deploy({ ...rollsBack, repo_ref: "refs/tags/v1" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
    expect(told(run)).toContain("deployed the same as this run.");
  });

  test("nor what isn't shown", async () => {
    const { deploy, emulator } = await startLive(tags, "refs/tags/v1");
    emulator.misbehave(noRedeploy);
    emulator.misbehave({ kind: "hide", fields: ["source_revision_config"] });
    const run = await deploy({ ...rollsBack, repo_ref: "refs/tags/v2" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
    expect(told(run)).toContain("isn't shown with what it deployed.");
  });

  test("a 404 that isn't the API's own says nothing of it", async () => {
    const { deploy, emulator } = await startLive(tags, "refs/tags/v1");
    emulator.misbehave({ ...noRedeploy, kind: "answer", status: 404, body: "<html>no such page</html>" });
    const run = await deploy({ ...rollsBack, repo_ref: "refs/tags/v2" });
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
    expect(told(run)).toContain("The rollback failed:");
    expect(told(run)).toContain("check control_plane_url");
  });
});

describe("a redeploy is sent once", () => {
  let live: Live;
  beforeEach(async () => {
    live = await startLive(failsLate);
  });
  const run = () => live.deploy({ ...rollsBack, repo_ref: "bad" });
  const twoWrites = ["PATCH …", "POST …/redeploy"];

  test.each([
    ["is answered with 500", { kind: "answer", status: 500 }],
    ["loses its connection", { kind: "reset" }],
  ] as const)("if it %s, its effect is looked for and found", async (_what, fault) => {
    live.emulator.misbehave({ ...fault, match: { path: redeployPath }, applied: true });
    const rolledBack = await run();
    expect(requestsOf(rolledBack)).toEqual(twoWrites);
    expect(rolledBack.outputs.rolled_back_to).toBe(live.earlier);
    expect(rolledBack.warnings).toEqual([
      expect.stringContaining("Looking whether the rollback of deployment"),
    ]);
  });

  test("and if nothing came of it, that can't be told is said", async () => {
    live.emulator.misbehave({ kind: "answer", match: { path: redeployPath }, status: 502 });
    const failed = await run();
    expect(requestsOf(failed)).toEqual(twoWrites);
    expect(failed.outputs).not.toHaveProperty("rolled_back_to");
    expect(told(failed)).toContain("It can't be told whether the rollback of deployment");
    expect(told(failed)).toContain(`Live now is revision ${failed.outputs.revision_id}.`);
  });

  test("the revision that came of it is found where the answer doesn't name it", async () => {
    live.emulator.misbehave({ kind: "answer", match: { path: redeployPath }, applied: true, status: 200 });
    const rolledBack = await run();
    expect(requestsOf(rolledBack)).toEqual(twoWrites);
    expect(told(rolledBack)).toContain(`again as revision ${live.held().revisions[0]?.id}.`);
  });

  test("a refusal is told, and what is live", async () => {
    live.emulator.misbehave({
      kind: "answer",
      match: { path: redeployPath },
      status: 403,
      body: { detail: "No." },
    });
    const failed = await run();
    expect(requestsOf(failed)).toEqual(twoWrites);
    expect(told(failed)).toMatch(
      /The rollback failed: POST \S+ was answered with 403: No\. Check workspace_id/,
    );
    expect(told(failed)).toContain("Live now is revision");
  });
});

describe("a rollback that doesn't succeed is told, and what is live:", () => {
  test("one that fails", async () => {
    const { deploy, emulator, held } = await startLive(failsLate);
    emulator.misbehave({ kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOY_FAILED" }] });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(told(run)).toContain(
      `didn't succeed. Revision ${held().revisions[0]?.id} failed with status DEPLOY_FAILED.`,
    );
    expect(told(run)).toContain(`Live now is revision ${held().active_revision_id}.`);
  });

  test("one that takes longer than timeout_seconds of its own", async () => {
    const { deploy, emulator } = await startLive({ ...failsLate, statusSeconds: 10 });
    emulator.misbehave({ kind: "statuses", redeployed: true, sequence: [{ status: "BUILDING" }] });
    const run = await deploy({ ...rollsBack, repo_ref: "bad", timeout_seconds: "80" });
    expect(told(run)).toContain("After 1 min 20 s revision");
    expect(run.took).toBeGreaterThan(60 + 80);
    expect(run.took).toBeLessThan(60 + 80 + 10);
  });

  test("one that was built from another commit", async () => {
    const { asked, earlier, emulator, held, start } = await startLive(failsLate);
    const running = start({ ...rollsBack, repo_ref: "bad" });
    await asked("PATCH");
    const commit = "c".repeat(40);
    const builtFrom = { repo_ref: "good", repo_commit_sha: commit };
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "/revisions$" },
      status: 200,
      body: {
        resources: held().revisions.map((revision) =>
          revision.id === earlier ? { ...revision, source_revision_config: builtFrom } : revision,
        ),
      },
    });
    const run = await running.ended;
    expect(held().revisions).toHaveLength(3);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(told(run)).toMatch(
      new RegExp(`was deployed again, but built from commit [0-9a-f]{40} in place of ${commit}\\.`),
    );
  });

  test("one before which the deployment can't be read", async () => {
    const { deploy, emulator } = await startLive(failsLate);
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments/[^/]+$", from: 2, times: "always" },
      status: 401,
      body: { detail: "Who?" },
    });
    const run = await deploy({ ...rollsBack, repo_ref: "bad" });
    expect(requestsOf(run)).toEqual(["PATCH …"]);
    expect(told(run)).toContain("The rollback failed: GET ");
    expect(told(run)).toContain("Which revision is live now can't be told: GET ");
  });
});

describe("a cancel during a rollback ends the run, and tells of the rollback", () => {
  test("while it is waited for, whatever on_cancel says", async () => {
    const { clock, earlier, held, start } = await startLive(failsLate);
    const running = start({ ...rollsBack, repo_ref: "bad", on_cancel: "interrupt" });
    clock.at(clock.elapsed() + 40_000, () => cancel(running));
    const run = await running.ended;
    expect(run.outputs.outcome).toBe("cancelled");
    expect(told(run)).toContain(
      `The rollback of deployment ${held().id}, to revision ${earlier}, goes on on the platform as revision ${held().latest_revision_id}.`,
    );
    expect(requestsOf(run)).toEqual(["PATCH …", "POST …/redeploy"]);
  });

  test("while it is being sent", async () => {
    const { asked, earlier, emulator, held, start } = await startLive(failsLate);
    emulator.misbehave({ kind: "hang", match: { path: redeployPath } });
    const running = start({ ...rollsBack, repo_ref: "bad" });
    await asked("POST", /\/redeploy$/);
    cancel(running);
    const run = await running.ended;
    expect(told(run)).toContain(`Deployment ${held().id} may be on its way back to revision ${earlier}`);
  });
});

test("the log's signs of life tell of the rollback", async () => {
  const { deploy, earlier } = await startLive({ ...failsLate, statusSeconds: 30 });
  const run = await deploy({ ...rollsBack, repo_ref: "bad" });
  expect(run.infos).toContainEqual(
    expect.stringMatching(
      new RegExp(`^\\[\\d+ min.*\\] still rolling back to revision ${earlier}: [A-Z_]+$`),
    ),
  );
});
