import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, startScenario, writes } from "../../support/scenario.ts";

/** The next lists of deployments have these pages. */
async function startWithPages(...pages: readonly (readonly object[])[]) {
  const scenario = await startScenario({ statusSeconds: 0 });
  const { id } = await scenario.existing();
  for (const [index, shown] of pages.entries()) {
    const resources = shown.map((one) => ({ id, name: "agent", ...one }));
    const body = { resources, offset: 0 };
    scenario.emulator.addFault(answer("GET ^/v2/deployments$", 200, { body, from: index + 1 }));
  }
  return { ...scenario, id };
}

const other = { id: "other-id" };
const fullPage = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, name: `agent-${index}` }));

test.each([
  ["on one page", [[{}, other]]],
  ["on two pages", [[...fullPage.slice(1), {}], [other]]],
])("two deployments of one name %s can't be told apart, so nothing is sent", async (_where, pages) => {
  const { deploy, id } = await startWithPages(...pages);

  const run = await deploy();

  expectError(run, "Several deployments are named agent", id, "other-id", "deployment_id");
  expect(run.outputs.outcome).toBe("failed");
  expect(writes(run.requests)).toEqual([]);
});

test.each([
  ["is being deleted", [[{ ...other, status: "AWAITING_DELETE" }, {}]]],
  ["has another name", [[{ ...other, name: "agent-2" }, {}]]],
])("a deployment of the name is updated if another one that is listed %s", async (_what, pages) => {
  const { deploy, id } = await startWithPages(...pages);

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id });
});
