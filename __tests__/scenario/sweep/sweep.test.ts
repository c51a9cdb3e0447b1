import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { type Inputs, immediate, startScenario, writes } from "../../support/scenario.ts";
import { addRecord, nameOf, newestState, startWithPreviews, storedNames, sweep } from "./support.ts";

test("a sweep deletes the previews of closed and merged pull requests, and keeps the others", async () => {
  const scenario = await startScenario(immediate);
  for (const number of [1, 2, 3, 12]) {
    scenario.open({ number });
    await scenario.preview("opened", { number });
  }
  scenario.shut(1);
  scenario.github.pullRequests.change(3, { state: "closed", merged: true });

  const run = await sweep(scenario);

  expect([run.succeeded, run.outputs.outcome]).toEqual([true, "deleted"]);
  expect(run.deleted).toEqual([nameOf(3), nameOf(1)]);
  expect(run.kept).toEqual([nameOf(12), nameOf(2)]);
  expect(storedNames(scenario)).toEqual([nameOf(2), nameOf(12)]);
  expect([1, 2, 3, 12].map((number) => newestState(scenario, number))).toEqual([
    "inactive",
    "success",
    "inactive",
    "success",
  ]);
  expect([...run.warnings, ...run.errors]).toEqual([]);
  expect(run.summary).toMatch(/\| `octo-repo-7739a-pr-1` \| deleted \| .*#1.* closed/);
  expect(run.summary).toMatch(/\| `octo-repo-7739a-pr-2` \| kept \| .*#2.* open/);
});

test("a sweep makes all records of a deleted preview inactive", async () => {
  const scenario = await startWithPreviews([1], []);
  await scenario.preview("synchronize", { number: 1 });
  const [, older] = scenario.github.deployments();
  scenario.github.records.addStatus(older?.id ?? 0, { state: "in_progress" }, actionsLogin);
  scenario.shut(1);

  await sweep(scenario);

  const states = scenario.github.deployments().map(({ statuses }) => statuses[0]?.state);
  expect(states).toEqual(["inactive", "inactive"]);
});

test("a second sweep asks neither the platform nor GitHub about what the first deleted", async () => {
  const scenario = await startWithPreviews([1, 2], [1]);
  await sweep(scenario);

  const run = await sweep(scenario);

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [nameOf(2)], requests: [] });
  expect(run.github.filter(({ path }) => path.endsWith("/pulls/1"))).toEqual([]);
});

test("a sweep without previews succeeds", async () => {
  const run = await sweep(await startWithPreviews([], []));

  expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [], outputs: { outcome: "deleted" } });
  expect(run.summary).toContain("## 🗑️ Sweep: nothing to delete\n");
  expect(run.summary).toContain("If there are previews, check `environment`.");
  expect(run.summary).not.toContain("| Preview |");
});

