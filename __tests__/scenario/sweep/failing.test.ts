import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import type { Inputs, Scenario } from "../../support/scenario.ts";
import { nameOf, startWithPreviews, storedNames, sweep } from "./support.ts";

const all = [1, 2, 3];

/** Sweeps are in the order of the newest record: 3, 2, 1. */
function startAllClosed(): Promise<Scenario> {
  return startWithPreviews(all, all);
}

type SetUp = (scenario: Scenario) => unknown;

describe("a sweep fails with one error if the records can't be read, because", () => {
  test.each<[string, SetUp, readonly string[]]>([
    [
      "a permission is missing",
      ({ github }) => {
        github.permissions = { ...github.permissions, deployments: "none" };
      },
      ["403", "deployments: write"],
    ],
    [
      "GitHub is down",
      ({ github }) => github.fail(answer("any", 502, { times: "always" })),
      ["502", "deployment records"],
    ],
  ])("a sweep fails with one error if %s", async (_what, setUp, facts) => {
    const scenario = await startAllClosed();
    setUp(scenario);

    const run = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: false, deleted: [], kept: [], outputs: { outcome: "failed" } });
    expect(run.errors).toHaveLength(1);
    for (const fact of facts) expect(run.errors[0]).toContain(fact);
    expect(run.requests).toEqual([]);
    expect(storedNames(scenario)).toHaveLength(3);
  });
});

test.each<[string, Inputs, SetUp, string]>([
  ["a wrong key", { api_key: "wrong" }, () => undefined, "api_key"],
  [
    "pull requests that the token may not read",
    {},
    ({ github }) => {
      github.permissions = { ...github.permissions, pull_requests: "none" };
    },
    "pull-requests: read",
  ],
])("after %s every failure says what to do", async (_what, inputs, setUp, fact) => {
  const scenario = await startAllClosed();
  setUp(scenario);

  const run = await sweep(scenario, inputs);

  expect(run.errors).toEqual(
    [3, 2, 1].map((number) => expect.stringMatching(`^${nameOf(number)}: .*${fact}`)),
  );
  expect(run.log).toContain(
    "Previews: 3 failed. What to do next: Correct what the failures name. The next sweep tries again.",
  );
  expect(storedNames(scenario)).toHaveLength(3);
});

describe("a sweep continues with the other previews, and fails at the end, after", () => {
  const ofTwo = { path: "/pulls/2$", times: "always" } as const;

  test.each<[string, SetUp, readonly string[]]>([
    [
      "a deletion that the platform refuses",
      ({ emulator }) => {
        emulator.addFault(answer("DELETE", 400, { body: { detail: "it | is stuck" }, from: 2 }));
      },
      ["400", "stuck"],
    ],
    [
      "a deployment of another workspace",
      ({ emulator }) => emulator.addFault(answer("DELETE", 403, { from: 2 })),
      ["403", "workspace_id"],
    ],
    [
      "a pull request that GitHub does not show",
      ({ github }) => github.fail(answer(ofTwo, 502)),
      ["502", "pull-requests: read"],
    ],
    [
      "a response about another pull request",
      ({ github }) => github.fail(answer(ofTwo, 200, { body: { number: 99, state: "closed" } })),
      ["pull request"],
    ],
  ])("a sweep continues after %s", async (_what, setUp, facts) => {
    const scenario = await startAllClosed();
    setUp(scenario);

    const run = await sweep(scenario);

    expect([run.succeeded, run.outputs.outcome]).toEqual([false, "failed"]);
    expect(run.deleted).toEqual([nameOf(3), nameOf(1)]);
    expect(storedNames(scenario)).toEqual([nameOf(2)]);
    expect(run.errors).toEqual([expect.stringContaining(nameOf(2))]);
    const [row = ""] = run.summary.split("\n").filter((line) => line.startsWith(`| \`${nameOf(2)}\``));
    expect(row).toContain("| failed |");
    for (const fact of facts) {
      expect(run.errors[0]).toContain(fact);
      expect(row.replaceAll("`", "")).toContain(fact);
    }
  });
});

test("the next sweep deletes what the one before could not", async () => {
  const scenario = await startAllClosed();
  scenario.emulator.addFault(answer("DELETE", 400, { from: 2 }));

  const runs = [await sweep(scenario), await sweep(scenario)];

  expect(runs.map(({ deleted }) => deleted)).toEqual([[nameOf(3), nameOf(1)], [nameOf(2)]]);
  expect(storedNames(scenario)).toEqual([]);
});

test("of many failures each is an error, and the summary has all", async () => {
  const numbers = Array.from({ length: 12 }, (_item, index) => index + 1);
  const scenario = await startWithPreviews(numbers, numbers);
  scenario.emulator.addFault(answer("DELETE", 400, { body: { detail: "it | is stuck" }, times: "always" }));

  const run = await sweep(scenario);

  expect(run.errors).toHaveLength(12);
  for (const number of numbers) {
    expect(run.log).toMatch(new RegExp(`^${nameOf(number)}: .*400.*it \\| is stuck`, "m"));
    expect(run.summary).toMatch(new RegExp(`\\| \`${nameOf(number)}\` \\| failed \\| .*it \\\\\\| is stuck`));
  }
});

test("a sweep that is cancelled after a deletion does not say that nothing was sent", async () => {
  const scenario = await startWithPreviews([1, 2], [1, 2]);
  const { emulator, start, until } = scenario;
  const path = "^/v2/deployments/[^/]+$";
  emulator.addFault({ kind: "hang", match: { method: "GET", path, from: 2 } });
  const { cancel, ended } = start("sweep");
  await until(() => emulator.requests.filter(({ method }) => method === "DELETE").length === 1);
  await until(() => emulator.requests.at(-1)?.method === "GET");
  cancel();

  const run = await ended;

  expect(run.outputs).toMatchObject({ outcome: "cancelled", deleted: JSON.stringify([nameOf(2)]) });
  expect(`${run.log}${run.summary}`).not.toContain("No changes were sent");
});

test("a cancelled sweep reports what it deleted, and that a deletion is not confirmed", async () => {
  const scenario = await startWithPreviews([1, 2], [1, 2]);
  const { emulator, start, until } = scenario;
  emulator.addFault({ kind: "hang", match: { method: "DELETE", from: 2 }, applied: true });
  const { cancel, ended } = start("sweep");
  await until(() => emulator.requests.filter(({ method }) => method === "DELETE").length === 2);
  cancel();

  const run = await ended;

  expect(run.outputs).toMatchObject({ outcome: "cancelled", deleted: JSON.stringify([nameOf(2)]) });
  expect(run.summary.replaceAll("`", "")).toContain(`deletion of deployment ${nameOf(1)} may have succeeded`);
  expect(run.summary).toContain(`| \`${nameOf(2)}\` | deleted |`);
});
