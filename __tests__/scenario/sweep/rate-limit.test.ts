import { expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { bury } from "../../support/buried-previews.ts";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import type { PreviewScenario } from "../../support/preview-scenario.ts";
import { nameOf, names, previews, sweep } from "./support.ts";

type Limit = Pick<Extract<GitHubFault, { kind: "answer" }>, "status" | "headers" | "body">;

const words = { message: "API rate limit exceeded for installation ID 1." };

/** The scenario's clock begins at 09:00. */
function primary({ clock }: PreviewScenario): Limit {
  const reset = Math.floor(clock.now() / 1000) + 3000;
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
  return { status: 403, headers, body: words };
}

test.each<[string, (scenario: PreviewScenario) => Limit, string]>([
  ["of the hour", primary, "again from 2026-03-02 09:51 UTC on"],
  [
    "with retry-after",
    () => ({ status: 429, headers: { "retry-after": "7200" }, body: words }),
    "again from 2026-03-02 11:01 UTC on",
  ],
  ["that tells no end", () => ({ status: 429, body: words }), "didn't say until when"],
  [
    "with an end beyond all time",
    () => ({ status: 429, headers: { "retry-after": "9".repeat(400) }, body: words }),
    "didn't say until when",
  ],
])("a rate limit %s stops the sweep with one error", async (_title, limit, end) => {
  const scenario = await previews([1, 2], [1, 2]);
  bury(scenario.github, 30);
  const path = "/statuses$";
  const match = { method: "GET", path, from: 11, times: "always" } as const;
  scenario.github.fail({ kind: "answer", match, ...limit(scenario) });
  const { run, deleted, kept } = await sweep(scenario);
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("failed");
  expect({ deleted, kept }).toEqual({ deleted: [], kept: [] });
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("API rate limit exceeded for installation ID 1");
  expect(run.errors[0]).toContain("looked at 10 of 32 previews and left out 22 (0 deleted, 0 kept)");
  expect(run.errors[0]).toContain(end);
  expect(run.errors[0]).toContain("Run the sweep again later");
  expect(run.github.at(-1)?.path).toMatch(/statuses$/);
  expect(run.summary).toContain("left out 22");
  expect(names(scenario)).toEqual([nameOf(1), nameOf(2)]);
});

test("what was done before the rate limit is told, and what failed before it", async () => {
  const scenario = await previews([1, 2, 3, 4, 5], [2, 4, 5]);
  const refused = { path: "/pulls/4$", times: "always" } as const;
  scenario.github.fail({ kind: "answer", match: refused, status: 500 });
  const match = { path: "/pulls/2$", times: "always" } as const;
  scenario.github.fail({ kind: "answer", match, ...primary(scenario) });
  const { run, deleted, kept } = await sweep(scenario);
  expect({ deleted, kept }).toEqual({ deleted: [nameOf(5)], kept: [nameOf(3)] });
  expect(run.errors).toHaveLength(2);
  expect(run.errors[0]).toContain(`${nameOf(4)}: GitHub: reading the pull request failed with 500`);
  expect(run.errors[1]).toContain("looked at 3 of 5 previews and left out 2 (1 deleted, 1 kept, 1 failed)");
});

test("a dry run stops at a rate limit too, and doesn't claim deletions", async () => {
  const scenario = await previews([1, 2], [1, 2]);
  const match = { path: "/pulls/1$", times: "always" } as const;
  scenario.github.fail({ kind: "answer", match, ...primary(scenario) });
  const { run } = await sweep(scenario, { dry_run: "true" });
  expect(run.errors).toEqual([expect.stringContaining("left out 1 (1 would be deleted, 0 kept)")]);
  expect(names(scenario)).toHaveLength(2);
});

test("a rate limit that ends soon is waited out", async () => {
  const scenario = await previews([1, 2], [1, 2]);
  const match = { path: "/pulls/1$" };
  const headers = { "retry-after": "50" };
  scenario.github.fail({ kind: "answer", match, status: 403, headers, body: words });
  const { run, deleted } = await sweep(scenario);
  expect(run.succeeded).toBe(true);
  expect(deleted).toEqual([nameOf(2), nameOf(1)]);
});

test("of GraphQL's rate limit, which comes with 200, the end is told as well", async () => {
  const scenario = await previews([1], [1]);
  bury(scenario.github, 60);
  const match = { path: "/graphql$", from: 2 };
  const body = { errors: [{ type: "RATE_LIMITED", message: words.message }] };
  const { headers } = primary(scenario);
  scenario.github.fail({ kind: "answer", match, status: 200, ...(headers && { headers }), body });
  const { run } = await sweep(scenario);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("looked at 0 of 61 previews and left out 61");
  expect(run.errors[0]).toContain("again from 2026-03-02 09:51 UTC on");
});

test("a rate limit before the previews are known is told as what it is", async () => {
  const scenario = await previews([1], [1]);
  const match = { method: "GET", path: "/deployments$", times: "always" } as const;
  scenario.github.fail({ kind: "answer", match, ...primary(scenario) });
  const { run } = await sweep(scenario);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("looked at no preview");
  expect(run.errors[0]).toContain("Run the sweep again later");
});

test("a sweep that is cancelled while it waits for a rate limit ends as cancelled", async () => {
  const scenario = await previews([1], [1]);
  const match = { method: "GET", path: "/deployments$" };
  const headers = { "retry-after": "50" };
  scenario.github.fail({ kind: "answer", match, status: 403, headers, body: words });
  const { context, ended } = scenario.start("sweep");
  scenario.clock.at(scenario.clock.elapsed() + 10_000, () => context.cancel(new CancelledError("SIGINT")));
  expect((await ended).outputs.outcome).toBe("cancelled");
  expect(names(scenario)).toEqual([nameOf(1)]);
});
