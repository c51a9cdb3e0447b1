import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  cancelOnce,
  defaultCreate,
  expectError,
  type Inputs,
  requestLines,
  type Scenario,
  type ScenarioRun,
  type StartedRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

interface DeleteScenario extends Scenario {
  /** Of the deployments that exist, in order. */
  readonly ids: readonly string[];
  startDeletion(inputs: Inputs): StartedRun;
  remove(inputs: Inputs): Promise<ScenarioRun>;
  /** The names of the deployments that still exist. */
  names(): string[];
}

/** A control plane with deployments of these names, whose revisions are live. */
async function startWith(...names: string[]): Promise<DeleteScenario> {
  const scenario = await startScenario({ statusSeconds: 0 });
  for (const name of names) await scenario.send("POST /v2/deployments", { ...defaultCreate, name });
  const startDeletion = (inputs: Inputs) => scenario.start("delete", { inputs });
  return {
    ...scenario,
    ids: scenario.emulator.deployments().map(({ id }) => id),
    startDeletion,
    remove: (inputs) => startDeletion(inputs).ended,
    names: () => scenario.emulator.deployments().map(({ name }) => name),
  };
}

function expectDeleted(run: ScenarioRun): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deleted");
  expect(run.errors).toEqual([]);
  expect(run.summary).toMatch(/^## 🗑️ .*: (?:deleted|nothing to delete)$/m);
}

test("nothing is deleted if the read of the deployment shows another one", async () => {
  const { emulator, remove } = await startWith("agent");
  const body = { id: "other-id", name: "production" };
  emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body }));

  const run = await remove({ name: "agent" });

  expectError(run, "it shows other-id in place of what was requested");
  expect(writes(run.requests)).toEqual([]);
});

test("nothing is deleted if the read of the deployment shows another name", async () => {
  const { emulator, ids, remove } = await startWith("agent");
  const body = { id: ids[0], name: "production" };
  emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body }));

  const run = await remove({ name: "agent" });

  expectError(run, "is named production now, not agent");
  expect(writes(run.requests)).toEqual([]);
});

const notFound = { body: { detail: "Not found" } };

test.each([
  ["read", "GET ^/v2/deployments/[^/]+$", "Check that the deployment still exists"],
  ["deletion", "DELETE", "was not found (404), but it is still listed"],
])("a deployment whose %s is answered with 404 does not count as deleted if it is listed", async (...row) => {
  const [_what, request, fact] = row;
  const { emulator, names, remove } = await startWith("agent");
  emulator.addFault(answer(request, 404, { ...notFound, times: "always" }));

  const run = await remove({ name: "agent" });

  expectError(run, fact);
  expect(run.outputs.outcome).toBe("failed");
  expect(names()).toEqual(["agent"]);
});

test("an id that is not found does not count as deleted if a later page of the list shows it", async () => {
  const others = Array.from({ length: 100 }, (_, index) => `other-${index}`);
  const { emulator, ids, names, remove } = await startWith(...others, "agent");
  emulator.addFault(answer("DELETE", 404, { ...notFound, times: "always" }));

  const run = await remove({ deployment_id: String(ids.at(-1)) });

  expectError(run, "was not found (404), but it is still listed");
  expect(names()).toContain("agent");
});

describe("a deployment is deleted", () => {
  test("by its id, with one request", async () => {
    const { ids, names, remove } = await startWith("agent", "other");

    const run = await remove({ deployment_id: String(ids[0]) });

    expectDeleted(run);
    expect(run.outputs).toEqual({ deployment_id: ids[0], outcome: "deleted" });
    expect(requestLines(run.requests)).toEqual([`DELETE /v2/deployments/${ids[0]} 204`]);
    expect(run.infos.at(-1)).toContain(`${ids[0]} was deleted`);
    expect(names()).toEqual(["other"]);
  });

  test("by its exact name, over all pages of the list", async () => {
    const others = Array.from({ length: 105 }, (_, index) => `agent-${index}`);
    const { ids, names, remove } = await startWith(...others, "agent");

    const run = await remove({ name: "agent" });

    expectDeleted(run);
    expect(run.outputs.deployment_id).toBe(ids.at(-1));
    expect(names()).toEqual(others);
  });

  test("by its id if a name is given too, and whatever its repository", async () => {
    const { ids, names, remove } = await startWith("agent", "other");
    const repo_url = "https://github.com/someone/else";

    expectDeleted(await remove({ deployment_id: String(ids[0]), name: "other", repo_url }));
    expect(names()).toEqual(["other"]);
  });
});

