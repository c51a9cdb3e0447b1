import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { call } from "../../emulator/support/client.ts";
import {
  type PreviewScenario,
  type RecordedRun,
  startPreviewScenario,
} from "../../support/preview-scenario.ts";
import { defaultCreate, type Inputs, spelled, writes } from "../../support/scenario.ts";

const quick = { emulator: { statusSeconds: 0 } };

/** Makes deployments of these names; answers with their ids. */
async function make({ run }: PreviewScenario, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names)
    ids.push(String((await run("deploy", { inputs: { name } })).outputs.deployment_id));
  return ids;
}

function names({ emulator }: PreviewScenario): string[] {
  return emulator.deployments().map(({ name }) => name);
}

function expectDeleted(run: RecordedRun): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deleted");
  expect(run.errors).toEqual([]);
  expect(run.summary).toContain("✅");
  expect(run.summary).toContain("deleted");
}

async function scenarioWith(...made: string[]) {
  const scenario = await startPreviewScenario(quick);
  return { scenario, ids: await make(scenario, ...made) };
}

const byId = (id: string | undefined): { inputs: Inputs } => ({ inputs: { deployment_id: String(id) } });

describe("a deployment is deleted", () => {
  test("by its id, without being looked up", async () => {
    const { scenario, ids } = await scenarioWith("agent", "other");
    const run = await scenario.run("delete", byId(ids[0]));
    expectDeleted(run);
    expect(run.outputs).toEqual({ deployment_id: ids[0], outcome: "deleted" });
    expect(spelled(run.requests)).toEqual([`DELETE /v2/deployments/${ids[0]} 204`]);
    expect(run.github).toEqual([]);
    expect(run.infos).toEqual([`The deployment's id is ${ids[0]}.`, `Deployment ${ids[0]} was deleted.`]);
    expect(names(scenario)).toEqual(["other"]);
  });

  test("by exactly its name, over all pages", async () => {
    const scenario = await startPreviewScenario(quick);
    const many = Array.from({ length: 105 }, (_, index) => `agent-${index}`);
    for (const name of many)
      await call(scenario.emulator, "POST /v2/deployments", { ...defaultCreate, name });
    const ids = await make(scenario, "agent");
    const run = await scenario.run("delete", { inputs: { name: "agent" } });
    expectDeleted(run);
    expect(run.infos).toContain(`Found deployment agent (id ${ids.at(-1)}).`);
    expect(run.outputs.deployment_id).toBe(ids.at(-1));
    expect(names(scenario)).toEqual(many);
  });

  test("by its id, where a name is given too", async () => {
    const { scenario, ids } = await scenarioWith("agent", "other");
    expectDeleted(await scenario.run("delete", { inputs: { deployment_id: String(ids[0]), name: "other" } }));
    expect(names(scenario)).toEqual(["other"]);
  });

  test("whatever repository it is of", async () => {
    const { scenario } = await scenarioWith();
    const inputs = { name: "agent", repo_url: "https://github.com/someone/else", repo_ref: "main" };
    await scenario.run("deploy", { inputs });
    expectDeleted(await scenario.run("delete", { inputs: { name: "agent" } }));
    expect(names(scenario)).toEqual([]);
  });
});

describe("what is already gone is a success with a notice", () => {
  test("by its id", async () => {
    const { scenario, ids } = await scenarioWith("agent");
    await scenario.run("delete", byId(ids[0]));
    const again = await scenario.run("delete", byId(ids[0]));
    expectDeleted(again);
    expect(again.notices).toEqual([expect.stringContaining("nothing left to delete")]);
    expect(again.summary).not.toContain(", deleted");
  });

  test("by its name, of which another's is a part", async () => {
    const { scenario } = await scenarioWith("agent-12");
    const run = await scenario.run("delete", { inputs: { name: "agent-1" } });
    expectDeleted(run);
    expect(run.notices).toEqual([
      expect.stringContaining("agent-1 is gone: there was nothing left to delete"),
    ]);
    expect(run.outputs).toEqual({ outcome: "deleted" });
    expect(names(scenario)).toEqual(["agent-12"]);
  });
});

const once = { method: "DELETE" };

