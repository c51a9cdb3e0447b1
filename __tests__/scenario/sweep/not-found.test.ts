import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { recordDeletedPreviews } from "../../support/deleted-previews.ts";
import { answer } from "../../support/faults.ts";
import { immediate, type PreviewScenario, startPreviewScenario } from "../../support/preview-scenario.ts";
import { type Inputs, startEmulatorOn, writes } from "../../support/scenario.ts";
import { addRecord, nameOf, newestState, startWithPreviews, storedNames, sweep } from "./support.ts";

/** The inputs for another control plane, on which the same key and workspace are valid. */
async function anotherControlPlane({ clock }: PreviewScenario): Promise<Inputs> {
  return { control_plane_url: (await startEmulatorOn(clock)).url };
}

async function deleteAll({ emulator, run }: PreviewScenario): Promise<void> {
  for (const { id } of emulator.deployments()) await run("delete", { inputs: { deployment_id: id } });
}

function notFound(match: Extract<FaultRule, { kind: "answer" }>["match"]): FaultRule {
  const always = { times: "always", ...match } as const;
  return answer(always, 404, { body: { detail: "Not Found" } });
}

test("a preview whose deployment is gone is listed in neither output, and its record becomes inactive", async () => {
  const scenario = await startWithPreviews([1, 2], [1]);
  await deleteAll(scenario);

  const run = await sweep(scenario);

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [nameOf(2)], warnings: [] });
  expect(run.notices).toEqual([expect.stringMatching(`${nameOf(1)}.*no longer exists`)]);
  expect(run.summary).toContain(`| \`${nameOf(1)}\` | already deleted |`);
  expect(run.log).toContain("0 deleted, 1 kept, 1 already deleted");
  expect([newestState(scenario, 1), newestState(scenario, 2)]).toEqual(["inactive", "success"]);
});

test("a dry run of a sweep leaves the record of a preview that is gone as it is", async () => {
  const scenario = await startWithPreviews([1], [1]);
  await deleteAll(scenario);

  const run = await sweep(scenario, { dry_run: "true" });

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [] });
  expect(newestState(scenario, 1)).toBe("success");
});

describe.each([
  ["few", 0],
  ["many", 60],
])("among %s records, a sweep", (_title, inactive) => {
  test("of another control plane leaves the previews alone, and the right sweep still deletes them", async () => {
    const scenario = await startPreviewScenario(immediate);
    recordDeletedPreviews(scenario.github, inactive);
    for (const number of [1, 2]) {
      scenario.open({ number });
      await scenario.preview("opened", { number });
      scenario.shut(number);
    }

    const wrong = await sweep(scenario, await anotherControlPlane(scenario));
    const right = await sweep(scenario);

    expect(wrong).toMatchObject({ succeeded: true, deleted: [], kept: [], warnings: [] });
    expect(wrong.notices).toEqual([expect.stringMatching(/^2 previews .*control_plane_url.*workspace_id/)]);
    expect(wrong.summary).toContain("2 previews were left alone");
    expect(wrong.summary).not.toContain("check `environment`");
    expect(right).toMatchObject({ deleted: [nameOf(2), nameOf(1)], kept: [], notices: [] });
    expect(storedNames(scenario)).toEqual([]);
  });
});

test("a sweep does not count inactive records of another workspace", async () => {
  const scenario = await startPreviewScenario(immediate);
  scenario.open();
  await scenario.preview("opened");
  scenario.shut();
  await scenario.preview("closed");

  const run = await sweep(scenario, await anotherControlPlane(scenario));

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [], notices: [] });
});

describe("a preview is kept with what to do, and swept once that is done, if it was not found and", () => {
  const list = "^/v2/deployments$";

  test.each<[string, readonly FaultRule[], string]>([
    ["every response is a 404", [notFound({})], "workspace_id"],
    ["there is no list", [notFound({ path: "/v2/deployments/" }), notFound({ path: list })], "workspace_id"],
    [
      "only the first page of the list can be read",
      [notFound({ path: "/v2/deployments/" }), notFound({ path: list, from: 2 })],
      "workspace_id",
    ],
    ["the platform lists it", [notFound({ path: "/v2/deployments/" })], "lists it"],
    ["the platform lists it after a DELETE", [notFound({ method: "DELETE" })], "lists it"],
  ])("a preview is kept if it was not found and %s", async (_when, faults, fact) => {
    const scenario = await startWithPreviews([1], [1]);
    const undo = faults.map((fault) => scenario.emulator.addFault(fault));

    const run = await sweep(scenario);
    const state = newestState(scenario, 1);
    for (const removeFault of undo) removeFault();
    const again = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [nameOf(1)] });
    expect([run.outputs.outcome, again.outputs.outcome]).toEqual(["skipped", "deleted"]);
    expect(run.warnings).toEqual([expect.stringMatching(`${nameOf(1)}.*404.*${fact}`)]);
    expect(run.summary).toMatch(new RegExp(`\\| \`${nameOf(1)}\` \\| kept \\| .*404.*${fact}`));
    expect(state).toBe("success");
    expect(again.deleted).toEqual([nameOf(1)]);
  });
});

describe("a preview that an older version recorded", () => {
  async function startWithOldRecord(deploymentId?: string): Promise<PreviewScenario> {
    const scenario = await startPreviewScenario(immediate);
    scenario.open({ number: 1 });
    scenario.shut(1);
    const { outputs } = await scenario.run("deploy", { inputs: { name: nameOf(1) } });
    const id = deploymentId ?? outputs.deployment_id;
    addRecord(scenario, { deploymentId: id, name: nameOf(1), pullRequest: 1, digest: null });
    return scenario;
  }

  test("is deleted if its deployment is there", async () => {
    const scenario = await startWithOldRecord();

    const run = await sweep(scenario);

    expect(run).toMatchObject({ deleted: [nameOf(1)], kept: [] });
    expect(newestState(scenario, 1)).toBe("inactive");
  });

  test("is kept with a warning if its deployment was not found", async () => {
    const scenario = await startWithOldRecord("somewhere-else");

    const run = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [nameOf(1)] });
    expect(run.warnings).toEqual([expect.stringMatching(`${nameOf(1)}.*older version.*workspace_id`)]);
    expect(newestState(scenario, 1)).toBeUndefined();
    expect(writes(run.requests)).toEqual([]);
  });
});
