import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import type { PreviewScenario } from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";
import { nameOf, startWithPreviews, storedNames, sweep } from "./support.ts";

const all = [1, 2, 3];

/** Sweeps are in the order of the newest record: 3, 2, 1. */
function startAllClosed(): Promise<PreviewScenario> {
  return startWithPreviews(all, all);
}

type SetUp = (scenario: PreviewScenario) => unknown;
const nothing: SetUp = () => undefined;

describe("a sweep stops with one error at what every preview would meet:", () => {
  const forbidPullRequests: SetUp = ({ github }) => {
    github.permissions = { ...github.permissions, pull_requests: "none" };
  };
  const forbidRecords: SetUp = ({ github }) => {
    github.permissions = { ...github.permissions, deployments: "none" };
  };
  const failGitHub: SetUp = ({ github }) => github.fail(answer("any", 502, { times: "always" }));

  test.each<[string, Inputs, SetUp, readonly string[]]>([
    ["a wrong key", { api_key: "wrong" }, nothing, ["401", "api_key", "0 of 3"]],
    ["a missing permission", {}, forbidPullRequests, ["403", "pull-requests: read", "0 of 3"]],
    ["records that can't be read", {}, forbidRecords, ["403", "deployments: write"]],
    ["a GitHub that is down", {}, failGitHub, ["502", "deployment records"]],
  ])("a sweep stops at %s", async (_what, inputs, setUp, facts) => {
    const scenario = await startAllClosed();
    setUp(scenario);

    const run = await sweep(scenario, inputs);

    expect(run).toMatchObject({ succeeded: false, deleted: [], kept: [], outputs: { outcome: "failed" } });
    expect(run.errors).toHaveLength(1);
    for (const fact of facts) expect(run.errors[0]).toContain(fact);
    expect(run.summary).toContain("What to do next");
    expect(run.requests.length).toBeLessThanOrEqual(1);
    expect(run.took).toBeLessThan(5);
    expect(storedNames(scenario)).toHaveLength(3);
  });

  test("a refused token in the middle, and reports what was deleted before", async () => {
    const scenario = await startWithPreviews(all, [2, 3]);
    scenario.github.fail(answer("/pulls/1$", 401, { times: "always" }));

    const run = await sweep(scenario);

    expect(run.deleted).toEqual([nameOf(3), nameOf(2)]);
    expect(run.errors).toEqual([expect.stringMatching(/2 of 3 .*2 deleted, 0 kept.*github_token/)]);
    expect(run.summary).toContain(`| \`${nameOf(3)}\` | deleted |`);
  });
});

describe("a sweep stops at the second preview in a row that meets", () => {
  const html = answer("any", 404, { body: "<html>", times: "always" });

  test.each<[string, Inputs, SetUp, string]>([
    ["a wrong workspace", { workspace_id: "wrong" }, nothing, "workspace_id"],
    ["an address without the API", {}, ({ emulator }) => emulator.addFault(html), "control_plane_url"],
    [
      "an address without a server",
      { control_plane_url: "http://127.0.0.1:1" },
      nothing,
      "control_plane_url",
    ],
    [
      "connections that break in different ways",
      {},
      ({ emulator }) => {
        emulator.addFault({ kind: "reset", match: { times: 5 } });
        emulator.addFault({ kind: "cut", match: { from: 6, times: "always" } });
      },
      "control_plane_url",
    ],
  ])("a sweep stops at the second preview in a row after %s", async (_what, inputs, setUp, input) => {
    // Records of older versions do not show that they are of another control plane or workspace.
    const scenario = await startWithPreviews(all, all, null);
    setUp(scenario);

    const run = await sweep(scenario, inputs);

    expect(run.errors).toEqual([
      expect.stringContaining(nameOf(3)),
      expect.stringMatching(/1 of 3 .*0 deleted, 0 kept, 1 failed/),
    ]);
    expect(run.errors[1]).toContain(input);
    expect(storedNames(scenario)).toHaveLength(3);
  });
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
    expect(run.errors).toEqual([expect.stringContaining(nameOf(2)), expect.stringContaining(nameOf(2))]);
    const [row = ""] = run.summary.split("\n").filter((line) => line.startsWith(`| \`${nameOf(2)}\``));
    expect(row).toContain("❌ failed");
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

test("of many failures eight and the ending are annotations, and the log and the summary have all", async () => {
  const numbers = Array.from({ length: 12 }, (_item, index) => index + 1);
  const scenario = await startWithPreviews(numbers, numbers);
  scenario.emulator.addFault(answer("DELETE", 400, { body: { detail: "it | is stuck" }, times: "always" }));

  const run = await sweep(scenario);

  expect(run.errors).toHaveLength(9);
  expect(run.errors.at(-1)).toContain("12 failed");
  for (const number of numbers) {
    expect(run.log).toMatch(new RegExp(`^${nameOf(number)}: .*400.*it \\| is stuck`, "m"));
    expect(run.summary).toMatch(
      new RegExp(`\\| \`${nameOf(number)}\` \\| ❌ failed \\| .*it \\\\\\| is stuck`),
    );
  }
});

describe("the summary of a cancelled sweep", () => {
  test("shows a preview whose deletion is not confirmed", async () => {
    const scenario = await startWithPreviews([1, 2], [1, 2]);
    const { emulator, start, until } = scenario;
    emulator.addFault({ kind: "hang", match: { method: "DELETE", from: 2 }, applied: true });
    const { cancel, ended } = start("sweep");
    await until(() => emulator.requests.filter(({ method }) => method === "DELETE").length === 2);
    cancel();

    const run = await ended;

    expect(run.outputs).toMatchObject({ outcome: "cancelled", deleted: JSON.stringify([nameOf(2)]) });
    expect(run.summary).toContain(`| \`${nameOf(1)}\` | ❌ deletion not confirmed |`);
    expect(run.summary).toContain(`| \`${nameOf(2)}\` | deleted |`);
  });

  test("does not show a preview whose deletion had not begun", async () => {
    const scenario = await startWithPreviews([1, 2], [1, 2]);
    const { clock, emulator, start } = scenario;
    emulator.addFault(answer("DELETE", 400));
    // The cancel comes during the delay before the retry.
    const id = emulator.deployments().find(({ name }) => name === nameOf(1))?.id;
    emulator.addFault(answer(`GET /${id}$`, 503));
    const { cancel, ended } = start("sweep");
    clock.at(clock.elapsed() + 100, cancel);

    const run = await ended;

    expect(run.outputs.outcome).toBe("cancelled");
    expect(run.summary).toContain(`| \`${nameOf(2)}\` | ❌ failed |`);
    expect(run.summary).not.toContain(`| \`${nameOf(1)}\``);
  });
});
