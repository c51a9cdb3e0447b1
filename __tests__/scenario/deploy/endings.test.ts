import { describe, expect, test } from "@jest/globals";
import { startScenario } from "../../support/scenario.ts";

describe("a revision that ends as", () => {
  test.each([
    ["BUILD_FAILED", "failed", "BUILDING"],
    ["CREATE_FAILED", "failed", "CREATING"],
    ["DEPLOY_FAILED", "failed", "DEPLOYING"],
    ["SKIPPED", "superseded", "QUEUED"],
    ["INTERRUPTED", "interrupted", "BUILDING"],
  ])("%s fails the step as %s", async (status, outcome, before) => {
    const { deploy, held } = await startScenario({ failRefs: { main: status } });
    const run = await deploy();
    const revision = String(held().latest_revision_id);
    expect(run.succeeded).toBe(false);
    expect(run.outputs).toEqual({
      deployment_id: held().id,
      revision_id: revision,
      status,
      outcome,
      created: "true",
      duration_seconds: String(Math.round(run.took)),
    });
    expect(run.took).toBeLessThan(60);
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain(revision);
    expect(run.errors[0]).toContain(status);
    expect(run.log).toContain(before);
    expect(run.summary).toContain(`❌ Deployment \`agent\`: ${outcome}`);
    expect(run.summary).toContain("**What to do next:**");
    expect(run.summary).toContain(`| \`${status}\` |`);
    expect(run.summary).toContain("```mermaid");
  });
});

test("every status that contains FAILED is a failure", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "statuses",
    sequence: [{ status: "QUEUED", seconds: 3 }, { status: "POLISH_FAILED_TWICE" }],
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "POLISH_FAILED_TWICE" });
});

test("wait: false ends as started as soon as the write succeeded", async () => {
  const { deploy, held } = await startScenario();
  const run = await deploy({ wait: "false" });
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({
    outcome: "started",
    created: "true",
    deployment_id: held().id,
    revision_id: held().latest_revision_id,
    duration_seconds: "0",
  });
  expect(run.requests).toHaveLength(2);
  expect(run.log).toContain(`Revision ${held().latest_revision_id} was started`);
  expect(run.summary).toContain("## ✅ Deployment `agent`: started");
});

test("wait: false after an update tells its exact revision, and the address that the update gave", async () => {
  const { deploy, emulator, existing, held } = await startScenario();
  await existing();
  emulator.misbehave({ kind: "hide", fields: ["url"] });
  const run = await deploy({ wait: "false", custom_url: "https://new.example.com" });
  expect(run.outputs).toMatchObject({
    outcome: "started",
    created: "false",
    revision_id: held().latest_revision_id,
    deployment_url: "https://new.example.com",
  });
});
