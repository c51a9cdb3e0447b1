import { describe, expect, test } from "@jest/globals";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import { nameOf, startWithPreviews, storedNames, sweep } from "./support.ts";

const body = { message: "API rate limit exceeded for installation ID 1." };
/** Octokit compares it with the real time. */
const end = Math.ceil(Date.now() / 1000 + 3000);
const untilEnd = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(end) };
const primary = { kind: "answer", status: 403, headers: untilEnd, body } as const;

/** What is in the last error and in the summary of a sweep that failed. */
function expectFailed(
  { succeeded, outputs, errors, summary }: Awaited<ReturnType<typeof sweep>>,
  ...facts: string[]
) {
  expect([succeeded, outputs.outcome]).toEqual([false, "failed"]);
  for (const fact of facts) {
    expect(errors.at(-1)).toContain(fact);
    expect(summary.replaceAll("`", "")).toContain(fact);
  }
}

describe("a rate limit of GitHub fails the sweep", () => {
  test.each<[string, string, GitHubFault]>([
    [
      "of REST",
      body.message,
      { ...primary, match: { method: "GET", path: "/deployments$", times: "always" } },
    ],
    [
      "of GraphQL, which responds with 200",
      "GraphQL Rate Limit Exceeded",
      {
        ...primary,
        match: { path: "/graphql$", from: 2 },
        status: 200,
        body: { errors: [{ type: "RATE_LIMITED", message: body.message }] },
      },
    ],
  ])("a rate limit %s fails the sweep before the previews are known", async (_what, words, fault) => {
    const scenario = await startWithPreviews([1], [1]);
    scenario.github.fail(fault);

    const run = await sweep(scenario);

    expectFailed(run, words);
    expect(run.errors).toHaveLength(1);
  });

  test("a rate limit fails the sweep after what was deleted before", async () => {
    const scenario = await startWithPreviews([1, 2, 3], [1, 2, 3]);
    scenario.github.fail({ ...primary, match: { path: "/pulls/[12]$", times: "always" } });

    const run = await sweep(scenario);

    expect(run.deleted).toEqual([nameOf(3)]);
    expectFailed(run, body.message);
    expect(run.summary).toContain("Previews: 2 failed, 1 deleted.");
    expect(storedNames(scenario)).toEqual([nameOf(1), nameOf(2)]);
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
