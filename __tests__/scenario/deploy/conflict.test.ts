import { describe, expect, test } from "@jest/globals";
import { defaultCreate, spelled, startScenario, writes } from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$" };
const empty = { status: 200, body: { resources: [], offset: 0 } };

test.each([
  ["somebody else took in between", empty],
  ["couldn't be looked up at first", { status: 404, body: { detail: "Not found" } }],
])("a name that %s is looked up again and updated", async (_what, answer) => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  emulator.misbehave({ kind: "answer", match: list, ...answer });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
  expect(spelled(writes(run.requests))).toEqual([
    "POST /v2/deployments 409",
    `PATCH /v2/deployments/${id} 200`,
  ]);
});

test("the deployment that took the name has to be of the same repository", async () => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  await existing("agent", {
    source_config: { ...defaultCreate.source_config, repo_url: "https://github.com/someone/else" },
  });
  emulator.misbehave({ kind: "answer", match: list, ...empty });
  const run = await deploy();
  expect(spelled(writes(run.requests))).toEqual(["POST /v2/deployments 409"]);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("someone/else");
});

test("a deployment that is being deleted is waited for, and then created", async () => {
  const { deploy, leaving } = await startScenario({ statusSeconds: 0 });
  const { id } = await leaving(100);
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(run.outputs.deployment_id).not.toBe(id);
  expect(spelled(writes(run.requests))).toEqual(["POST /v2/deployments 201"]);
  expect(run.took).toBeGreaterThanOrEqual(100);
  expect(run.outputs.duration_seconds).toBe("0");
});

test("one that is being deleted and not listed is waited for at the create's 409", async () => {
  const { deploy, emulator, leaving } = await startScenario({ statusSeconds: 0 });
  await leaving(5);
  emulator.misbehave({ kind: "answer", match: { ...list, times: "always" }, ...empty });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(spelled(writes(run.requests)).at(0)).toBe("POST /v2/deployments 409");
  expect(spelled(writes(run.requests)).at(-1)).toBe("POST /v2/deployments 201");
});

test("a name that isn't free within timeout_seconds is a failure that says so", async () => {
  const { deploy, leaving } = await startScenario({ statusSeconds: 0 });
  await leaving(600);
  const run = await deploy({ timeout_seconds: "60" });
  expect(run.outputs.outcome).toBe("failed");
  expect(writes(run.requests)).toEqual([]);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toMatch(/The name agent is still taken.*timeout_seconds/);
  expect(run.took).toBeGreaterThan(55);
  expect(run.took).toBeLessThanOrEqual(60);
});

test("the wait for a name doesn't flood the log", async () => {
  const { deploy, leaving } = await startScenario({ statusSeconds: 0 });
  await leaving(180);
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.length).toBeLessThan(15);
});

describe("a create that is refused although nothing of the name is listed", () => {
  const words = "Your plan allows 3 deployments;\n::error::delete one first.";
  const quoted = "Your plan allows 3 deployments; ::error::delete one first.";
  const refused = {
    kind: "answer",
    match: { method: "POST", path: "^/v2/deployments$", times: "always" },
    status: 409,
    body: { detail: words },
  } as const;

  test("is tried a few times within a minute; then both possibilities are told, in the platform's words", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave(refused);
    const run = await deploy();
    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBe(60);
    expect(writes(run.requests).length).toBeLessThanOrEqual(7);
    expect(run.errors).toEqual([
      expect.stringMatching(/doesn't create agent.*being deleted or isn't shown, or .* another reason/),
    ]);
    expect(run.errors[0]).toContain(quoted);
    expect(run.infos.filter((line) => line.includes(quoted))).toEqual([
      expect.stringMatching(/409: .* Looking the name up again\.$/),
    ]);
    expect(run.summary).toContain("Your plan allows 3 deployments");
  });

  test("isn't tried beyond timeout_seconds", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave(refused);
    const run = await deploy({ timeout_seconds: "10" });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBe(10);
  });

  test("is waited for as long as timeout_seconds where the list comes to show a deletion", async () => {
    const { deploy, emulator, leaving } = await startScenario({ statusSeconds: 0 });
    await leaving(300);
    emulator.misbehave({ kind: "answer", match: { ...list, times: 5 }, ...empty });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(spelled(writes(run.requests))).toEqual([
      ...Array<string>(5).fill("POST /v2/deployments 409"),
      "POST /v2/deployments 201",
    ]);
    expect(run.took).toBeGreaterThan(290);
  });

  test("has its whole minute again after a deletion that was seen", async () => {
    const { deploy, emulator, leaving } = await startScenario({ statusSeconds: 0 });
    await leaving(300);
    emulator.misbehave({ kind: "answer", match: { ...list, times: 5 }, ...empty });
    emulator.misbehave(refused);
    const run = await deploy();
    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBeGreaterThan(350);
    expect(run.took).toBeLessThan(370);
  });
});

test("a deletion that outlasts timeout_seconds is told with what the platform said of the create", async () => {
  const { deploy, emulator, leaving } = await startScenario({ statusSeconds: 0 });
  await leaving(600);
  emulator.misbehave({ kind: "answer", match: list, ...empty });
  const run = await deploy({ timeout_seconds: "60" });
  expect(run.errors).toEqual([
    expect.stringMatching(
      /still taken by a deployment that is being deleted\. POST .*409: .*timeout_seconds/,
    ),
  ]);
});
