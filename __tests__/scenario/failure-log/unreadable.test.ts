import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { CancelledError } from "../../../src/errors.ts";
import type { DeployRun } from "../../support/scenario.ts";
import { langsmith, loggedLines, logQueries, logs, startFailing, summaryLines } from "./support.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

/** The run failed as it would have without a log, and says nothing of one. */
function expectNothingSaid(run: DeployRun): void {
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
  expect(run.errors).toEqual([
    `Revision ${run.outputs.revision_id} failed with status BUILD_FAILED. The platform says: The image could not be built: installing the dependencies ended with code 1. Read the revision's build and server logs on the platform; check app_config_path, repo_ref and secrets.`,
  ]);
  expect(run.warnings).toEqual([]);
  expect(run.log).not.toMatch(/\/logs|end of the/);
  expect(run.summary).not.toContain("The end of");
  expect(run.took).toBeLessThan(30);
}

describe("nothing is said, and nothing asked again, where the log's endpoint answers", () => {
  const answer = (status: number, body?: unknown, headers: Record<string, string> = {}): RuleInput => ({
    kind: "answer",
    match: { ...logs, times: "always" },
    status,
    headers,
    body,
  });
  test.each<[string, RuleInput]>([
    ["404", answer(404, { detail: "Not Found" })],
    ["404 with a page", answer(404, "<html>")],
    ["405", answer(405, { detail: "Method Not Allowed" })],
    ["501", answer(501, { detail: "Not Implemented" })],
    ["401", answer(401, { detail: "no" })],
    ["403", answer(403, { detail: "no" })],
    ["a redirect", answer(302, undefined, { location: "https://evil.example/" })],
    ["429 for a long time", answer(429, { detail: "slow down" }, { "retry-after": "600" })],
    ["500", answer(500, { detail: "boom" })],
    ["no JSON", answer(200, "<html>")],
    ["nothing", answer(200)],
    ["a list", answer(200, [])],
    ["no logs", answer(200, { next_offset: "x" })],
    ["logs that are no list", answer(200, { logs: { message: "a" }, next_offset: null })],
    ["an empty log", answer(200, { logs: [], next_offset: "ever on" })],
    ["a reset", { kind: "reset", match: { ...logs, times: "always" } }],
    ["half of it", { kind: "cut", match: { ...logs, times: "always" } }],
  ])("%s", async (_what, rule) => {
    const { deploy, emulator } = await startFailing();
    emulator.misbehave(rule);
    const run = await deploy(langsmith);
    expectNothingSaid(run);
    expect(logQueries(run)).toHaveLength(1);
  });

  test("nothing at all", async () => {
    const { deploy, emulator } = await startFailing();
    emulator.misbehave({ kind: "hang", match: { ...logs, times: "always" } });
    const run = await deploy({ ...langsmith, request_timeout_seconds: "0.1" });
    expectNothingSaid(run);
  });

  test("ten megabytes", async () => {
    const { deploy, emulator } = await startFailing();
    emulator.misbehave(answer(200, { logs: ["x".repeat(10_000_000)], next_offset: null }));
    expectNothingSaid(await deploy(langsmith));
  });
});

test("a platform that refuses to be asked for the newest first is asked for all of it", async () => {
  const { deploy, emulator } = await startFailing();
  emulator.misbehave({ kind: "answer", match: logs, status: 422, body: { detail: "no such order" } });
  const run = await deploy(langsmith);
  expect(logQueries(run)).toEqual([
    { type: "build", order: "desc", limit: "50" },
    { type: "build", limit: "1000" },
  ]);
  expect(loggedLines(run)?.at(-1)).toContain("ERROR The image could not be built");
});

test("lines of any shape and size are shown as far as they go", async () => {
  const { deploy, emulator } = await startFailing();
  emulator.misbehave({
    kind: "logs",
    type: "build",
    lines: [null, 7, ["a"], { text: "b" }, { message: 3 }, { message: "c", level: {}, timestamp: "?" }],
  });
  const run = await deploy(langsmith);
  expect(loggedLines(run)).toEqual(["null", "7", '["a"]', '{"text":"b"}', '{"message":3}', "c"]);
});

test("all that is read of it has five seconds", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const asked: number[] = [];
  jest.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    asked.push(milliseconds);
    return timeout(milliseconds === 5000 ? 50 : milliseconds);
  });
  const { deploy, emulator } = await startFailing();
  emulator.misbehave({ kind: "hang", match: { ...logs, times: "always" } });
  const run = await deploy(langsmith);
  expectNothingSaid(run);
  expect(asked.filter((milliseconds) => milliseconds === 5000)).toHaveLength(1);
});

test("a cancel ends the reading at once, and leaves it a failure", async () => {
  const { asked, emulator, start } = await startFailing();
  emulator.misbehave({ kind: "hang", match: { ...logs, times: "always" } });
  const { ended, context } = start(langsmith);
  await asked("GET", /\/logs$/);
  context.cancel(new CancelledError("SIGINT"));
  const run = await ended;
  expectNothingSaid(run);
  expect(summaryLines(run)).toBeUndefined();
});
