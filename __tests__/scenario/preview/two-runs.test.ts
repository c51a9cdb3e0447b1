import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  immediate,
  type Scenario,
  type ScenarioRun,
  startScenario,
  taskOf7,
  writes,
} from "../../support/scenario.ts";

describe("two runs of one pull request at the same time", () => {
  test("leave one deployment if neither finds it in the list: the create of one is refused", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { emulator, open, preview } = scenario;
    const body = { resources: [], offset: 0 };
    emulator.addFault(answer("GET ^/v2/deployments$", 200, { body, times: 2 }));
    open();

    const runs = await Promise.all([preview("opened"), preview("synchronize")]);

    const [deployment, ...others] = emulator.deployments();
    expect(others).toEqual([]);
    expect(runs.map(({ outputs }) => outputs.deployment_id)).toEqual([deployment?.id, deployment?.id]);
    // The one whose revision is older may see that the other's is live.
    expect(runs.map(({ outputs }) => outputs.outcome)).toContain("deployed");
    expect(runs.map(({ outputs }) => outputs.created).toSorted()).toEqual(["false", "true"]);
    const written = writes(emulator.requests).map(({ method, status }) => `${method} ${status}`);
    expect(written.toSorted()).toEqual(["PATCH 200", "POST 201", "POST 409"]);
  });
});

describe("two runs for a closed pull request both succeed", () => {
  async function startClosed(): Promise<Scenario> {
    const scenario = await startScenario(immediate);
    scenario.open();
    await scenario.preview("opened");
    scenario.shut();
    return scenario;
  }

  function expectDeleted({ emulator, github }: Scenario, runs: readonly ScenarioRun[]): void {
    for (const { succeeded, outputs, warnings, errors } of runs) {
      expect({ succeeded, outcome: outputs.outcome }).toEqual({ succeeded: true, outcome: "deleted" });
      expect([...warnings, ...errors]).toEqual([]);
    }
    expect(emulator.deployments()).toEqual([]);
    expect(github.deployments(taskOf7)[0]?.statuses[0]?.state).toBe("inactive");
  }

  test("one after the other, and the second sends no write", async () => {
    const scenario = await startClosed();
    const { preview } = scenario;

    const runs = [await preview("closed"), await preview("closed")];

    expectDeleted(scenario, runs);
    expect(runs[1]?.notices).toEqual([expect.stringContaining("does not exist")]);
    expect(writes(runs[1]?.requests ?? [])).toEqual([]);
    expect(scenario.github.deployments(taskOf7)[0]?.statuses).toHaveLength(3);
  });

  test("at the same time", async () => {
    const scenario = await startClosed();
    const { preview } = scenario;

    const runs = await Promise.all([preview("closed"), preview("closed")]);

    expectDeleted(scenario, runs);
  });

  test("while the platform deletes slowly", async () => {
    const { emulator, preview } = await startClosed();
    emulator.addFault({ kind: "slow_delete", seconds: 300 });

    const runs = [await preview("closed"), await preview("closed")];

    expect(runs.map(({ outputs }) => outputs.outcome)).toEqual(["deleted", "deleted"]);
  });
});

test("reopening a pull request while its preview is being deleted waits, and then creates it again", async () => {
  const { emulator, github, open, preview, shut } = await startScenario(immediate);
  open();
  const first = await preview("opened");
  emulator.addFault({ kind: "slow_delete", seconds: 90 });
  shut();
  await preview("closed");
  github.pullRequests.change(7, { state: "open" });

  const reopened = await preview("reopened");

  expect(reopened.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(reopened.outputs.deployment_id).not.toBe(first.outputs.deployment_id);
  expect(reopened.took).toBeGreaterThan(80);
  expect(emulator.deployments()).toHaveLength(1);
  expect(github.comments(7)).toMatchObject([
    { body: expect.stringMatching(/^### ✅ Preview .*: deployed/m) },
  ]);
});
