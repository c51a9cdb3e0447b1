import { describe, expect, test } from "@jest/globals";
import {
  type PreviewScenario,
  type RecordedRun,
  sha,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";

/** The run says so, is green, and nothing of it is left. */
function expectGone({ emulator, github }: PreviewScenario, run: RecordedRun): void {
  expect(run.outputs.outcome).toBe("deleted");
  expect(run.succeeded).toBe(true);
  expect(run.errors).toEqual([]);
  expect(emulator.deployments()).toEqual([]);
  for (const record of github.deployments(taskOf7)) expect(record.statuses[0]?.state).toBe("inactive");
  for (const { body } of github.comments(7)) expect(body).toContain("🗑️ deleted");
}

/** Closes the pull request, and lets the run for that come to its end; what it did is in `closing`. */
function closeAt(scenario: PreviewScenario, seconds: number): { closing?: RecordedRun } {
  const result: { closing?: RecordedRun } = {};
  scenario.clock.at(seconds * 1000, () => {
    scenario.shut();
    void scenario.preview("closed").then((run) => {
      result.closing = run;
    });
  });
  return result;
}

/** A run of an event from before the pull request was closed, which begins after that. */
async function lateRun(
  scenario: PreviewScenario,
  action: string,
  between: () => unknown = () => undefined,
  inputs: Inputs = {},
): Promise<RecordedRun> {
  const { event } = scenario.github.pullRequestRun(7, action);
  scenario.shut();
  await between();
  return await scenario.run("preview", { event, inputs, env: { GITHUB_HEAD_REF: "feature-7" } });
}

describe("closed while its deploy is written", () => {
  test("the deploy deletes what it made, at once", async () => {
    const scenario = await startPreviewScenario();
    const { clock, emulator, open, preview, shut } = scenario;
    open();
    // Closed in the pause before the second try.
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments$" },
      status: 503,
    });
    clock.at(1, shut);
    const run = await preview("opened");
    expectGone(scenario, run);
    expect(run.notices).toContainEqual(expect.stringContaining("was closed"));
    expect(run.took).toBeLessThan(15);
    expect(run.outputs.created).toBe("true");
  });

  test("and the run for the closing came before the write: it found nothing", async () => {
    const scenario = await startPreviewScenario();
    const { open, preview } = scenario;
    open();
    const late = await lateRun(scenario, "opened", async () => {
      const closing = await preview("closed");
      expect(closing.notices).toEqual([expect.stringContaining("nothing left to delete")]);
    });
    expectGone(scenario, late);
  });

  test("an update is deleted too: it is the pull request's own deployment", async () => {
    const scenario = await startPreviewScenario();
    const { emulator, open, preview } = scenario;
    open();
    await preview("opened");
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, applied: true, status: 200 });
    expectGone(scenario, await lateRun(scenario, "synchronize"));
  });

  test("a lost answer to the create leaves nothing behind either", async () => {
    const scenario = await startPreviewScenario();
    const { emulator, open } = scenario;
    open();
    emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
    expectGone(scenario, await lateRun(scenario, "opened"));
  });
});

