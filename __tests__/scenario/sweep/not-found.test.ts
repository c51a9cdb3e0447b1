import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  type Inputs,
  immediate,
  type Scenario,
  startEmulatorOn,
  startScenario,
} from "../../support/scenario.ts";
import { nameOf, newestState, startWithPreviews, storedNames, sweep } from "./support.ts";

/** The inputs for another control plane, on which the same key and workspace are valid. */
async function anotherControlPlane({ clock }: Scenario): Promise<Inputs> {
  return { control_plane_url: (await startEmulatorOn(clock)).url };
}

async function deleteAll({ emulator, run }: Scenario): Promise<void> {
  for (const { id } of emulator.deployments()) await run("delete", { inputs: { deployment_id: id } });
}

test("a preview whose deployment is gone is listed in neither output, and its record becomes inactive", async () => {
  const scenario = await startWithPreviews([1, 2], [1]);
  await deleteAll(scenario);

  const run = await sweep(scenario);

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [nameOf(2)], warnings: [] });
  expect(run.summary).toContain(`| \`${nameOf(1)}\` | already deleted | its deployment no longer exists |`);
  expect(run.log).toContain("Previews: 1 already deleted, 1 kept.");
  expect([newestState(scenario, 1), newestState(scenario, 2)]).toEqual(["inactive", "success"]);
});

test("a dry run of a sweep leaves the record of a preview that is gone as it is", async () => {
  const scenario = await startWithPreviews([1], [1]);
  await deleteAll(scenario);

  const run = await sweep(scenario, { dry_run: "true" });

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [] });
  expect(newestState(scenario, 1)).toBe("success");
});

describe("a sweep", () => {
  test("of another control plane leaves the previews alone, and the right sweep still deletes them", async () => {
    const scenario = await startScenario(immediate);
    for (const number of [1, 2]) {
      scenario.open({ number });
      await scenario.preview("opened", { number });
      scenario.shut(number);
    }

    const wrong = await sweep(scenario, await anotherControlPlane(scenario));
    const right = await sweep(scenario);

    expect(wrong).toMatchObject({ succeeded: true, deleted: [], kept: [], warnings: [] });
    expect(wrong.notices).toEqual([expect.stringMatching(/2 left alone\..*control_plane_url.*workspace_id/)]);
    expect(wrong.summary).toMatch(/left alone \| .* control plane or workspace/);
    expect(wrong.summary).not.toContain("check `environment`");
    expect(right).toMatchObject({ deleted: [nameOf(2), nameOf(1)], kept: [], notices: [] });
    expect(storedNames(scenario)).toEqual([]);
  });
});

test("a sweep does not count inactive records of another workspace", async () => {
  const scenario = await startScenario(immediate);
  scenario.open();
  await scenario.preview("opened");
  scenario.shut();
  await scenario.preview("closed");

  const run = await sweep(scenario, await anotherControlPlane(scenario));

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [], notices: [] });
});

test.each<readonly ["GET" | "DELETE"]>([["GET"], ["DELETE"]])(
  "a preview whose %s gets a 404 is kept if there is no list either, with what to do, and swept once that is done",
  async (method) => {
    const scenario = await startWithPreviews([1], [1]);
    const body = { detail: "Not Found" };
    const faults = [
      scenario.emulator.addFault(answer({ method, times: "always" }, 404, { body })),
      scenario.emulator.addFault(answer({ path: "/deployments$", times: "always" }, 404, { body })),
    ];

    const run = await sweep(scenario);
    const state = newestState(scenario, 1);
    for (const removeFault of faults) removeFault();
    const again = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [nameOf(1)] });
    expect(run.warnings).toEqual([expect.stringMatching(`${nameOf(1)}.*404.*workspace_id`)]);
    expect(run.summary).toMatch(new RegExp(`\\| \`${nameOf(1)}\` \\| kept \\| .*404.*workspace_id`));
    expect(state).toBe("success");
    expect(again.deleted).toEqual([nameOf(1)]);
  },
);
