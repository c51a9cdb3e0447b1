import { describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { type DeployRun, type StartedDeploy, startScenario, writes } from "../../support/scenario.ts";

function cancel({ context }: StartedDeploy): void {
  context.cancel(new CancelledError("SIGINT"));
}

function expectCancelled(run: DeployRun, left: string): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("The run was cancelled (SIGINT).");
  expect(run.errors[0]).toContain(left);
  expect(run.summary).toContain("cancelled");
  expect(run.summary.replaceAll("`", "")).toContain(left);
}

const nothingSent = "Nothing had been sent to the platform that changes anything.";

test("before the first request", async () => {
  const { start } = await startScenario();
  const deploying = start();
  cancel(deploying);
  const run = await deploying.ended;
  expectCancelled(run, nothingSent);
  expect(writes(run.requests)).toEqual([]);
});

describe("while the control plane hangs", () => {
  test("at the look for the name", async () => {
    const { asked, emulator, start } = await startScenario();
    emulator.misbehave({ kind: "hang", match: { times: "always" } });
    const deploying = start();
    await asked("GET");
    cancel(deploying);
    const run = await deploying.ended;
    expectCancelled(run, nothingSent);
    expect(run.requests).toHaveLength(1);
  });

  test("at the create", async () => {
    const { asked, emulator, start } = await startScenario();
    emulator.misbehave({ kind: "hang", match: { method: "POST", times: "always" } });
    const deploying = start();
    await asked("POST");
    cancel(deploying);
    const run = await deploying.ended;
    expectCancelled(run, "A revision of deployment agent may have been started; it goes on on the platform.");
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("at the update", async () => {
    const { asked, emulator, existing, start } = await startScenario();
    const { id } = await existing();
    emulator.misbehave({ kind: "hang", match: { method: "PATCH", times: "always" }, applied: true });
    const deploying = start();
    await asked("PATCH");
    cancel(deploying);
    const run = await deploying.ended;
    expectCancelled(run, `A revision of deployment ${id} may have been started`);
    expect(run.outputs).toMatchObject({ deployment_id: id, created: "false" });
  });

  test("at the look for this run's revision, whose id the update's answer already gave", async () => {
    const { asked, emulator, existing, held, start } = await startScenario();
    await existing();
    emulator.misbehave({ kind: "hang", match: { method: "GET", path: "/revisions/", times: "always" } });
    const deploying = start();
    await asked("GET", /\/revisions\//);
    cancel(deploying);
    const run = await deploying.ended;
    expectCancelled(run, `of deployment ${held().id}`);
  });

  test("at a look at the revision", async () => {
    const { asked, emulator, held, start } = await startScenario();
    emulator.misbehave({ kind: "hang", match: { method: "GET", path: "/revisions/", times: "always" } });
    const deploying = start();
    await asked("GET", /\/revisions\//);
    cancel(deploying);
    const run = await deploying.ended;
    expectCancelled(
      run,
      `Revision ${held().latest_revision_id} of deployment ${held().id} goes on on the platform.`,
    );
    expect(run.outputs).toMatchObject({
      deployment_id: held().id,
      revision_id: held().latest_revision_id,
      created: "true",
    });
  });

  test("at the last read of the deployment", async () => {
    const { asked, emulator, start } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({
      kind: "hang",
      match: { method: "GET", path: "^/v2/deployments/[^/]+$", times: "always" },
    });
    const deploying = start();
    await asked("GET", /^\/v2\/deployments\/[^/]+$/);
    cancel(deploying);
    const run = await deploying.ended;
    expectCancelled(run, "Revision ");
    expect(run.outputs.status).toBe("DEPLOYED");
  });
});

describe("during a pause", () => {
  test("between two attempts of a read", async () => {
    const { clock, emulator, start } = await startScenario();
    emulator.misbehave({ kind: "answer", status: 503, headers: { "retry-after": "600" } });
    const deploying = start();
    clock.at(5_000, () => cancel(deploying));
    const run = await deploying.ended;
    expectCancelled(run, nothingSent);
    expect(run.took).toBe(5);
  });

  test("between two attempts of a write", async () => {
    const { clock, emulator, start } = await startScenario();
    emulator.misbehave({
      kind: "answer",
      match: { method: "POST" },
      status: 429,
      headers: { "retry-after": "600" },
    });
    const deploying = start();
    clock.at(5_000, () => cancel(deploying));
    const run = await deploying.ended;
    expect(run.outputs.outcome).toBe("cancelled");
    expect(run.took).toBe(5);
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("for a name that is being deleted", async () => {
    const { clock, leaving, start } = await startScenario();
    await leaving(600);
    const deploying = start();
    clock.at(clock.elapsed() + 5_000, () => cancel(deploying));
    expectCancelled(await deploying.ended, nothingSent);
  });

  test("for a name that the create found taken", async () => {
    const { clock, emulator, leaving, start } = await startScenario();
    await leaving(600);
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments$", times: "always" },
      status: 200,
      body: { resources: [], offset: 0 },
    });
    const deploying = start();
    clock.at(clock.elapsed() + 5_000, () => cancel(deploying));
    const run = await deploying.ended;
    expect(writes(run.requests)[0]?.status).toBe(409);
    expectCancelled(run, nothingSent);
  });

  test("of the look for a lost write", async () => {
    const { clock, emulator, start } = await startScenario();
    emulator.misbehave({ kind: "reset", match: { method: "POST" } });
    const deploying = start();
    clock.at(5_000, () => cancel(deploying));
    expectCancelled(await deploying.ended, "A revision of deployment agent may have been started");
  });

  test("between two looks at the revision", async () => {
    const { clock, held, start } = await startScenario();
    const deploying = start();
    clock.at(12_000, () => cancel(deploying));
    const run = await deploying.ended;
    expectCancelled(
      run,
      `Revision ${held().latest_revision_id} of deployment ${held().id} goes on on the platform.`,
    );
    expect(run.took).toBe(12);
    expect(run.outputs).toMatchObject({ status: "AWAITING_BUILD", duration_seconds: "12" });
  });
});