describe("closed while its deploy is watched", () => {
  test("the run for the closing deletes it, and the deploy says so", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 60 } });
    scenario.open();
    const { closing } = await settled(scenario, 100);
    expect(closing?.outputs.outcome).toBe("deleted");
    expect(closing?.succeeded).toBe(true);
  });

  test("and within the first minute, in which a revision that isn't there means not yet", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 60 } });
    scenario.open();
    await settled(scenario, 20);
  });

  test("the run for the closing never comes: the deploy deletes what it made at its end", async () => {
    const scenario = await startPreviewScenario();
    scenario.open();
    scenario.clock.at(20_000, () => scenario.shut());
    const run = await scenario.preview("opened");
    expectGone(scenario, run);
    expect(run.outputs.status).toBe("DEPLOYED");
  });

  test("also where the deploy ends badly", async () => {
    const scenario = await startPreviewScenario({ emulator: { failRefs: { "feature-7": "BUILD_FAILED" } } });
    scenario.open();
    scenario.clock.at(15_000, () => scenario.shut());
    expectGone(scenario, await scenario.preview("opened"));
  });

  test("also where its time is up", async () => {
    const scenario = await startPreviewScenario({ emulator: { failRefs: { "feature-7": "BUILDING" } } });
    scenario.open();
    scenario.clock.at(15_000, () => scenario.shut());
    expectGone(scenario, await scenario.preview("opened", { inputs: { timeout_seconds: "60" } }));
  });

  test("also where a newer run's record says that it is live", async () => {
    const scenario = await startPreviewScenario();
    const { clock, github, open, preview, push, shut } = scenario;
    open();
    let newer: Promise<RecordedRun> | undefined;
    clock.at(15_000, () => {
      push(sha("b"));
      newer = preview("synchronize", { inputs: { wait: "false" } });
      void newer.then(() => shut());
    });
    const run = await preview("opened");
    expect((await newer)?.outputs.outcome).toBe("started");
    expect(github.deployments(taskOf7)).toHaveLength(2);
    expectGone(scenario, run);
  });

  async function settled(scenario: PreviewScenario, closedAfter: number) {
    const result = closeAt(scenario, closedAfter);
    const run = await scenario.preview("opened");
    await scenario.until(() => result.closing !== undefined);
    expectGone(scenario, run);
    return result;
  }
});

test("its label was taken away meanwhile", async () => {
  const scenario = await startPreviewScenario();
  const { clock, github, open, preview } = scenario;
  open({ labels: ["preview", "bug"] });
  clock.at(20_000, () => void github.pullRequests.change(7, { labels: ["bug"] }));
  const run = await preview("opened", { inputs: { label: "preview" } });
  expectGone(scenario, run);
  expect(run.notices).toContainEqual(expect.stringContaining("lost its label preview"));
});

test("without a label of its own, what labels there are doesn't matter", async () => {
  const { clock, github, open, preview } = await startPreviewScenario();
  open({ labels: ["preview"] });
  clock.at(20_000, () => void github.pullRequests.change(7, { labels: [] }));
  expect((await preview("opened")).outputs.outcome).toBe("deployed");
});

test("wait: false looks once, right after the write", async () => {
  const scenario = await startPreviewScenario();
  scenario.open();
  const inputs = { wait: "false" };
  const started = await scenario.preview("opened", { inputs });
  expect(started.outputs.outcome).toBe("started");
  expect(started.github.filter(({ path }) => path.endsWith("/pulls/7"))).toHaveLength(1);
  expectGone(scenario, await lateRun(scenario, "synchronize", undefined, inputs));
});

test("with its branch deleted: nothing is deployed, nothing is wrong with the inputs", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open, preview } = scenario;
  open();
  await preview("opened");
  const run = await lateRun(scenario, "synchronize", () => github.repository.deleteRef("heads/feature-7"));
  expectGone(scenario, run);
  expect(emulator.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
});

test.each([400, 404])(
  "before a deploy that fails with %d before it could write, and no run for the closing comes",
  async (status) => {
    const scenario = await startPreviewScenario();
    const { emulator, open, preview } = scenario;
    open();
    await preview("opened");
    const body = { detail: "no" };
    emulator.misbehave({ kind: "answer", match: { method: "GET", path: "/revisions$" }, status, body });
    expectGone(scenario, await lateRun(scenario, "synchronize"));
    expect(emulator.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
  },
);

test("a create of which nothing was seen isn't called deleted", async () => {
  const scenario = await startPreviewScenario();
  scenario.open();
  scenario.emulator.misbehave({ kind: "answer", match: { method: "POST" }, status: 502 });
  const left = await lateRun(scenario, "opened");
  expect(left.outputs.outcome).toBe("failed");
  expect(left.errors).toEqual([expect.stringContaining("may have been left behind")]);
});

test("where GitHub doesn't tell whether it is open, the deploy goes on, with one warning", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open } = scenario;
  open();
  github.permissions = { ...github.permissions, pull_requests: "none" };
  const deployed = await lateRun(scenario, "opened");
  expect(deployed.outputs.outcome).toBe("deployed");
  expect(deployed.warnings).toEqual([expect.stringContaining('"pull-requests: write"')]);
  expect(emulator.deployments()).toHaveLength(1);
});
