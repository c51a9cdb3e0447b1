import { describe, expect, test } from "@jest/globals";
import { bury } from "../../support/buried-previews.ts";
import { actionsLogin, type GitHubFault } from "../../support/github/github-stand-in.ts";
import type { PreviewScenario, RecordedRun } from "../../support/preview-scenario.ts";
import { nameOf, names, newestState, previews, sweep } from "./support.ts";

/** How often a run asked GitHub for the states of one record, and for those of many. */
function stateRequests({ github }: RecordedRun): { one: number; many: number } {
  return {
    one: github.filter(({ method, path }) => method === "GET" && path.endsWith("/statuses")).length,
    many: github.filter(({ body }) => JSON.stringify(body ?? "").includes("latestStatus")).length,
  };
}

describe("what was deleted long ago", () => {
  test("costs a request for a hundred previews where there are many", async () => {
    const scenario = await previews([1, 2], [1]);
    bury(scenario.github, 250);
    const { run, deleted, kept } = await sweep(scenario);
    expect({ deleted, kept }).toEqual({ deleted: [nameOf(1)], kept: [nameOf(2)] });
    expect(run.succeeded).toBe(true);
    // One for each of the two whose turn comes, and one to make the deleted one's record inactive.
    expect(stateRequests(run)).toEqual({ one: 3, many: 3 });
    expect(names(scenario)).toEqual([nameOf(2)]);
    expect([1, 2].map((number) => newestState(scenario, number))).toEqual(["inactive", "success"]);
  });

  test("costs a request of REST's each where there are few", async () => {
    const scenario = await previews([1], []);
    bury(scenario.github, 49);
    const { run, kept } = await sweep(scenario);
    expect(kept).toEqual([nameOf(1)]);
    expect(stateRequests(run)).toEqual({ one: 50, many: 0 });
  });

  test("doesn't hide one whose record has no state yet", async () => {
    const scenario = await previews([1], [1]);
    bury(scenario.github, 60);
    const [deployment] = scenario.emulator.deployments();
    const payload = { deployment_id: deployment?.id, revision_id: "r", name: nameOf(1), pull_request: 1 };
    const task = `preview:${nameOf(1)}`;
    scenario.github.records.add({ ref: "main", task, environment: "Preview", payload }, actionsLogin);
    expect((await sweep(scenario)).deleted).toEqual([nameOf(1)]);
  });
});

test.each([0, 60])(
  "an inactive newest record doesn't hide an active one before it, among %d others",
  async (others) => {
    const scenario = await previews([1], [1]);
    bury(scenario.github, others);
    const [deployment] = scenario.emulator.deployments();
    const payload = { deployment_id: deployment?.id, revision_id: "r", name: nameOf(1), pull_request: 1 };
    const task = `preview:${nameOf(1)}`;
    const { records } = scenario.github;
    const skipped = records.add({ ref: "main", task, environment: "Preview", payload }, actionsLogin);
    records.addStatus(skipped.id, { state: "inactive" }, actionsLogin);
    expect((await sweep(scenario)).deleted).toEqual([nameOf(1)]);
    expect(names(scenario)).toEqual([]);
  },
);

describe("where GitHub doesn't tell the states of many, nothing is swept", () => {
  const graphql = (body: unknown): GitHubFault => ({ kind: "answer", status: 200, body });
  const inactive = { latestStatus: { state: "INACTIVE" } };

  test.each<[string, GitHubFault, number?]>([
    ["a 502", { kind: "answer", status: 502 }, 3],
    ["no such endpoint", { kind: "answer", status: 404, body: { message: "Not Found" } }],
    ["a connection that breaks", { kind: "reset" }, 3],
    ["an error of GraphQL's", graphql({ errors: [{ message: "Field 'latestStatus' doesn't exist" }] })],
    ["too few states", graphql({ data: { nodes: Array(60).fill(inactive) } })],
    ["something that is no record", graphql({ data: { nodes: Array(61).fill({}) } })],
    ["nothing", graphql({ data: { nodes: null } })],
  ])("%s", async (_what, fault, attempts = 1) => {
    const scenario = await previews([1], [1]);
    bury(scenario.github, 60);
    // The first request to GraphQL asks for the token's login.
    scenario.github.fail({ ...fault, match: { path: "/graphql$", from: 2, times: "always" } });
    const { run } = await sweep(scenario);
    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([expect.stringContaining("reading the deployment records failed")]);
    expect(run.errors[0]).toContain('"deployments: write"');
    expect(run.requests).toEqual([]);
    expect(stateRequests(run)).toEqual({ one: 0, many: attempts });
    expect(names(scenario)).toEqual([nameOf(1)]);
  });
});