test.each<[string, Inputs]>([
  ["an id", { deployment_id: "gone" }],
  // One segment of the path, whatever it contains.
  ["an id with special characters", { deployment_id: "../deployments/x?y#z" }],
  ["a name that is only a part of another one", { name: "agent-1" }],
])("%s of no deployment is a success with a notice", async (_what, inputs) => {
  const { names, remove } = await startWith("agent-12");

  const run = await remove(inputs);

  expectDeleted(run);
  expect(run.notices).toEqual([expect.stringMatching(/does not exist in workspace .*control_plane_url/)]);
  expect(run.summary).toMatch(/^## .*: nothing to delete$/m);
  expect(run.summary).not.toContain(", deleted");
  expect(names()).toEqual(["agent-12"]);
  if (inputs.deployment_id !== undefined) {
    expect(run.requests.map(({ path }) => path)).toEqual([
      `/v2/deployments/${encodeURIComponent(inputs.deployment_id)}`,
      ...["/v2/deployments", "/v2/deployments"],
    ]);
  }
});

test("a name in deployment_id is an error", async () => {
  const { ids, names, remove } = await startWith("other", "agent");

  const run = await remove({ deployment_id: "agent" });

  expectError(run, `listed, with the ID ${ids[1]}. What to do next: Set name in place of deployment_id.`);
  expect(names()).toEqual(["other", "agent"]);
});

test.each([404, 405, 500])(
  "a 404 to a deletion does not show that the deployment is gone if its list is answered with %d",
  async (status) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(answer("DELETE", 404, notFound));
    emulator.addFault(answer("GET ^/v2/deployments$", status, { body: { detail: "no" }, times: "always" }));

    const run = await remove({ deployment_id: String(ids[0]) });

    expectError(run, String(ids[0]), "404", "list of deployments", "workspace_id");
    expect(run.outputs.outcome).toBe("failed");
    expect(names()).toEqual(["agent"]);
  },
);

test.each<[string, FaultRule, string]>([
  ["after a 500 with its effect", answer("DELETE", 500, { applied: true }), "deleted"],
  ["after a 500 without an effect", answer("DELETE", 500), "deleted"],
  ["after a lost connection", { kind: "reset", match: { method: "DELETE" }, applied: true }, "deleted"],
  ["after a 429", answer("DELETE", 429, { headers: { "retry-after": "20" } }), "deleted"],
  ["not after a 404", answer("DELETE", 404, { ...notFound, applied: true }), "nothing to delete"],
])("a deletion is repeated %s", async (_when, fault, end) => {
  const { emulator, ids, names, remove } = await startWith("agent");
  emulator.addFault(fault);

  const run = await remove({ deployment_id: String(ids[0]) });

  expectDeleted(run);
  expect(run.summary).toMatch(new RegExp(`^## .*: ${end}$`, "m"));
  expect(names()).toEqual([]);
});