test.each<[string, RuleInput]>([
  ["500, though it did it", { kind: "answer", match: once, applied: true, status: 500 }],
  ["500, and didn't do it", { kind: "answer", match: once, status: 500 }],
  ["nothing but a reset, though it did it", { kind: "reset", match: once, applied: true }],
  ["nothing but a reset, and didn't do it", { kind: "reset", match: once }],
  ["429", { kind: "answer", match: once, status: 429, headers: { "retry-after": "20" } }],
  [
    "404, though it did it",
    { kind: "answer", match: once, applied: true, status: 404, body: { detail: "gone" } },
  ],
  [
    "500 for ever, though it did it",
    { kind: "answer", match: { ...once, times: "always" }, applied: true, status: 500 },
  ],
  ["a hang, though it did it", { kind: "hang", match: once, applied: true }],
])("a platform that answers %s", async (_title, rule) => {
  const { scenario, ids } = await scenarioWith("agent");
  scenario.emulator.misbehave(rule);
  const inputs = { deployment_id: String(ids[0]), request_timeout_seconds: "0.2" };
  expectDeleted(await scenario.run("delete", { inputs }));
  expect(names(scenario)).toEqual([]);
});

test("a deployment that is seen on its way out, after answers that tell nothing, counts as deleted", async () => {
  const { scenario, ids } = await scenarioWith("agent");
  scenario.emulator.misbehave({ kind: "slow_delete", seconds: 600 });
  scenario.emulator.misbehave({
    kind: "answer",
    match: { ...once, times: "always" },
    applied: true,
    status: 502,
  });
  const run = await scenario.run("delete", byId(ids[0]));
  expectDeleted(run);
  expect(run.took).toBeLessThan(60);
  expect(run.infos.at(-1)).toBe(
    `The platform took the deletion of deployment ${ids[0]}, and was still at it when last seen.`,
  );
});

describe("a failure", () => {
  test.each<[string, RuleInput, RegExp]>([
    [
      "500 for ever",
      { kind: "answer", match: { ...once, times: "always" }, status: 500 },
      /may still be there/,
    ],
    ["403", { kind: "answer", match: once, status: 403, body: { detail: "not yours" } }, /not yours/],
    ["409", { kind: "answer", match: once, status: 409, body: { detail: "in use" } }, /in use/],
    [
      "a 404 that isn't the API's",
      {
        kind: "answer",
        match: once,
        status: 404,
        headers: { "content-type": "text/html" },
        body: "<html>nginx</html>",
      },
      /control_plane_url/,
    ],
  ])("%s", async (_title, rule, words) => {
    const { scenario, ids } = await scenarioWith("agent");
    scenario.emulator.misbehave(rule);
    const run = await scenario.run("delete", byId(ids[0]));
    expect(run.succeeded).toBe(false);
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toEqual([expect.stringMatching(words)]);
    expect(names(scenario)).toEqual(["agent"]);
  });

  test("a name where there is no list to look in", async () => {
    const { scenario } = await scenarioWith("agent");
    const match = { method: "GET", path: "^/v2/deployments$", times: "always" } as const;
    scenario.emulator.misbehave({
      kind: "answer",
      match,
      status: 405,
      body: { detail: "Method Not Allowed" },
    });
    const run = await scenario.run("delete", { inputs: { name: "agent" } });
    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([expect.stringMatching(/no list of deployments.*deployment_id/)]);
    expect(writes(run.requests)).toEqual([]);
  });

  test.each<[Inputs, RegExp]>([
    [{}, /name or deployment_id has to be given/],
    [{ deployment_id: ".." }, /deployment_id can't be/],
    [{ name: "agent", api_key: "" }, /api_key/],
    [{ name: "agent", control_plane_url: "http://example.com" }, /allow_http/],
  ])("of the inputs %j", async (inputs, words) => {
    const { scenario } = await scenarioWith();
    const run = await scenario.run("delete", { inputs });
    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([expect.stringMatching(words)]);
    expect(run.requests).toEqual([]);
  });
});

test("an id with signs of its own stays one part of the path", async () => {
  const { scenario } = await scenarioWith("agent");
  const run = await scenario.run("delete", { inputs: { deployment_id: "../deployments/x?y#z" } });
  expectDeleted(run);
  expect(run.requests[0]?.path).toBe("/v2/deployments/..%2Fdeployments%2Fx%3Fy%23z");
  expect(names(scenario)).toEqual(["agent"]);
});