describe.each([
  ["few", 0],
  ["many", 60],
])("among %s previews", (_title, dead) => {
  async function amongThem(numbers: readonly number[], closed: readonly number[]): Promise<PreviewScenario> {
    const scenario = await previews(numbers, closed);
    bury(scenario.github, dead);
    return scenario;
  }

  test("one that is deployed anew before its turn comes stays", async () => {
    const scenario = await amongThem([1, 2], []);
    const { clock, github } = scenario;
    await scenario.pass(10 * 86_400);
    const [older] = github.deployments(`preview:${nameOf(1)}`);
    const [other] = github.deployments(`preview:${nameOf(2)}`);
    // That of pull request 2 takes its time: two writes, a second apart.
    const payload = other?.payload ?? {};
    const again = { ref: "main", task: `preview:${nameOf(2)}`, environment: "Preview" };
    github.records.add({ ...again, payload: Object(payload) }, actionsLogin);
    await scenario.pass(10 * 86_400);
    clock.at(clock.elapsed() + 500, () => {
      github.records.addStatus(older?.id ?? 0, { state: "inactive" }, actionsLogin);
    });
    const { deleted, kept } = await sweep(scenario, { max_age_days: "7" });
    expect({ deleted, kept }).toEqual({ deleted: [nameOf(2)], kept: [] });
    expect(names(scenario)).toEqual([nameOf(1)]);
  });

  test("two sweeps at the same time do what one does", async () => {
    const scenario = await amongThem([1, 2, 3], [1, 3]);
    const foreign = { deployment_id: "x", revision_id: "r", name: nameOf(2), pull_request: 1 };
    const task = `preview:${nameOf(2)}`;
    const { records } = scenario.github;
    const { id } = records.add({ ref: "main", task, environment: "Preview", payload: foreign }, "mallory");
    const swept = await Promise.all([sweep(scenario), sweep(scenario)]);
    for (const { run, kept } of swept) {
      expect(run.succeeded).toBe(true);
      expect([...run.warnings, ...run.errors]).toEqual([]);
      expect(kept).toEqual([nameOf(2)]);
    }
    expect(new Set(swept.flatMap(({ deleted }) => deleted))).toEqual(new Set([nameOf(1), nameOf(3)]));
    expect(names(scenario)).toEqual([nameOf(2)]);
    expect(newestState(scenario, 1)).toBe("inactive");
    expect(newestState(scenario, 3)).toBe("inactive");
    expect(scenario.github.statuses(id)).toEqual([]);
    const [, own] = scenario.github.deployments(task);
    expect(own?.statuses[0]?.state).toBe("success");
  });

  test("a sweep and the closing of the pull request at the same time do what one does", async () => {
    const scenario = await amongThem([1, 2], [1]);
    const [swept, closed] = await Promise.all([sweep(scenario), scenario.preview("closed", { number: 1 })]);
    expect([swept.run.succeeded, closed.succeeded]).toEqual([true, true]);
    expect([...swept.run.errors, ...closed.errors]).toEqual([]);
    expect(names(scenario)).toEqual([nameOf(2)]);
    expect(newestState(scenario, 1)).toBe("inactive");
  });
});

test("each preview has its own time, however long those before it took", async () => {
  const scenario = await previews([1, 2, 3], [1, 2, 3]);
  for (const { id } of scenario.emulator.deployments()) {
    const match = { method: "DELETE", path: `/${id}$` };
    const headers = { "retry-after": "200" };
    scenario.emulator.misbehave({ kind: "answer", match, status: 429, headers, body: { detail: "busy" } });
    scenario.emulator.misbehave({ kind: "answer", match: { ...match, method: "GET" }, status: 503 });
  }
  const { run, deleted } = await sweep(scenario);
  expect(run.errors).toEqual([]);
  expect(deleted).toEqual([nameOf(3), nameOf(2), nameOf(1)]);
  expect(names(scenario)).toEqual([]);
});
