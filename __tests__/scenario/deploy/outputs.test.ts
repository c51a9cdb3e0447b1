import { expect, test } from "@jest/globals";
import { startScenario } from "../../support/scenario.ts";

test("ids are written as soon as they are known, so that a killed run leaves them behind", async () => {
  const { clock, held, start } = await startScenario();
  const { context, ended } = start();
  let early: Record<string, string> = {};
  clock.at(2_000, () => {
    early = { ...context.recorded.outputs };
  });
  await ended;
  expect(early).toEqual({
    deployment_id: held().id,
    revision_id: held().latest_revision_id,
    created: "true",
  });
});

test("the id of a deployment that is found is written before anything is sent", async () => {
  const { asked, emulator, existing, start } = await startScenario();
  const { id } = await existing();
  emulator.misbehave({ kind: "reset", match: { method: "PATCH" }, applied: false });
  const { context, ended } = start();
  await asked("PATCH");
  expect(context.recorded.outputs).toMatchObject({ deployment_id: id, created: "false" });
  await ended;
});

test("duration_seconds counts from the write", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments$" },
    status: 503,
    headers: { "retry-after": "100" },
  });
  const run = await deploy();
  expect(run.took).toBeGreaterThan(130);
  expect(Number(run.outputs.duration_seconds)).toBe(Math.round(run.took - 100));
});
