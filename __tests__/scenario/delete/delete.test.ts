import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { deleteDeployment } from "../../../src/deploy/delete/delete-deployment.ts";
import { CancelledError } from "../../../src/errors.ts";
import { singleAttempt } from "../../../src/http/retry.ts";
import { ControlPlane } from "../../../src/platform/control-plane.ts";
import { standard } from "../../../src/platform/platforms.ts";
import { resultMessage } from "../../../src/report/result.ts";
import { describeError } from "../../../src/report/sentences/unfinished-work.ts";
import { rawText } from "../../../src/text/message.ts";
import { answer } from "../../support/faults.ts";
import { recordingContext } from "../../support/recording-context.ts";
import {
  type DeployRun,
  defaultCreate,
  expectError,
  type Inputs,
  requestLines,
  type Scenario,
  type StartedRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

interface DeleteScenario extends Scenario {
  /** Of the deployments that exist, in order. */
  readonly ids: readonly string[];
  startDeletion(inputs: Inputs): StartedRun;
  remove(inputs: Inputs): Promise<DeployRun>;
  /** The names of the deployments that still exist. */
  names(): string[];
}

/** A control plane with deployments of these names, whose revisions are live. */
async function startWith(...names: string[]): Promise<DeleteScenario> {
  const scenario = await startScenario({ statusSeconds: 0 });
  for (const name of names) await scenario.send("POST /v2/deployments", { ...defaultCreate, name });
  const startDeletion = (inputs: Inputs) => scenario.startAction("delete", inputs);
  return {
    ...scenario,
    ids: scenario.emulator.deployments().map(({ id }) => id),
    startDeletion,
    remove: (inputs) => startDeletion(inputs).ended,
    names: () => scenario.emulator.deployments().map(({ name }) => name),
  };
}

const once = { method: "DELETE" };

function expectDeleted(run: DeployRun): void {
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deleted");
  expect(run.errors).toEqual([]);
  expect(run.summary).toMatch(/^## 🗑️ .*: (?:deleted|nothing to delete)$/m);
}

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
  expect(run.notices).toEqual([expect.stringMatching(/does not exist.*control_plane_url/)]);
  expect(run.summary).toMatch(/^## .*: nothing to delete$/m);
  expect(run.infos.join("\n")).not.toContain("does not exist");
  expect(run.summary).not.toContain(", deleted");
  expect(names()).toEqual(["agent-12"]);
  if (inputs.deployment_id !== undefined) {
    expect(run.requests.map(({ path }) => path)).toEqual([
      `/v2/deployments/${encodeURIComponent(inputs.deployment_id)}`,
      // Two pages of the list, of which the second is empty.
      "/v2/deployments",
      "/v2/deployments",
    ]);
  }
});

describe("a 404 to a deletion, if the list of deployments breaks off,", () => {
  const refused = answer("DELETE", 404, { body: { detail: "Not Found" } });
  const noSecondPage = answer("GET ^/v2/deployments$", 500, { from: 2, times: "always" });

  async function removeWith(faults: readonly FaultRule[]) {
    const { clock, emulator, ids, remove } = await startWith("agent", "other");
    for (const fault of faults) emulator.addFault(fault);
    const startedAt = clock.now();

    const run = await remove({ deployment_id: String(ids[0]) });

    return { run, ms: clock.now() - startedAt };
  }

  test("is a failure that says at once that nothing was deleted", async () => {
    const { run, ms } = await removeWith([refused, noSecondPage]);

    expectError(run, "Could not read the list of deployments", "500", "Nothing was deleted");
    expect(run.log).not.toContain("may have succeeded");
    expect(ms).toBeLessThan(30_000);
  });

  test("leaves open whether an earlier attempt succeeded that ended with a 500", async () => {
    const { run } = await removeWith([answer(once, 500, { applied: true }), noSecondPage]);

    expectError(run, "may still exist", "500");
    expect(run.log).not.toContain("Nothing was deleted");
  });
});

const always = { ...once, times: "always" } as const;

describe("a deletion is confirmed or repeated", () => {
  test.each<[string, FaultRule]>([
    ["after a 500 with its effect", answer(once, 500, { applied: true })],
    ["after a 500 without an effect", answer(once, 500)],
    ["after 500s for ever, but with its effect", answer(always, 500, { applied: true })],
    ["after a lost connection with its effect", { kind: "reset", match: once, applied: true }],
    ["after a 429", answer(once, 429, { headers: { "retry-after": "20" } })],
  ])("a deletion is confirmed or repeated %s", async (_when, fault) => {
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

  test.each([409, 423])(
    "if the platform refuses it with %i because it is deleting already",
    async (status) => {
      const { emulator, ids, remove, send } = await startWith("agent");
      emulator.addFault({ kind: "slow_delete", seconds: 600 });
      await send(`DELETE /v2/deployments/${ids[0]}`);
      emulator.addFault(answer(once, status, { body: { detail: "being deleted" } }));

      const run = await remove({ deployment_id: String(ids[0]) });

      expectDeleted(run);
      expect(run.infos.at(-1)).toContain(`${ids[0]} is being deleted`);
    },
  );

  test("if the platform refuses it with 409 because it is gone", async () => {
    const { emulator, ids, remove } = await startWith("agent");
    emulator.addFault(answer(once, 409, { body: {}, applied: true }));

    expectDeleted(await remove({ deployment_id: String(ids[0]) }));
  });

  test("by a 404 alone if there is no list that could confirm it", async () => {
    const { emulator, remove } = await startWith();
    emulator.addFault(answer("GET ^/v2/deployments$", 405, { body: { detail: "Method Not Allowed" } }));

    const run = await remove({ deployment_id: "gone" });

    expectDeleted(run);
    expect(run.notices).toEqual([expect.stringContaining("does not exist")]);
  });

  test("if the deployment is seen being deleted", async () => {
    const { emulator, ids, remove } = await startWith("agent");
    emulator.addFault({ kind: "slow_delete", seconds: 600 });
    emulator.addFault(answer(always, 502, { applied: true }));

    const run = await remove({ deployment_id: String(ids[0]) });

    expectDeleted(run);
    expect(run.took).toBeLessThan(60);
    expect(run.infos.at(-1)).toContain(`${ids[0]} is being deleted`);
  });
});

describe("the delete action fails", () => {
  const html = { headers: { "content-type": "text/html" }, body: "<html>nginx</html>" };

  test.each<[string, FaultRule, RegExp]>([
    ["after 500s for ever", answer(always, 500), /500.*may still exist/],
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

  test.each<[string, FaultRule]>([
    ["DELETE", answer(once, 404, { body: { detail: "Not Found" } })],
    ["request for that deployment", answer("^/v2/deployments/", 404, { body: {}, times: "always" })],
  ])("if the platform responds with 404 to each %s, but lists it", async (_what, fault) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(fault);

    const byId = await remove({ deployment_id: String(ids[0]) });

    expectError(byId, String(ids[0]), "404", "lists it", "Nothing was deleted");
    expect(names()).toEqual(["agent"]);
  });

  test("if the DELETE gets no clear response, and the deployment is not found, but listed", async () => {
    const { emulator, ids, names, remove } = await startWith("agent");
    emulator.addFault(answer(always, 502));
    emulator.addFault(answer("GET ^/v2/deployments/", 404, { body: {}, times: "always" }));

    const run = await remove({ deployment_id: String(ids[0]) });

    expectError(run, "502", "may still exist");
    expect(names()).toEqual(["agent"]);
  });

  test("if the name is listed, but the deployment is not found", async () => {
    const { emulator, names, remove } = await startWith("agent");
    emulator.addFault(answer("^/v2/deployments/", 404, { body: {}, times: "always" }));

    const run = await remove({ name: "agent" });

    expectError(run, "agent", "lists it", "Nothing was deleted");
    expect(names()).toEqual(["agent"]);
  });

  test.each<[string, (ids: readonly string[]) => Inputs]>([
    ["of the name", () => ({ name: "agent" })],
    ["of the id, which is not found,", ([id]) => ({ deployment_id: String(id) })],
  ])("if the list that is searched, %s only repeats its first 100", async (_what, inputs) => {
    const { emulator, ids, names, remove } = await startWith("agent");
    const resources = Array.from({ length: 100 }, (_, index) => ({
      id: `other-${index}`,
      name: `agent-${index}`,
    }));
    emulator.addFault(
      answer("GET ^/v2/deployments$", 200, { body: { resources, offset: 0 }, times: "always" }),
    );
    emulator.addFault(answer("^/v2/deployments/", 404, { body: {}, times: "always" }));

    const run = await remove(inputs(ids));

    expectError(run, "GET /v2/deployments", "repeats its first 100");
    expect(names()).toEqual(["agent"]);
  });

  test("if there is no list to search the name in, and the error names deployment_id", async () => {
    const { emulator, remove } = await startWith("agent");
    emulator.addFault(answer("GET ^/v2/deployments$", 405, { body: { detail: "Method Not Allowed" } }));

    const run = await remove({ name: "agent" });

    expectError(run, "agent", "not deleted", "deployment_id");
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
    const { ids, startDeletion } = await startWith("agent");

    const running = startDeletion({ deployment_id: String(ids[0]) });
    running.cancel();
    const run = await running.ended;

    expect(run.requests).toEqual([]);
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
});

describe("delete_tracing_project", () => {
  test("deletes the tracing project too, on a platform that has one", async () => {
    const { emulator, existing, startAction } = await startScenario({ platform: "langsmith" });
    const { id } = await existing();

    const inputs = { platform: "langsmith", deployment_id: id, delete_tracing_project: "true" };
    const run = await startAction("delete", inputs).ended;

    expectDeleted(run);
    expect(run.requests).toMatchObject([{ method: "DELETE", query: { delete_tracing_project: ["true"] } }]);
    expect(emulator.deployments()).toEqual([]);
  });

  test("is an input error on a platform that has none", async () => {
    const { names, remove } = await startWith("agent");

    const run = await remove({ name: "agent", delete_tracing_project: "true" });

    expectError(run, "delete_tracing_project", "not supported");
    expect(names()).toEqual(["agent"]);
  });
});

describe("after a deletion that failed without a cancellation, a later cancellation reports", () => {
  test.each([
    [403, "No changes were sent."],
    [500, "may have succeeded"],
  ])("(%i) %s", async (status, unfinishedWork) => {
    const { clock, emulator, ids } = await startWith("agent");
    emulator.addFault(answer(always, status, { body: {} }));
    const context = recordingContext({}, clock);
    const { apiKey, workspaceId } = emulator;
    const url = new URL(emulator.url);
    const settings = { platform: standard, url, apiKey, workspaceId, requestTimeoutMs: 5000 };
    const controlPlane = new ControlPlane(settings, context, singleAttempt);

    const removal = deleteDeployment(
      { ...context, controlPlane, deadline: clock.now() },
      { id: String(ids[0]), title: "agent", deleteTracingProject: false },
    );

    await expect(removal).rejects.toThrow();
    const cancelled = describeError(new CancelledError("SIGINT"), context.report.facts);
    expect(rawText(resultMessage(cancelled))).toContain(unfinishedWork);
  });
});
