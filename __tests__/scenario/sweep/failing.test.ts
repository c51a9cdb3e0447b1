import { describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import type { PreviewScenario } from "../../support/preview-scenario.ts";
import { startPreviewScenario } from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";
import { nameOf, names, previews, quick, sweep } from "./support.ts";

const all = [1, 2, 3];

describe("what would befall every preview stops the sweep with one error", () => {
  const forbidGitHub = ({ github }: PreviewScenario) => {
    github.permissions = { ...github.permissions, pull_requests: "none" };
  };

  test.each<[string, Inputs, (scenario: PreviewScenario) => void, string, string]>([
    ["a wrong key", { api_key: "wrong" }, () => {}, "was answered with 401", "Check api_key"],
    ["a missing permission", {}, forbidGitHub, "Resource not accessible", 'Add "pull-requests: read"'],
  ])("%s", async (_what, inputs, setUp, words, hint) => {
    const scenario = await previews(all, all);
    setUp(scenario);
    const { run, deleted, kept } = await sweep(scenario, inputs);
    expect({ deleted, kept, outcome: run.outputs.outcome }).toEqual({
      deleted: [],
      kept: [],
      outcome: "failed",
    });
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain(words);
    expect(run.errors[0]).toContain("looked at 0 of 3 previews and left out 3 (0 deleted, 0 kept)");
    expect(run.errors[0]).toContain(hint);
    expect(run.errors[0]).toMatch(/Run the sweep again after that\.$/);
    expect(run.summary).toContain("What to do next");
    expect(run.requests.length).toBeLessThanOrEqual(1);
    expect(names(scenario)).toHaveLength(3);
  });

  const elsewhere = { kind: "answer", status: 404, body: "<html>", match: { times: "always" } } as const;
  test.each<[string, Inputs, (scenario: PreviewScenario) => void, string]>([
    ["a wrong workspace", { workspace_id: "wrong" }, () => {}, "Check workspace_id"],
    [
      "no API at that address",
      {},
      ({ emulator }) => emulator.misbehave(elsewhere),
      "check control_plane_url",
    ],
    ["no platform there", { control_plane_url: "http://127.0.0.1:1" }, () => {}, "Check control_plane_url"],
  ])("but %s, which may be one preview's own trouble, at the second", async (_what, inputs, setUp, hint) => {
    const scenario = await previews(all, all);
    setUp(scenario);
    const { run } = await sweep(scenario, inputs);
    expect(run.errors).toHaveLength(2);
    expect(run.errors[0]).toContain(`${nameOf(3)}: `);
    expect(run.errors[1]).toContain("looked at 1 of 3 previews and left out 2 (0 deleted, 0 kept, 1 failed)");
    expect(run.errors[1]).toContain(hint);
    expect(names(scenario)).toHaveLength(3);
  });

  test("a host that now resets connections and now leaves them unanswered, at the second as well", async () => {
    const scenario = await previews(all, all);
    const { emulator } = scenario;
    const askedBefore = emulator.requests.length;
    emulator.misbehave({ kind: "reset", match: { times: 5 } });
    emulator.misbehave({ kind: "hang", match: { from: 6, times: 5 } });
    emulator.misbehave({ kind: "reset", match: { from: 11, times: 5 } });
    const { run } = await sweep(scenario, { request_timeout_seconds: "0.5" });
    expect(emulator.requests.length - askedBefore).toBe(10);
    expect(run.errors).toHaveLength(2);
    expect(run.errors[0]).toContain("ECONNRESET");
    expect(run.errors[1]).toContain("no whole answer within 0.5 s");
    expect(run.errors[1]).toContain("looked at 1 of 3 previews and left out 2 (0 deleted, 0 kept, 1 failed)");
    expect(names(scenario)).toHaveLength(3);
  });

  test("in the middle: what was done before is told", async () => {
    const scenario = await previews(all, [2, 3]);
    scenario.github.fail({ kind: "answer", status: 401, match: { path: "/pulls/1$", times: "always" } });
    const { run, deleted } = await sweep(scenario);
    expect(deleted).toEqual([nameOf(3), nameOf(2)]);
    expect(run.errors).toEqual([
      expect.stringContaining("looked at 2 of 3 previews and left out 1 (2 deleted"),
    ]);
    expect(run.errors[0]).toContain("Check github_token");
    expect(run.summary).toContain(`| \`${nameOf(3)}\` | deleted |`);
  });

  test("before any preview is known", async () => {
    const scenario = await previews(all, all);
    scenario.github.permissions = { ...scenario.github.permissions, deployments: "none" };
    const { run } = await sweep(scenario);
    expect(run.errors).toEqual([
      expect.stringContaining("The sweep stopped there: it looked at no preview."),
    ]);
  });
});

test("a preview that is another workspace's doesn't stop the sweep", async () => {
  const scenario = await previews(all, all);
  scenario.emulator.misbehave({ kind: "answer", status: 403, match: { method: "DELETE", from: 2 } });
  const { run, deleted } = await sweep(scenario);
  expect(deleted).toEqual([nameOf(3), nameOf(1)]);
  expect(run.succeeded).toBe(false);
  expect(run.errors.at(-1)).toContain(`could not be swept: ${nameOf(2)}`);
});

test("of many that fail the end is an annotation still, and says where the reasons are", async () => {
  const scenario = await startPreviewScenario(quick);
  const numbers = Array.from({ length: 12 }, (_item, index) => index + 1);
  for (const number of numbers) {
    scenario.open({ number });
    await scenario.preview("opened", { number });
    scenario.shut(number);
  }
  scenario.emulator.misbehave({
    kind: "answer",
    match: { method: "DELETE", times: 11 },
    status: 400,
    body: { detail: "it | is stuck" },
  });
  scenario.emulator.misbehave({ kind: "answer", match: { method: "DELETE", from: 12 }, status: 409 });
  const { run } = await sweep(scenario);
  expect(run.errors).toHaveLength(9);
  expect(run.errors.at(-1)).toContain("12 of the previews could not be swept");
  expect(run.errors.at(-1)).toContain("said in the log, and in the table of the job summary");
  for (const number of numbers) {
    expect(run.log).toContain(`${nameOf(number)}: DELETE`);
    expect(run.summary).toContain(`| \`${nameOf(number)}\` | ❌ failed | DELETE`);
  }
  expect(run.summary.replaceAll("`", "")).toContain("it \\| is stuck");
});

test("a preview whose deletion a cancel leaves in doubt is in the table", async () => {
  const scenario = await previews([1, 2], [1, 2]);
  const { emulator, until } = scenario;
  emulator.misbehave({ kind: "hang", match: { method: "DELETE", from: 2 }, applied: true });
  const { context, ended } = scenario.start("sweep");
  await until(() => emulator.requests.filter(({ method }) => method === "DELETE").length === 2);
  context.cancel(new CancelledError("SIGTERM"));
  const run = await ended;
  expect(run.outputs).toMatchObject({ outcome: "cancelled", deleted: JSON.stringify([nameOf(2)]) });
  expect(run.summary).toContain(`| \`${nameOf(1)}\` | ❌ may be deleted | the run was cancelled while`);
  expect(run.summary).toContain(`| \`${nameOf(2)}\` | deleted |`);
});

test("one that a cancel finds before its deletion is not in doubt, though the one before it is", async () => {
  const scenario = await previews([1, 2], [1, 2]);
  const { emulator, github, until } = scenario;
  emulator.misbehave({ kind: "answer", status: 503, match: { method: "DELETE", times: "always" } });
  github.fail({ kind: "hang", match: { path: "/pulls/1$" } });
  const askedBefore = github.requests.length;
  const { context, ended } = scenario.start("sweep");
  await until(() => github.requests.slice(askedBefore).some(({ path }) => path.endsWith("/pulls/1")));
  context.cancel(new CancelledError("SIGTERM"));
  const run = await ended;
  expect(run.summary).toContain(`| \`${nameOf(2)}\` | ❌ failed |`);
  expect(run.summary).not.toContain(`| \`${nameOf(1)}\``);
});
