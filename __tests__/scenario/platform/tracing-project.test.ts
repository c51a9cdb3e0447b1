import { expect, test } from "@jest/globals";
import { type Inputs, type Scenario, startScenario, writes } from "../../support/scenario.ts";

const inputs: Inputs = { delete_tracing_project: "true" };

/** A preview on LangSmith Deployment, whose pull request was closed since. */
async function startWithClosedPreview(): Promise<Scenario> {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  scenario.open();
  expect((await scenario.preview("opened", { inputs })).outputs.outcome).toBe("deployed");
  scenario.shut();
  return scenario;
}

test.each<[string, (scenario: Scenario) => ReturnType<Scenario["run"]>]>([
  ["a preview that is closed", ({ preview }) => preview("closed", { inputs })],
  [
    "a sweep",
    ({ run }) => run("sweep", { inputs: { platform: "langsmith", delete_tracing_project: "true" } }),
  ],
])("%s deletes the tracing project if delete_tracing_project is true", async (_what, remove) => {
  const scenario = await startWithClosedPreview();

  const run = await remove(scenario);

  expect(run.outputs.outcome).toBe("deleted");
  expect(writes(run.requests)).toMatchObject([
    { method: "DELETE", status: 204, query: { delete_tracing_project: ["true"] } },
  ]);
});

test("a preview whose pull request is closed during its deploy is deleted with its tracing project", async () => {
  const scenario = await startScenario({ statusSeconds: 5, platform: "langsmith" });
  scenario.open();
  scenario.clock.at(8_000, () => scenario.shut());

  const run = await scenario.preview("opened", { inputs });

  expect(run.outputs.outcome).toBe("deleted");
  expect(writes(run.requests).at(-1)).toMatchObject({ query: { delete_tracing_project: ["true"] } });
});

test.each([
  ["fails and names delete_tracing_project", "false", "failed"],
  ["is deployed", "true", "deployed"],
])("a preview that is reopened %s if that input was %s when it was closed", async (_, value, outcome) => {
  const scenario = await startWithClosedPreview();
  await scenario.preview("closed", { inputs: { ...inputs, delete_tracing_project: value } });
  scenario.open();

  const run = await scenario.preview("reopened", { inputs });

  expect(run.outputs.outcome).toBe(outcome);
  expect(run.errors.some((message) => message.includes("delete_tracing_project"))).toBe(outcome === "failed");
});

test("a deletion says nothing of the tracing project by default", async () => {
  const scenario = await startWithClosedPreview();

  const run = await scenario.preview("closed");

  expect(writes(run.requests)).toMatchObject([{ method: "DELETE", query: {} }]);
});
