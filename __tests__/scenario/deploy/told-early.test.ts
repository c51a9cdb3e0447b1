import { expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { startScenario, writes } from "../../support/scenario.ts";

const revision = { method: "GET", path: "/revisions/[^/]+$" } as const;

test("the revision that an update's answer names is an output before it is looked at", async () => {
  const scenario = await startScenario();
  await scenario.existing();
  scenario.emulator.misbehave({ kind: "hang", match: revision });
  const { context, ended } = scenario.start();
  await scenario.asked("GET", /\/revisions\/[^/]+$/);
  const [newest] = scenario.held().revisions;
  expect(context.recorded.outputs.revision_id).toBe(newest?.id);
  context.cancel(new CancelledError("SIGINT"));
  const run = await ended;
  expect(run.errors).toEqual([expect.stringContaining(`Revision ${newest?.id} of deployment`)]);
});

test("a look that is refused right after the update leaves the revision's id behind", async () => {
  const scenario = await startScenario();
  await scenario.existing();
  const refusal = { status: 401, body: { detail: "revoked" } };
  scenario.emulator.misbehave({ kind: "answer", match: { ...revision, times: "always" }, ...refusal });
  const run = await scenario.deploy();
  expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: scenario.held().revisions[0]?.id });
});

test("a timeout says why the last look failed", async () => {
  const scenario = await startScenario();
  const fault = { status: 500, body: { detail: "database down, ticket 4711" } };
  scenario.emulator.misbehave({ kind: "answer", match: { ...revision, times: "always" }, ...fault });
  const run = await scenario.deploy({ timeout_seconds: "60" });
  expect(run.outputs.outcome).toBe("timed_out");
  expect(run.errors).toEqual([expect.stringContaining("database down, ticket 4711")]);
  expect(run.infos.filter((line) => line.includes("Looking again"))).toHaveLength(1);
});

test("an id that can't be asked for ends it at once", async () => {
  const scenario = await startScenario();
  const made = { id: "d1", latest_revision_id: ".." };
  scenario.emulator.misbehave({ kind: "answer", match: { method: "POST" }, status: 201, body: made });
  const run = await scenario.deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(run.took).toBe(0);
});

test("a dry run shows what would be sent in the summary, too, as the platform names it", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  const inputs = { platform: "langsmith", integration_id: "", app_config_path: "", dry_run: "true" };
  const run = await scenario.deploy(inputs);
  expect(run.outputs.outcome).toBe("planned");
  for (const text of [run.log, run.summary]) {
    expect(text).toContain('"langgraph_config_path": "langgraph.json"');
    expect(text).toContain('"integration_id": "00000000-0000-4000-8000-000000000002"');
    expect(text).not.toContain("app_config_path");
  }
  expect(writes(run.requests)).toEqual([]);
});
