import { describe, expect, test } from "@jest/globals";
import { startScenario } from "../../support/scenario.ts";

test("a revision that turns DEPLOYED just before the deadline is a success: there is one last look", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "statuses",
    sequence: [{ status: "QUEUED", seconds: 99.9 }, { status: "DEPLOYED" }],
  });
  const run = await deploy({ timeout_seconds: "100", poll_interval_seconds: "60" });
  expect(run.outputs).toMatchObject({ outcome: "deployed", duration_seconds: "100" });
  expect(run.took).toBe(100);
});

test("a look shortly before the deadline isn't the last one", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "statuses",
    sequence: [{ status: "QUEUED", seconds: 9.95 }, { status: "DEPLOYED" }],
  });
  const run = await deploy({ timeout_seconds: "10", poll_interval_seconds: "0.3" });
  expect(run.outputs).toMatchObject({ outcome: "deployed", duration_seconds: "10" });
});

test("one that turns DEPLOYED just after it has timed out", async () => {
  const { deploy, held } = await startScenario({ statusSeconds: 16.68 });
  const run = await deploy({ timeout_seconds: "100" });
  expect(run.succeeded).toBe(false);
  expect(run.outputs).toMatchObject({
    outcome: "timed_out",
    status: "DEPLOYING",
    revision_id: held().latest_revision_id,
    duration_seconds: "100",
  });
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain(
    `After 1 min 40 s revision ${held().latest_revision_id} is still DEPLOYING.`,
  );
  expect(run.errors[0]).toContain("timeout_seconds");
  expect(run.summary).toContain("## ❌ Deployment `agent`: timed out");
});

test("the time counts from the write", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 1000 });
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments$" },
    status: 503,
    headers: { "retry-after": "20" },
  });
  const run = await deploy({ timeout_seconds: "30" });
  expect(run.outputs).toMatchObject({ outcome: "timed_out", duration_seconds: "30" });
  expect(run.took).toBe(50);
});

describe("at the deadline a newer revision that is known to be the live one makes it superseded", () => {
  test("for one that is stuck", async () => {
    const { clock, deploy, emulator, held } = await startScenario({ failRefs: { main: "QUEUED" } });
    emulator.misbehave({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
    let newer = "";
    clock.at(30_000, () => {
      newer = emulator.addForeignRevision(held().id, "theirs").id;
    });
    const run = await deploy({ timeout_seconds: "100" });
    expect(run.succeeded).toBe(false);
    expect(run.outputs).toMatchObject({ outcome: "superseded", status: "QUEUED" });
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain(`the newer revision ${newer} is the live one`);
  });

  test("but not an older one", async () => {
    const { deploy, emulator, existing } = await startScenario();
    await existing();
    emulator.misbehave({ kind: "statuses", repo_ref: "stuck", sequence: [{ status: "QUEUED" }] });
    const run = await deploy({ timeout_seconds: "100", repo_ref: "stuck" });
    expect(run.outputs.outcome).toBe("timed_out");
  });

  test("nor a newer one that isn't live", async () => {
    const { clock, deploy, emulator, held } = await startScenario({ failRefs: { main: "QUEUED" } });
    clock.at(30_000, () => void emulator.addForeignRevision(held().id));
    const run = await deploy({ timeout_seconds: "100" });
    expect(run.outputs.outcome).toBe("timed_out");
  });
});
