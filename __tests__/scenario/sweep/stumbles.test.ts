import { expect, test } from "@jest/globals";
import { bury } from "../../support/buried-previews.ts";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import { nameOf, names, previews, sweep } from "./support.ts";

type Match = NonNullable<GitHubFault["match"]>;

const reads: [string, Match][] = [
  ["the token's login", { path: "/graphql$" }],
  ["the records", { method: "GET", path: "/deployments$" }],
  ["the states of many records", { path: "/graphql$", from: 2 }],
  ["a record's state", { method: "GET", path: "/statuses$" }],
  ["a pull request", { path: "/pulls/1$" }],
];

for (const fault of [{ kind: "answer", status: 502 }, { kind: "reset" }] as const) {
  const what = fault.kind === "answer" ? "a 502" : "a reset";
  test.each(reads)(`${what} on the way to %s doesn't fail a sweep`, async (_what, match) => {
    const scenario = await previews([1, 2], [1]);
    bury(scenario.github, 60);
    scenario.github.fail({ ...fault, match });
    const { run, deleted, kept } = await sweep(scenario);
    expect({ deleted, kept }).toEqual({ deleted: [nameOf(1)], kept: [nameOf(2)] });
    expect([run.succeeded, ...run.warnings, ...run.errors]).toEqual([true]);
  });
}

test("a GitHub that is down is told of within seconds", async () => {
  const scenario = await previews([1, 2], [1]);
  scenario.github.fail({ kind: "answer", status: 502, match: { times: "always" } });
  const { run } = await sweep(scenario);
  expect(run.errors).toEqual([expect.stringContaining("reading the deployment records failed with 502")]);
  expect(run.github).toHaveLength(3);
  expect(run.took).toBeLessThan(5);
  expect(names(scenario)).toHaveLength(2);
});

test("an answer about another pull request deletes nothing", async () => {
  const scenario = await previews([1, 2], [1]);
  const match = { path: "/pulls/2$", times: "always" } as const;
  scenario.github.fail({ kind: "answer", match, status: 200, body: { number: 99, state: "closed" } });
  const { run, deleted } = await sweep(scenario);
  expect(deleted).toEqual([nameOf(1)]);
  expect(names(scenario)).toEqual([nameOf(2)]);
  expect(run.succeeded).toBe(false);
  expect(run.errors[0]).toContain(`${nameOf(2)}: GitHub: reading the pull request failed`);
});
