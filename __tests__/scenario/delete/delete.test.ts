import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
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

const once = { method: "DELETE" };

function expectDeleted(run: ScenarioRun): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deleted");
  expect(run.errors).toEqual([]);
  expect(run.summary).toMatch(/^## 🗑️ .*: (?:deleted|nothing to delete)$/m);
}

describe("nothing is deleted, and the step fails,", () => {
  test("if the read of the deployment shows another one", async () => {
    const { emulator, remove } = await startWith("agent");
    const body = { id: "other-id", name: "production" };
    emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body }));

    const run = await remove({ name: "agent" });

    expectError(run, "it shows other-id in place of what was requested");
    expect(writes(run.requests)).toEqual([]);
  });

  test.each([
    ["GET ^/v2/deployments/[^/]+$", "Check that the deployment still exists"],
    ["DELETE", "was not found (404), but it is still listed"],
  ])("if it is not found (%s) and listed still", async (on, fact) => {
    const { emulator, remove } = await startWith("agent");
    emulator.addFault(answer(on, 404, { body: { detail: "Not found" }, times: "always" }));

    const run = await remove({ name: "agent" });

    expectError(run, fact);
    expect(run.outputs.outcome).toBe("failed");
  });
});

test("nothing counts as deleted if its id is not found, but a later page of the list shows it", async () => {
  const others = Array.from({ length: 100 }, (_, index) => `other-${index}`);
  const { emulator, ids, names, remove } = await startWith(...others, "agent");
  emulator.addFault(answer({ ...once, times: "always" }, 404, { body: { detail: "Not found" } }));

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

  test("by its id if a name is given too", async () => {
    const { ids, names, remove } = await startWith("agent", "other");

    expectDeleted(await remove({ deployment_id: String(ids[0]), name: "other" }));
    expect(names()).toEqual(["other"]);
  });

  test("whatever its repository", async () => {
    const { names, remove } = await startWith("agent");

    expectDeleted(await remove({ name: "agent", repo_url: "https://github.com/someone/else" }));
    expect(names()).toEqual([]);
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

describe("a 404 to a deletion does not show that the deployment is gone if", () => {
  test.each([404, 405, 500])("the list of deployments is answered with %d", async (status) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(answer("DELETE", 404, { body: { detail: "Not Found" } }));
    emulator.addFault(answer("GET ^/v2/deployments$", status, { body: { detail: "no" }, times: "always" }));

    const run = await remove({ deployment_id: String(ids[0]) });

    expectError(run, String(ids[0]), "404", "list of deployments", "workspace_id");
    expect(run.outputs.outcome).toBe("failed");
    expect(names()).toEqual(["agent"]);
  });
});

const always = { ...once, times: "always" } as const;

describe("a deletion is repeated", () => {
  test.each<[string, FaultRule]>([
    ["after a 500 with its effect", answer(once, 500, { applied: true })],
    ["after a 500 without an effect", answer(once, 500)],
    ["after a lost connection with its effect", { kind: "reset", match: once, applied: true }],
    ["after a 429", answer(once, 429, { headers: { "retry-after": "20" } })],
  ])("a deletion is repeated %s", async (_when, fault) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(fault);

    const run = await remove({ deployment_id: String(ids[0]) });

    expectDeleted(run);
    expect(run.summary).toMatch(/^## .*: deleted$/m);
    expect(names()).toEqual([]);
  });

  test("after a 404 with its effect, which looks like nothing to delete", async () => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(answer(once, 404, { body: { detail: "gone" }, applied: true }));

    const run = await remove({ deployment_id: String(ids[0]) });

    expectDeleted(run);
    expect(run.summary).toMatch(/: nothing to delete$/m);
    expect(names()).toEqual([]);
  });
});

describe("the delete action fails", () => {
  const html = { headers: { "content-type": "text/html" }, body: "<html>nginx</html>" };

  test.each<[string, FaultRule, RegExp]>([
    [
      "after 500s for ever",
      answer(always, 500),
      /500.*Could not confirm whether the deletion of deployment \S+ succeeded/,
    ],
    ["after a 403", answer(once, 403, { body: { detail: "not yours" } }), /not yours/],
    ["after a 409", answer(once, 409, { body: { detail: "in use" } }), /in use/],
    [
      "after a 404 that did not come from the API",
      { kind: "answer", match: once, status: 404, ...html },
      /control_plane_url/,
    ],
  ])("the delete action fails %s", async (_when, fault, message) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(fault);

    const run = await remove({ deployment_id: String(ids[0]) });

    expect(run.succeeded).toBe(false);
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

describe("a cancelled delete run reports", () => {
  test("that no changes were sent, before the deletion", async () => {
    const { emulator, requested, startDeletion } = await startWith("agent");
    emulator.addFault({ kind: "hang", match: { method: "GET" } });

    const running = startDeletion({ name: "agent" });
    await requested("GET");
    running.cancel();
    const run = await running.ended;

    expect(writes(run.requests)).toEqual([]);
    expectError(run, "SIGINT", "No changes were sent");
  });

  test("that the deletion may have succeeded, while it hangs", async () => {
    const { emulator, ids, requested, startDeletion } = await startWith("agent");
    emulator.addFault({ kind: "hang", match: once });

    const running = startDeletion({ deployment_id: String(ids[0]) });
    await requested("DELETE");
    running.cancel();
    const run = await running.ended;

    expectError(run, "SIGINT", `${ids[0]} may have succeeded`);
  });

  test("that the deletion may have succeeded, while the list would confirm it", async () => {
    const { emulator, ids, requested, startDeletion } = await startWith("agent");
    emulator.addFault(answer(once, 500, { applied: true }));
    emulator.addFault({ kind: "hang", match: { method: "GET", path: "^/v2/deployments$" } });

    const running = startDeletion({ deployment_id: String(ids[0]) });
    await requested("GET", /deployments$/);
    running.cancel();
    const run = await running.ended;

    expectError(run, "SIGINT", `${ids[0]} may have succeeded`);
  });
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
