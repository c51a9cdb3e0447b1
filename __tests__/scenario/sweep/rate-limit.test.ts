import { describe, expect, test } from "@jest/globals";
import { recordDeletedPreviews } from "../../support/deleted-previews.ts";
import { answer } from "../../support/faults.ts";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import { nameOf, startWithPreviews, storedNames, sweep } from "./support.ts";

type Response = Extract<GitHubFault, { kind: "answer" }>;

const body = { message: "API rate limit exceeded for installation ID 1." };
/** Octokit compares it with the real time. */
const end = Date.now() + 3_000_000;
const untilEnd = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.ceil(end / 1000)) };
const shownEnd = new Date(end).toISOString().slice(0, 10);
const primary = { kind: "answer", status: 403, headers: untilEnd, body } as const;

/** The only error of a sweep that stopped. */
function expectStopped(
  { succeeded, outputs, errors, summary }: Awaited<ReturnType<typeof sweep>>,
  ...facts: string[]
) {
  expect([succeeded, outputs.outcome, errors.length]).toEqual([false, "failed", 1]);
  for (const fact of facts) {
    expect(errors[0]).toContain(fact);
    expect(summary.replaceAll("`", "")).toContain(fact);
  }
}

describe("a rate limit of GitHub stops the sweep with one error", () => {
  test.each<[string, Partial<Response>, string]>([
    ["that names its end, from x-ratelimit-reset", primary, shownEnd],
    [
      "that names its end, from retry-after",
      { status: 429, headers: { "retry-after": "7200" } },
      "2026-03-02 11:0",
    ],
    ["if its end is unknown", { status: 429 }, "when requests are allowed again"],
    [
      "if its end is not a time",
      { status: 429, headers: { "retry-after": "9".repeat(400) } },
      "when requests are allowed again",
    ],
  ])("a rate limit stops the sweep with an error %s", async (_title, limit, end) => {
    const scenario = await startWithPreviews([1, 2], [1, 2]);
    recordDeletedPreviews(scenario.github, 30);
    const match = { method: "GET", path: "/statuses$", from: 11, times: "always" } as const;
    scenario.github.fail({ ...primary, headers: {}, ...limit, match });

    const run = await sweep(scenario);

    expectStopped(run, body.message, "10 of 32", "0 deleted, 0 kept", end);
    expect(run).toMatchObject({ deleted: [], kept: [] });
    expect(run.github.at(-1)?.path).toMatch(/statuses$/);
    expect(storedNames(scenario)).toEqual([nameOf(1), nameOf(2)]);
  });

  test("that names its end, from a response of GraphQL with 200", async () => {
    const scenario = await startWithPreviews([1], [1]);
    recordDeletedPreviews(scenario.github, 60);
    const errors = [{ type: "RATE_LIMITED", message: body.message }];
    scenario.github.fail({
      ...primary,
      match: { path: "/graphql$", from: 2 },
      status: 200,
      body: { errors },
    });

    const run = await sweep(scenario);

    expectStopped(run, "GraphQL Rate Limit Exceeded", shownEnd);
  });

  test("before the previews are known", async () => {
    const scenario = await startWithPreviews([1], [1]);
    scenario.github.fail({ ...primary, match: { method: "GET", path: "/deployments$", times: "always" } });

    const run = await sweep(scenario);

    expectStopped(run, body.message, shownEnd);
  });

  test("that counts what was deleted, kept and failed before", async () => {
    const scenario = await startWithPreviews([1, 2, 3, 4, 5], [2, 4, 5]);
    scenario.github.fail(answer("/pulls/4$", 500, { times: "always" }));
    scenario.github.fail({ ...primary, match: { path: "/pulls/2$", times: "always" } });

    const run = await sweep(scenario);

    expect(run).toMatchObject({ deleted: [nameOf(5)], kept: [nameOf(3)] });
    expect(run.errors).toEqual([
      expect.stringMatching(new RegExp(`${nameOf(4)}.*500`)),
      expect.stringMatching(/3 of 5 .*1 deleted, 1 kept, 1 failed/),
    ]);
  });

  test("that claims no deletions in a dry run", async () => {
    const scenario = await startWithPreviews([1, 2], [1, 2]);
    scenario.github.fail({ ...primary, match: { path: "/pulls/1$", times: "always" } });

    const run = await sweep(scenario, { dry_run: "true" });

    expectStopped(run, "1 of 2", "1 would be deleted, 0 kept");
    expect(storedNames(scenario)).toHaveLength(2);
  });
});

describe("a rate limit of less than a minute", () => {
  const short = {
    ...primary,
    headers: { "retry-after": "50" },
    body: { message: "You have exceeded a secondary rate limit." },
  };

  test("is waited out", async () => {
    const scenario = await startWithPreviews([1, 2], [1, 2]);
    scenario.github.fail({ ...short, match: { path: "/pulls/1$" } });

    const run = await sweep(scenario);

    expect(run).toMatchObject({ succeeded: true, deleted: [nameOf(2), nameOf(1)] });
    expect(run.infos).toContain("GitHub limits the requests of this token. Retrying in 50 s.");
  });
});
