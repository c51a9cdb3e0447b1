import { describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import type { GitHubFault } from "../../support/github/github-stand-in.ts";
import {
  type PreviewScenario,
  type RecordedRun,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";

const cancelled = new CancelledError("SIGINT");

function states({ github }: PreviewScenario): (string | undefined)[] {
  return (
    github
      .deployments(taskOf7)[0]
      ?.statuses.map(({ state }) => state)
      .toReversed() ?? []
  );
}

function expectCancelled(run: RecordedRun): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.errors).toEqual([expect.stringContaining("The run was cancelled (SIGINT).")]);
  expect(run.summary).toContain("cancelled");
}

async function cancelAt(scenario: PreviewScenario, seconds: number): Promise<RecordedRun> {
  const { context, ended } = scenario.startPreview("opened");
  scenario.clock.at(seconds * 1000, () => context.cancel(cancelled));
  return await ended;
}

test("while watching: the record ends as an error, the comment says so, and the post step has nothing to do", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open } = scenario;
  open();
  const run = await cancelAt(scenario, 15);
  expectCancelled(run);
  expect(states(scenario)).toEqual(["in_progress", "error"]);
  expect(github.statuses(github.deployments()[0]?.id ?? 0)[0]?.description).toMatch(/^cancelled/);
  expect(github.comments(7)).toHaveLength(1);
  expect(github.comments(7)[0]?.body).toContain("❌ cancelled");
  expect(run.state).toEqual({
    record_id: "",
    record_end: "",
    comment_id: "",
    comment_end: "",
    left_running: "",
  });
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
});

test("before there is a revision: nothing is recorded", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open, startPreview, until } = scenario;
  open();
  emulator.misbehave({ kind: "hang", match: { path: "^/v2/deployments$" } });
  const { context, ended } = startPreview("opened");
  await until(() => emulator.requests.length === 1);
  context.cancel(cancelled);
  expectCancelled(await ended);
  expect(github.deployments()).toEqual([]);
});

describe("while GitHub is asked", () => {
  /** Cancels as soon as GitHub was asked this; whether it answers is up to the fault. */
  async function cancelDuring(method: string, path: RegExp, fault?: GitHubFault) {
    const scenario = await startPreviewScenario();
    const { github, open, startPreview, until } = scenario;
    open();
    if (fault) github.fail(fault);
    const { context, ended } = startPreview("opened");
    await until(() =>
      github.requests.some((request) => request.method === method && path.test(request.path)),
    );
    context.cancel(cancelled);
    const before = github.requests.length;
    const run = await ended;
    expectCancelled(run);
    return { scenario, run, after: github.requests.slice(before) };
  }

  const hang = (method: string, path: string): GitHubFault => ({
    kind: "hang",
    match: { method, path, times: "always" },
  });

  test("for the record, which it still makes: it is settled", async () => {
    const { scenario } = await cancelDuring("POST", /\/deployments$/);
    expect(states(scenario).at(-1)).toBe("error");
  });

  /** All at once: each waits in real time for what a request is given after a cancel. */
  test("which doesn't answer: it ends without asking much more", async () => {
    const cases: [string, RegExp, GitHubFault][] = [
      ["GET", /contents/, hang("GET", "contents")],
      ["POST", /graphql/, hang("POST", "graphql")],
      ["POST", /\/deployments$/, hang("POST", "/deployments$")],
      ["POST", /\/statuses$/, hang("POST", "/statuses$")],
      ["POST", /\/comments$/, hang("POST", "/comments$")],
      ["GET", /\/pulls\//, hang("GET", "/pulls/")],
      ["GET", /contents/, { kind: "hang", match: { times: "always" } }],
    ];
    const ended = await Promise.all(cases.map((each) => cancelDuring(...each)));
    for (const { after } of ended) expect(after.length).toBeLessThanOrEqual(3);
  });
});

test("GitHub stops answering at the end: what is to be said is left to the post step", async () => {
  const scenario = await startPreviewScenario();
  const { clock, github, open, startPreview } = scenario;
  open();
  const { context, ended } = startPreview("opened");
  let heal = () => {};
  clock.at(15_000, () => {
    heal = github.fail({ kind: "hang", match: { times: "always" } });
    context.cancel(cancelled);
  });
  const run = await ended;
  expectCancelled(run);
  expect(states(scenario)).toEqual(["in_progress"]);
  heal();
  const state = Object.entries(run.state).map(([name, value]) => [`STATE_${name}`, value]);
  await scenario.run("preview", {
    phase: "post",
    env: { GITHUB_RUN_ID: "1001", ...Object.fromEntries(state) },
  });
  expect(states(scenario)).toEqual(["in_progress", "error"]);
  expect(github.statuses(github.deployments()[0]?.id ?? 0)[0]?.description).toMatch(/^cancelled/);
  expect(github.comments(7)[0]?.body).toContain("❌ cancelled");
});

test("a rate limit isn't waited out after a cancel", async () => {
  const scenario = await startPreviewScenario();
  const { github, open, startPreview, until } = scenario;
  open();
  const headers = { "retry-after": "50" };
  github.fail({ kind: "answer", match: { method: "POST", path: "/deployments$" }, status: 403, headers });
  const { context, ended } = startPreview("opened");
  await until(() => github.requests.some(({ status }) => status === 403));
  context.cancel(cancelled);
  const run = await ended;
  expectCancelled(run);
  expect(run.took).toBeLessThan(10);
});

test("a closing that is cancelled says so", async () => {
  const { emulator, open, preview, shut, startPreview, until } = await startPreviewScenario({
    emulator: { statusSeconds: 0 },
  });
  open();
  await preview("opened");
  shut();
  emulator.misbehave({ kind: "hang", match: { method: "DELETE" } });
  const { context, ended } = startPreview("closed");
  await until(() => emulator.requests.some(({ method }) => method === "DELETE"));
  context.cancel(cancelled);
  expectCancelled(await ended);
});
