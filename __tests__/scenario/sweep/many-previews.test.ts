import { describe, expect, test } from "@jest/globals";
import { recordDeletedPreviews } from "../../support/deleted-previews.ts";
import { answer } from "../../support/faults.ts";
import { actionsLogin, type GitHubFault } from "../../support/github/github-stand-in.ts";
import type { ScenarioRun } from "../../support/scenario.ts";
import { addRecord, nameOf, newestState, startWithPreviews, storedNames, sweep } from "./support.ts";

/** How often a run asked GitHub for the state of one record, and for those of many at once. */
function countStateRequests({ github }: ScenarioRun): { one: number; many: number } {
  return {
    one: github.filter(({ method, path }) => method === "GET" && path.endsWith("/statuses")).length,
    many: github.filter(({ body }) => JSON.stringify(body ?? "").includes("latestStatus")).length,
  };
}

describe("previews that were deleted before", () => {
  test("cost a request for every hundred if there are many", async () => {
    const scenario = await startWithPreviews([1, 2], [1]);
    recordDeletedPreviews(scenario.github, 250);

    const run = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: true, deleted: [nameOf(1)], kept: [nameOf(2)] });
    // The one that was deleted is read again before it becomes inactive.
    expect(countStateRequests(run)).toEqual({ one: 0, many: 4 });
    expect(storedNames(scenario)).toEqual([nameOf(2)]);
    expect([1, 2].map((number) => newestState(scenario, number))).toEqual(["inactive", "success"]);
  });

  test.each([
    ["has no state yet", undefined],
    ["is inactive", "inactive"],
  ])("do not hide one whose newest record %s", async (_what, state) => {
    const scenario = await startWithPreviews([1], [1]);
    const { emulator, github } = scenario;
    recordDeletedPreviews(github, 120);
    const deploymentId = emulator.deployments()[0]?.id;
    const { id } = addRecord(scenario, { deploymentId, name: nameOf(1), pullRequest: 1 });
    if (state !== undefined) github.records.addStatus(id, { state }, actionsLogin);

    const run = await sweep(scenario);

    expect(run.deleted).toEqual([nameOf(1)]);
    expect(storedNames(scenario)).toEqual([]);
  });
});

describe("a sweep of many previews deletes nothing if GitHub responds to the request for their states with", () => {
  const graphql = (body: unknown): GitHubFault => ({ kind: "answer", status: 200, body });

  test.each<[string, GitHubFault, number?]>([
    ["a 502", { kind: "answer", status: 502 }, 3],
    ["a 404", { kind: "answer", status: 404, body: { message: "Not Found" } }],
    ["a reset connection", { kind: "reset" }, 3],
    ["an error of GraphQL", graphql({ errors: [{ message: "Field 'latestStatus' doesn't exist" }] })],
    ["something that is no record", graphql({ data: { nodes: Array(61).fill({}) } })],
    ["nothing", graphql({ data: { nodes: null } })],
  ])("a sweep deletes nothing if GitHub responds with %s", async (_what, fault, attempts = 1) => {
    const scenario = await startWithPreviews([1], [1]);
    recordDeletedPreviews(scenario.github, 60);
    // The first request to GraphQL reads the token's login.
    scenario.github.fail({ ...fault, match: { path: "/graphql$", from: 2, times: "always" } });

    const run = await sweep(scenario);

    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([expect.stringContaining("deployment records")]);
    expect(run.requests).toEqual([]);
    expect(countStateRequests(run)).toEqual({ one: 0, many: attempts });
    expect(storedNames(scenario)).toEqual([nameOf(1)]);
  });
});

test("the summary lists a hundred previews, and counts the others", async () => {
  const numbers = Array.from({ length: 102 }, (_, index) => index + 1);
  const scenario = await startWithPreviews(numbers, [1]);

  const run = await sweep(scenario, { dry_run: "true" });

  expect(run.kept).toHaveLength(101);
  expect(run.summary.match(/^\| `octo-repo/gm)).toHaveLength(100);
  expect(run.summary).toContain(`| \`${nameOf(1)}\` | would be deleted |`);
  expect(run.summary).toContain("2 more: see the outputs `deleted` and `kept`.");
});

test("a sweep, another one and the run for a closed pull request at the same time do what one does", async () => {
  const scenario = await startWithPreviews([1, 2, 3], [1, 3]);

  const [one, other, closed] = await Promise.all([
    sweep(scenario),
    sweep(scenario),
    scenario.preview("closed", { number: 1 }),
  ]);

  for (const run of [one, other, closed]) {
    expect([run.succeeded, ...run.warnings, ...run.errors]).toEqual([true]);
  }
  expect([one.kept, other.kept]).toEqual([[nameOf(2)], [nameOf(2)]]);
  expect(storedNames(scenario)).toEqual([nameOf(2)]);
  expect([1, 2, 3].map((number) => newestState(scenario, number))).toEqual([
    "inactive",
    "success",
    "inactive",
  ]);
});

test("every preview gets its own time, however long those before it took", async () => {
  const scenario = await startWithPreviews([1, 2, 3], [1, 2, 3]);
  for (const { id } of scenario.emulator.deployments()) {
    const match = { method: "DELETE", path: `/${id}$` };
    const headers = { "retry-after": "200" };
    scenario.emulator.addFault(answer(match, 429, { body: { detail: "busy" }, headers }));
    scenario.emulator.addFault({ kind: "answer", match: { ...match, method: "GET" }, status: 503 });
  }

  const run = await sweep(scenario);

  expect(run.errors).toEqual([]);
  expect(run.deleted).toEqual([nameOf(3), nameOf(2), nameOf(1)]);
  expect(storedNames(scenario)).toEqual([]);
});
