import { describe, expect, test } from "@jest/globals";
import { startEmulator } from "../../../emulator/server.ts";
import { spelled, startScenario, writes } from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$" };

describe("a read is repeated", () => {
  test.each([408, 429, 500, 502, 503, 504])("on %i", async (status) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "answer", match: { ...list, times: 4 }, status, body: { detail: "later" } });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("deployed");
    expect(spelled(run.requests).slice(0, 5)).toEqual([
      ...Array(4).fill(`GET /v2/deployments ${status}`),
      "GET /v2/deployments 200",
    ]);
  });

  test.each(["reset", "hang"] as const)("on a %s", async (kind) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind, match: { ...list, times: 2 } });
    const run = await deploy({ request_timeout_seconds: "0.1" });
    expect(run.outputs.outcome).toBe("deployed");
    expect(
      run.requests.filter(({ method, path }) => method === "GET" && path === "/v2/deployments"),
    ).toHaveLength(3);
  });

  test.each(["length", "chunked"] as const)("on an answer that is cut (%s)", async (framing) => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    await existing();
    emulator.misbehave({ kind: "cut", match: list, framing });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  });

  test("with pauses that grow, half of each left to chance", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "answer", match: { ...list, times: 4 }, status: 503 });
    const run = await deploy();
    // 0.75 of 0.5, 1, 2 and 4 seconds: chance is in the middle here.
    expect(run.took).toBe(5.625);
  });

  test("five times at most", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({
      kind: "answer",
      match: { ...list, times: "always" },
      status: 503,
      body: { detail: "down" },
    });
    const run = await deploy();
    expect(run.requests).toHaveLength(5);
    expect(run.errors).toEqual([
      "GET /v2/deployments was answered with 503: down. The platform had a problem of its own; try again, and look at its status page if it stays.",
    ]);
  });

  test.each([400, 401, 403, 409, 422])("but not on %i", async (status) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({
      kind: "answer",
      match: { ...list, times: "always" },
      status,
      body: { detail: "no" },
    });
    const run = await deploy();
    expect(run.requests).toHaveLength(1);
    expect(run.succeeded).toBe(false);
  });
});

describe("Retry-After is honoured", () => {
  test.each([
    ["in seconds", "90"],
    ["as a date", "Mon, 02 Mar 2026 09:01:30 GMT"],
  ])("%s", async (_form, header) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "answer", match: list, status: 503, headers: { "retry-after": header } });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("deployed");
    expect(run.took).toBe(90);
    expect(run.log).toContain("Trying again in 1 min 30 s.");
  });

  test("but not beyond the deadline", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ kind: "answer", match: list, status: 429, headers: { "retry-after": "3600" } });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("failed");
    expect(run.requests).toHaveLength(1);
    expect(run.took).toBe(0);
  });
});

describe("a write that was answered 429 is repeated after its Retry-After", () => {
  test("a create", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({
      kind: "answer",
      match: { method: "POST" },
      status: 429,
      headers: { "retry-after": "20" },
    });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(spelled(writes(run.requests))).toEqual(["POST /v2/deployments 429", "POST /v2/deployments 201"]);
    expect(run.took).toBe(20);
  });

  test("an update", async () => {
    const { deploy, emulator, existing, held } = await startScenario({ statusSeconds: 0 });
    const { id } = await existing();
    emulator.misbehave({
      kind: "answer",
      match: { method: "PATCH" },
      status: 429,
      headers: { "retry-after": "20" },
    });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
    expect(spelled(writes(run.requests))).toEqual([
      `PATCH /v2/deployments/${id} 429`,
      `PATCH /v2/deployments/${id} 200`,
    ]);
    expect(held().revisions).toHaveLength(2);
  });
});

describe("a write that was refused is not repeated, and nothing is looked for", () => {
  test.each([400, 401, 403, 404, 408, 422])("%i", async (status) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ kind: "answer", match: { method: "POST" }, status, body: { detail: "no" } });
    const run = await deploy();
    expect(spelled(run.requests)).toEqual(["GET /v2/deployments 200", `POST /v2/deployments ${status}`]);
    expect(run.errors[0]).toContain(`${status}: no.`);
    expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "0" });
  });
});

test("without a connection everything is tried again, and the failure names control_plane_url", async () => {
  const gone = await startEmulator();
  await gone.close();
  const { deploy } = await startScenario();
  const run = await deploy({ control_plane_url: gone.url });
  expect(run.infos.filter((line) => line.includes("Trying again in"))).toHaveLength(4);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toMatch(/connection failed: .*ECONNREFUSED.*control_plane_url/);
});
