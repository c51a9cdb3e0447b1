import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, startScenario } from "../../support/scenario.ts";

/** A revision that turns DEPLOYED after this time. */
function deployedAfter(seconds: number): FaultRule {
  return { kind: "statuses", sequence: [{ status: "QUEUED", seconds }, { status: "DEPLOYED" }] };
}

test.each([
  ["BUILD_FAILED", "failed", "BUILDING"],
  ["CREATE_FAILED", "failed", "CREATING"],
  ["DEPLOY_FAILED", "failed", "DEPLOYING"],
  ["SKIPPED", "superseded", "QUEUED"],
  ["INTERRUPTED", "interrupted", "BUILDING"],
])("a revision that ends as %s fails the step with outcome %s", async (status, outcome, before) => {
  const { deploy, stored } = await startScenario({ failRefs: { main: status } });

  const run = await deploy({ poll_interval_seconds: "1" });

  const { id, latest_revision_id } = stored();
  expect(run.outputs).toEqual({
    deployment_id: id,
    name: "agent",
    revision_id: latest_revision_id,
    status,
    outcome,
    message: expect.any(String),
    created: "true",
    duration_seconds: String(Math.round(run.took)),
  });
  expect(run.took).toBeLessThan(60);
  expectError(run, String(latest_revision_id), status);
  expect(run.log).toContain(before);
  expect(run.summary).toContain(` Deployment \`agent\`: ${outcome}`);
  expect(run.summary).toMatch(new RegExp(`What to do next:[\\s\\S]*\\| \`${status}\` \\|`));
});

describe("the deadline", () => {
  test.each([
    ["after a long delay", 99.9, { timeout_seconds: "100", poll_interval_seconds: "60" }, 100],
    ["after a poll shortly before it", 9.95, { timeout_seconds: "10", poll_interval_seconds: "0.3" }, 10],
  ])("has one last poll, which may still succeed (%s)", async (_when, seconds, inputs, took) => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault(deployedAfter(seconds));

    const run = await deploy(inputs);

    expect(run.outputs).toMatchObject({ outcome: "deployed", duration_seconds: String(took) });
    expect(run.took).toBe(took);
  });

  test("ends the run as timed_out if the revision is deployed just after it", async () => {
    const { deploy, stored } = await startScenario({ statusSeconds: 16.68 });

    const run = await deploy({ timeout_seconds: "100" });

    const revisionId = String(stored().latest_revision_id);
    expect(run.outputs).toMatchObject({
      outcome: "timed_out",
      status: "DEPLOYING",
      revision_id: revisionId,
      duration_seconds: "100",
    });
    expectError(run, "1 min 40 s", revisionId, "DEPLOYING", "timeout_seconds");
    expect(run.summary).toContain("## ❌ Deployment `agent`: timed out");
  });

  test("and duration_seconds count from the write", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 1000 });
    emulator.addFault(answer("GET ^/v2/deployments$", 503, { headers: { "retry-after": "20" } }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.outputs).toMatchObject({ outcome: "timed_out", duration_seconds: "30" });
    expect(run.took).toBe(50);
  });

  test.each([
    ["live", []],
    ["live, even if a read of it fails", [answer("GET ^/v2/deployments/[^/]+$", 503)]],
  ])("ends the run as superseded if a newer revision is %s", async (_what, faults) => {
    const { clock, deploy, emulator, stored } = await startScenario({ failRefs: { main: "QUEUED" } });
    for (const fault of faults) clock.at(11_000, () => emulator.addFault(fault));
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
    clock.at(10_000, () => void emulator.addConcurrentRevision(stored().id, "theirs"));

    const run = await deploy({ timeout_seconds: "20" });

    expect(run.outputs).toMatchObject({
      outcome: "superseded",
      status: "QUEUED",
      live_revision_id: stored().latest_revision_id,
    });
    expectError(run, stored().latest_revision_id);
  });

  test("says which earlier revision is live", async () => {
    const { deploy } = await startScenario({ failRefs: { slow: "QUEUED" } });
    const { outputs } = await deploy();

    const run = await deploy({ repo_ref: "slow", timeout_seconds: "20" });

    expect(run.outputs).toMatchObject({ outcome: "timed_out", live_revision_id: outputs.revision_id });
  });
});
