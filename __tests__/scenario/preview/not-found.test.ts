import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  immediate,
  previewOf7,
  type Scenario,
  type ScenarioRun,
  startEmulatorOn,
  startScenario,
  taskOf7,
} from "../../support/scenario.ts";

/** Another control plane, on which the same key and workspace are valid. */
async function startAnother({ clock }: Scenario) {
  const emulator = await startEmulatorOn(clock, { statusSeconds: 0 });
  return { emulator, inputs: { control_plane_url: emulator.url } };
}

function notFound(path: string, from = 1): FaultRule {
  return {
    kind: "answer",
    match: { path, from, times: "always" },
    status: 404,
    body: { detail: "Not Found" },
  };
}

/** An open pull request with a preview. */
async function startWithOpen(): Promise<Scenario> {
  const scenario = await startScenario(immediate);
  scenario.open();
  await scenario.preview("opened");
  return scenario;
}

/** A pull request with a preview, which was closed. */
async function startWithClosed(): Promise<Scenario> {
  const scenario = await startWithOpen();
  scenario.shut();
  return scenario;
}

/** The states of the preview's records, newest first. */
function states({ github }: Scenario): (string | undefined)[] {
  return github.deployments(taskOf7).map(({ statuses }) => statuses[0]?.state);
}

async function expectKept(scenario: Scenario, run: ScenarioRun, fact: string): Promise<void> {
  expectError(run, previewOf7, fact);
  expect(run.outputs.outcome).toBe("failed");
  expect(states(scenario)).toEqual(["success"]);
  expect(scenario.emulator.deployments()).toHaveLength(1);
  for (const { body } of scenario.github.comments(7)) expect(body).not.toContain("🗑️");
}

describe("a preview that is recorded on another control plane is left alone, and the step fails", () => {
  test.each(["closed", "synchronize"])("on %s", async (action) => {
    const scenario = action === "closed" ? await startWithClosed() : await startWithOpen();
    const other = await startAnother(scenario);

    const run = await scenario.preview(action, { inputs: other.inputs });

    await expectKept(scenario, run, "a different control plane or workspace");
    expect(other.emulator.deployments()).toEqual([]);
  });

  test("with GitHub's reason if the state of that record can't be read", async () => {
    const scenario = await startWithOpen();
    const other = await startAnother(scenario);
    scenario.github.fail(answer("POST /graphql$", 502, { from: 2, times: "always" }));

    const run = await scenario.preview("synchronize", { inputs: other.inputs });

    expectError(run, "Could not read the deployment records on GitHub (502)");
    expect(other.emulator.deployments()).toEqual([]);
  });

  test("but not if that record is inactive", async () => {
    const scenario = await startWithClosed();
    const other = await startAnother(scenario);
    await scenario.preview("closed");
    scenario.github.pullRequests.change(7, { state: "open" });

    const run = await scenario.preview("reopened", { inputs: other.inputs });

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(other.emulator.deployments()).toHaveLength(1);
  });
});

describe("a preview that was not found keeps its record, and closing its pull request fails, if", () => {
  test.each<[string, readonly FaultRule[]]>([
    ["every response is a 404", [notFound("")]],
    [
      "the list can't be read after a DELETE",
      [answer("DELETE", 404, { body: {} }), answer("GET ^/v2/deployments$", 500, { times: "always" })],
    ],
  ])("a preview keeps its record if %s", async (_when, faults) => {
    const scenario = await startWithClosed();
    for (const fault of faults) scenario.emulator.addFault(fault);

    await expectKept(scenario, await scenario.preview("closed"), "list of deployments");
  });
});

test("closing a pull request whose preview is gone succeeds with a notice, and its record becomes inactive", async () => {
  const scenario = await startWithClosed();
  const [deployment] = scenario.emulator.deployments();
  await scenario.run("delete", { inputs: { deployment_id: String(deployment?.id) } });

  const run = await scenario.preview("closed");

  expect([run.succeeded, run.outputs.outcome]).toEqual([true, "deleted"]);
  expect(run.notices).toEqual([expect.stringContaining("does not exist")]);
  expect(states(scenario)).toEqual(["inactive"]);
});

test("a deletion for a closed pull request that stays unconfirmed fails, and keeps its record", async () => {
  const scenario = await startWithClosed();
  scenario.emulator.addFault(answer("DELETE", 500, { times: "always" }));

  await expectKept(scenario, await scenario.preview("closed"), "Could not confirm whether the deletion");
});

test("closing a pull request again succeeds", async () => {
  const scenario = await startWithClosed();
  await scenario.preview("closed");

  const again = await scenario.preview("closed");

  expect([again.succeeded, again.outputs.outcome]).toEqual([true, "deleted"]);
});

test("a pull request has a preview on each of two control planes, in an environment each", async () => {
  const scenario = await startWithOpen();
  const { emulator, preview, shut } = scenario;
  const other = await startAnother(scenario);
  const inputs = { ...other.inputs, environment: "Preview elsewhere" };

  const elsewhere = await preview("opened", { inputs });
  const here = await preview("synchronize");
  shut();
  const closed = await preview("closed", { inputs });

  expect(elsewhere.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(here.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  const { deployment_id } = elsewhere.outputs;
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id });
  expect(other.emulator.deployments()).toEqual([]);
  expect(emulator.deployments()).toHaveLength(1);
});

describe("a closed pull request whose preview is not there any more", () => {
  const label = /^## 🗑️ .*: nothing to delete$/m;

  test("says so in place of deleted, in the summary and a comment that shows the preview", async () => {
    const scenario = await startWithClosed();
    const [deployment] = scenario.emulator.deployments();
    await scenario.run("delete", { inputs: { deployment_id: String(deployment?.id) } });

    const run = await scenario.preview("closed");

    expect(run.outputs.outcome).toBe("deleted");
    expect(run.summary).toMatch(label);
    expect(scenario.github.comments(7)).toMatchObject([
      { body: expect.stringMatching(/^### 🗑️ Preview .*: nothing to delete$/m) },
    ]);
  });

  test("has no comment if it never had a preview", async () => {
    const scenario = await startScenario(immediate);
    scenario.open();
    scenario.shut();

    const run = await scenario.preview("closed");

    expect([run.succeeded, run.outputs.outcome]).toEqual([true, "deleted"]);
    expect(run.summary).toMatch(label);
    expect(scenario.github.comments(7)).toEqual([]);
  });
});