describe("max_age_days", () => {
  const day = 86_400;

  test("deletes previews whose newest record is older, although their pull request is open", async () => {
    const scenario = await startWithPreviews([1, 2], []);
    await scenario.pass(5 * day);
    await scenario.preview("synchronize", { number: 2 });
    await scenario.pass(5 * day);

    const withoutLimit = await sweep(scenario);
    const run = await sweep(scenario, { max_age_days: "7" });

    expect(withoutLimit.deleted).toEqual([]);
    expect(run).toMatchObject({ deleted: [nameOf(1)], kept: [nameOf(2)] });
  });

  test("does not replace the reason that a pull request is closed", async () => {
    const scenario = await startWithPreviews([1], [1]);
    await scenario.pass(8 * day);

    const run = await sweep(scenario, { max_age_days: "7" });

    expect(run.summary).toMatch(/\| `octo-repo-7739a-pr-1` \| deleted \| .*#1.* closed/);
  });

  test.each(["0", "-1", "soon", "1.5"])("of %s is refused without a request", async (max_age_days) => {
    const run = await sweep(await startWithPreviews([], []), { max_age_days });

    expect(run.errors).toEqual([expect.stringContaining("max_age_days")]);
    expect(run).toMatchObject({ deleted: [], kept: [], outputs: { outcome: "failed" }, github: [] });
  });
});

describe("the dry run of a sweep", () => {
  test("shows what would be deleted, and changes nothing", async () => {
    const scenario = await startWithPreviews([1, 2], [1]);
    const before = scenario.github.deployments();

    const run = await sweep(scenario, { dry_run: "true" });

    expect([run.succeeded, run.outputs.outcome]).toEqual([true, "planned"]);
    expect(run).toMatchObject({ deleted: [nameOf(1)], kept: [nameOf(2)] });
    expect(run.log).toContain("1 would be deleted, 1 kept");
    expect(run.summary).toMatch(/\| `octo-repo-7739a-pr-1` \| would be deleted \| .*#1.* closed/);
    expect(writes(run.requests)).toEqual([]);
    expect(storedNames(scenario)).toHaveLength(2);
    expect(scenario.github.deployments()).toEqual(before);
  });

  test("does not claim a deletion if something fails", async () => {
    const scenario = await startWithPreviews([1, 2], [1, 2]);
    scenario.github.fail(answer("/pulls/2$", 404, { body: { message: "Not Found" }, times: "always" }));

    const run = await sweep(scenario, { dry_run: "true" });

    expect(run.outputs.outcome).toBe("failed");
    expect(run.summary).toContain("| `octo-repo-7739a-pr-1` | would be deleted |");
  });
});

test("a sweep only deletes previews of the given environment", async () => {
  const scenario = await startScenario(immediate);
  const inputs = { environment: "Staging previews" };
  scenario.open({ number: 1 });
  await scenario.preview("opened", { number: 1, inputs });
  scenario.shut(1);

  const ofDefault = await sweep(scenario);
  const ofStaging = await sweep(scenario, inputs);

  expect([ofDefault.deleted, ofStaging.deleted]).toEqual([[], [nameOf(1)]]);
});

describe("a sweep", () => {
  test("leaves alone what its own records do not name as a preview", async () => {
    const scenario = await startWithPreviews([7], [7]);
    const { outputs } = await scenario.run("deploy", { inputs: { name: "production" } });
    const record = { deploymentId: outputs.deployment_id, name: "production", pullRequest: 7 };
    const records = [
      addRecord(scenario, { ...record, name: nameOf(8), login: "mallory" }),
      addRecord(scenario, { ...record, name: nameOf(7), login: "mallory" }),
      addRecord(scenario, { ...record, task: `preview:${nameOf(9)}` }),
      addRecord(scenario, { ...record, name: nameOf(10), pullRequest: undefined }),
      addRecord(scenario, { ...record, task: "deploy:production" }),
      addRecord(scenario, { ...record, name: "deploy", task: "deploy" }),
    ];

    const run = await sweep(scenario, { max_age_days: "1" });

    expect(run).toMatchObject({ succeeded: true, deleted: [nameOf(7)], kept: [] });
    expect(storedNames(scenario)).toEqual(["production"]);
    for (const { id } of records) expect(scenario.github.statuses(id)).toEqual([]);
    // A record of somebody else beside this action's own is no preview of its own.
    expect(run.notices).toEqual([expect.stringMatching(/ 3 left alone\./)]);
  });

  test("leaves alone a deployment that shows another name than its record", async () => {
    const scenario = await startScenario(immediate);
    scenario.open();
    scenario.shut();
    const { outputs } = await scenario.run("deploy", { inputs: { name: "production" } });
    addRecord(scenario, { deploymentId: outputs.deployment_id, name: nameOf(7), pullRequest: 7 });

    const run = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: true, deleted: [], kept: [] });
    expect(storedNames(scenario)).toEqual(["production"]);
    expect(run.notices).toEqual([expect.stringMatching(/ 1 left alone\./)]);
    expect(run.summary).toMatch(/left alone \| its deployment is named `production`/);
  });
});

test("a record that can't be marked is a warning, and the next sweep marks it", async () => {
  const scenario = await startWithPreviews([1], [1]);
  scenario.github.fail(answer("POST /statuses$", 403));

  const first = await sweep(scenario);
  const second = await sweep(scenario);

  expect(first).toMatchObject({ succeeded: true, deleted: [nameOf(1)] });
  expect(first.warnings).toEqual([expect.stringContaining("deployments: write")]);
  expect(second.succeeded).toBe(true);
  expect(newestState(scenario, 1)).toBe("inactive");
});

test.each<[string, Inputs, string]>([
  ["the records can't be read", {}, "deployments: write"],
  ["there is no token", { github_token: "" }, "github_token"],
])("a sweep fails if %s", async (_title, inputs, fact) => {
  const scenario = await startWithPreviews([1], [1]);
  scenario.github.permissions = { ...scenario.github.permissions, deployments: "none" };

  const run = await sweep(scenario, inputs);

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringContaining(fact)]);
  expect(storedNames(scenario)).toEqual([nameOf(1)]);
});