describe("the delete action fails", () => {
  const html = { headers: { "content-type": "text/html" }, body: "<html>nginx</html>" };
  const unconfirmed = /500.*Could not confirm whether the deletion of deployment \S+ succeeded/;

  test.each<[string, FaultRule, RegExp]>([
    ["500s for ever", answer("DELETE", 500, { times: "always" }), unconfirmed],
    ["a 403", answer("DELETE", 403, { body: { detail: "not yours" } }), /not yours/],
    ["a 409", answer("DELETE", 409, { body: { detail: "in use" } }), /in use/],
    ["a 404 that did not come from the API", answer("DELETE", 404, html), /control_plane_url/],
  ])("after %s", async (_when, fault, message) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(fault);

    const run = await remove({ deployment_id: String(ids[0]) });

    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toEqual([expect.stringMatching(message)]);
    expect(names()).toEqual(["agent"]);
  });

  test("if there is no list to search the name in, and the error names deployment_id", async () => {
    const { emulator, remove } = await startWith("agent");
    emulator.addFault(answer("GET ^/v2/deployments$", 405, { body: { detail: "Method Not Allowed" } }));

    const run = await remove({ name: "agent" });

    expectError(run, "agent", "deployment_id");
    expect(writes(run.requests)).toEqual([]);
  });

  test.each<[Inputs, string]>([
    [{}, "deployment_id"],
    [{ deployment_id: ".." }, "deployment_id"],
    [{ name: "agent", api_key: "" }, "api_key"],
    [{ name: "agent", control_plane_url: "http://example.com" }, "allow_http"],
  ])("for the inputs %j, before a request", async (inputs, input) => {
    const { remove } = await startWith();

    const run = await remove(inputs);

    expectError(run, input);
    expect(run.requests).toEqual([]);
  });
});

test("a delete run that is cancelled before the deletion reports that no changes were sent", async () => {
  const { emulator, requested, startDeletion } = await startWith("agent");
  emulator.addFault({ kind: "hang", match: { method: "GET" } });

  const run = await cancelOnce(startDeletion({ name: "agent" }), requested("GET"));

  expect(writes(run.requests)).toEqual([]);
  expectError(run, "SIGINT", "No changes were sent");
});

test.each<[string, string, FaultRule[]]>([
  ["during it", "DELETE", [{ kind: "hang", match: { method: "DELETE" } }]],
  [
    "while the list would confirm it",
    "GET",
    [
      answer("DELETE", 500, { applied: true }),
      { kind: "hang", match: { method: "GET", path: "deployments$" } },
    ],
  ],
])("a delete run that is cancelled %s reports that the deletion may have succeeded", async (...row) => {
  const [_when, method, faults] = row;
  const { emulator, ids, requested, startDeletion } = await startWith("agent");
  for (const fault of faults) emulator.addFault(fault);

  const run = await cancelOnce(startDeletion({ deployment_id: String(ids[0]) }), requested(method));

  expectError(run, "SIGINT", `${ids[0]} may have succeeded`);
});

describe("delete_tracing_project", () => {
  test("deletes the tracing project too, on a platform that has one", async () => {
    const { emulator, existing, start } = await startScenario({ platform: "langsmith" });
    const { id } = await existing();

    const inputs = { platform: "langsmith", deployment_id: id, delete_tracing_project: "true" };
    const run = await start("delete", { inputs }).ended;

    expectDeleted(run);
    expect(run.requests).toMatchObject([{ method: "DELETE", query: { delete_tracing_project: ["true"] } }]);
    expect(emulator.deployments()).toEqual([]);
  });

  test("is an input error on a platform that has none", async () => {
    const { names, remove } = await startWith("agent");

    const run = await remove({ name: "agent", delete_tracing_project: "true" });

    expectError(run, "delete_tracing_project", "not supported");
    expect(run.summary).toMatch(/^## ❌ Deployment `agent`: failed$/m);
    expect(names()).toEqual(["agent"]);
  });
});

test("a deletion that the platform refuses is an error with its words, and not a missing deployment", async () => {
  const { emulator, ids, names, remove } = await startWith("agent");
  emulator.addFault(answer("DELETE", 400, { body: { detail: "deployment is locked" } }));

  const run = await remove({ deployment_id: ids[0] ?? "" });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, 'failed with 400: "deployment is locked"');
  expect(run.errors[0]).not.toContain("There is no deployment");
  expect(names()).toEqual(["agent"]);
});
