import { describe, expect, test } from "@jest/globals";
import {
  type PreviewScenario,
  type RecordedRun,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";

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

describe("closed while its deploy is written", () => {
  test("the deploy deletes what it made, at once", async () => {
    const scenario = await startPreviewScenario();
    const { clock, emulator, open, preview, shut } = scenario;
    open();
    const hold = emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments$" },
      status: 503,
    });
    clock.at(1, shut);
    const run = await preview("opened");
    hold();
    expectGone(scenario, run);
    expect(run.notices).toContainEqual(expect.stringContaining("was closed"));
    expect(run.took).toBeLessThan(15);
    expect(run.outputs.created).toBe("true");
  });

  test("and the run for the closing came before the write: it found nothing", async () => {
    const scenario = await startPreviewScenario();
    const { open, preview, shut } = scenario;
    open();
    const { event } = scenario.github.pullRequestRun(7, "opened");
    shut();
    const closing = await preview("closed");
    expect(closing.notices).toEqual([expect.stringContaining("nothing left to delete")]);
    const late = await scenario.run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } });
    expectGone(scenario, late);
  });

  test("an update is deleted too: it is the pull request's own deployment", async () => {
    const scenario = await startPreviewScenario();
    const { emulator, open, preview, shut } = scenario;
    open();
    await preview("opened");
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, applied: true, status: 200 });
    const { event } = scenario.github.pullRequestRun(7, "synchronize");
    shut();
    expectGone(scenario, await scenario.run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } }));
  });

  test("a lost answer to the create leaves nothing behind either", async () => {
    const scenario = await startPreviewScenario();
    const { emulator, open, shut } = scenario;
    open();
    emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
    const { event } = scenario.github.pullRequestRun(7, "opened");
    shut();
    expectGone(scenario, await scenario.run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } }));
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
  const { github, open, shut } = scenario;
  open();
  const inputs = { wait: "false" };
  const started = await scenario.preview("opened", { inputs });
  expect(started.outputs.outcome).toBe("started");
  expect(started.github.filter(({ path }) => path.endsWith("/pulls/7"))).toHaveLength(1);
  const { event } = github.pullRequestRun(7, "synchronize");
  shut();
  expectGone(
    scenario,
    await scenario.run("preview", { event, inputs, env: { GITHUB_HEAD_REF: "feature-7" } }),
  );
});

test("with its branch deleted: nothing is deployed, nothing is wrong with the inputs", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open, preview, shut } = scenario;
  open();
  await preview("opened");
  const { event } = github.pullRequestRun(7, "synchronize");
  shut();
  github.repository.deleteRef("heads/feature-7");
  const run = await scenario.run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } });
  expectGone(scenario, run);
  expect(emulator.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
});

test("deleted under the hands of a run that hasn't written yet", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open, preview, shut } = scenario;
  open();
  await preview("opened");
  const { event } = github.pullRequestRun(7, "synchronize");
  shut();
  await preview("closed");
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments/[^/]+$" },
    status: 500,
  });
  expectGone(scenario, await scenario.run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } }));
});

test("closed before its deploy could write, which fails, and no run for the closing comes", async () => {
  const scenario = await startPreviewScenario();
  const { emulator, github, open, preview, shut } = scenario;
  open();
  await preview("opened");
  const { event } = github.pullRequestRun(7, "synchronize");
  shut();
  emulator.misbehave({ kind: "answer", match: { method: "GET", path: "/revisions$" }, status: 400 });
  expectGone(scenario, await scenario.run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } }));
});

test("a create of which nothing was seen isn't called deleted", async () => {
  const { emulator, github, open, run, shut } = await startPreviewScenario();
  open();
  emulator.misbehave({ kind: "answer", match: { method: "POST" }, status: 502 });
  const { event } = github.pullRequestRun(7, "opened");
  shut();
  const left = await run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } });
  expect(left.outputs.outcome).toBe("failed");
  expect(left.errors).toEqual([expect.stringContaining("may have been left behind")]);
});

test("where GitHub doesn't tell whether it is open, the deploy goes on, with one warning", async () => {
  const { emulator, github, open, run, shut } = await startPreviewScenario();
  open();
  github.permissions = { ...github.permissions, pull_requests: "none" };
  const { event } = github.pullRequestRun(7, "opened");
  shut();
  const deployed = await run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7" } });
  expect(deployed.outputs.outcome).toBe("deployed");
  expect(deployed.warnings).toEqual([expect.stringContaining('"pull-requests: read"')]);
  expect(emulator.deployments()).toHaveLength(1);
});
