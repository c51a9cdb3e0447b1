import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { startForwarder } from "../../support/forward.ts";
import { expectError, immediate, requestLines, startScenario, writes } from "../../support/scenario.ts";

const html = { headers: { "content-type": "text/html" }, body: "<html>Gateway</html>" };

/** Responses to a write that takes effect which leave that open. */
const faults = [
  ["loses its connection", { kind: "reset", applied: true }],
  ["gets a 500", { kind: "answer", applied: true, status: 500, body: { detail: "boom" } }],
  ["gets a gateway's 504", { kind: "answer", applied: true, status: 504, ...html }],
  ["gets a success that is no JSON", { kind: "answer", applied: true, status: 200, ...html }],
  ["gets half a response", { kind: "cut" }],
] as const;

describe("a write whose response is lost is neither repeated nor searched for, and running again is safe:", () => {
  test.each(faults)("a create that %s", async (_what, fault) => {
    const { deploy, emulator, stored } = await startScenario(immediate);
    emulator.addFault({ ...fault, match: { method: "POST" } });

    const lost = await deploy();
    const again = await deploy();

    expect(lost.outputs).toEqual({
      name: "agent",
      outcome: "failed",
      message: expect.any(String),
      created: "false",
      duration_seconds: "0",
    });
    expectError(lost, "POST /v2/deployments", "A revision from the creation of agent", "again is safe");
    expect(lost.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(again.outputs).toMatchObject({
      outcome: "deployed",
      created: "false",
      revision_id: stored().latest_revision_id,
    });
    expect(emulator.deployments()).toHaveLength(1);
  });

  test.each(faults)("an update that %s", async (_what, fault) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addFault({ ...fault, match: { method: "PATCH" } });

    const lost = await deploy({ secrets: "KEY=value-of-this-run" });
    const again = await deploy();

    expect(lost.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
    expect(lost.outputs).not.toHaveProperty("revision_id");
    expectError(lost, `PATCH /v2/deployments/${id}`, "A revision from the update of", "again is safe");
    expect(lost.summary).not.toContain("by this run");
    expect(lost.requests.at(-1)?.method).toBe("PATCH");
    expect(again.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  });

  test.each(faults)("a new revision that %s", async (_what, fault) => {
    const { deploy, emulator, existing } = await startScenario({ platform: "langsmith", ...immediate });
    const { id } = await existing();
    emulator.addFault({ ...fault, match: { method: "POST", path: "/revisions$" } });

    const lost = await deploy();

    expect(lost.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
    expect(lost.outputs).not.toHaveProperty("revision_id");
    expectError(lost, `POST /v2/deployments/${id}/revisions`, "again is safe");
    expect(writes(lost.requests)).toHaveLength(1);
    expect(lost.requests.at(-1)?.method).toBe("POST");
  });
});

test("another run's revision of the same branch is not taken for that of a POST that was refused", async () => {
  const { clock, deploy, emulator, existing } = await startScenario({ platform: "langsmith", ...immediate });
  const { id } = await existing();
  emulator.addFault(answer("POST /revisions$", 500, { body: { detail: "boom" } }));
  clock.at(clock.elapsed() + 1500, () => void emulator.addConcurrentRevision(id, "main"));

  const run = await deploy();

  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("revision_id");
  expectError(run, "boom", "again is safe");
});

test("a create answered 200 shows a deployment that was there before, and no revision of it is this run's", async () => {
  const { deploy, emulator, existing, stored } = await startScenario(immediate);
  await existing();
  emulator.addFault(answer("GET ^/v2/deployments$", 404, { body: { detail: "Not Found" }, times: "always" }));
  emulator.addFault(answer("POST", 200, { body: stored() }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "failed", created: "false" });
  expect(run.outputs).not.toHaveProperty("revision_id");
  expectError(run, "must return 201", "again is safe");
});

test.each([
  ["POST", 1],
  ["PATCH", 5],
] as const)("a write without a connection did not happen, and is repeated (%s)", async (method, reads) => {
  const { clock, deploy, emulator, existing, stored } = await startScenario(immediate);
  if (method === "PATCH") await existing();
  const forwarder = await startForwarder(emulator.url, reads);
  clock.at(clock.elapsed() + 300, forwarder.resume);

  const run = await deploy({ control_plane_url: forwarder.url, serving_check: "off" });
  await forwarder.close();

  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().latest_revision_id });
  expect(run.infos.filter((line) => line.includes("ECONNREFUSED"))).toEqual([
    expect.stringContaining(`${method} /v2/deployments`),
  ]);
  expect(requestLines(writes(run.requests))).toHaveLength(1);
});
