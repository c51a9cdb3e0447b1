import { describe, expect, test } from "@jest/globals";
import { startNamesTakenTwice } from "../../support/names-taken-twice.ts";
import {
  type PreviewScenario,
  previewOf7,
  type RecordedRun,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";
import { writes } from "../../support/scenario.ts";

/** One deployment, one comment, and of the records the newest alone is a success. */
function expectOnePreview({ emulator, github }: PreviewScenario, runs: readonly RecordedRun[]): void {
  const [left, ...others] = emulator.deployments();
  expect(others).toEqual([]);
  for (const run of runs) {
    expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: left?.id });
    expect([...run.warnings, ...run.errors]).toEqual([]);
  }
  expect(new Set(runs.map(({ outputs }) => outputs.revision_id)).size).toBe(runs.length);
  expect(github.comments(7)).toHaveLength(1);
  expect(github.comments(7)[0]?.body).toContain("✅ deployed");
  const states = github.deployments(taskOf7).map(({ statuses }) => statuses[0]?.state);
  expect(states).toEqual(["success", ...runs.slice(1).map(() => "inactive")]);
}

describe("two runs of one pull request at the same time leave one preview", () => {
  test("where the control plane takes a name once", async () => {
    const scenario = await startPreviewScenario();
    const { emulator, open, preview } = scenario;
    open();
    const body = { resources: [], offset: 0 };
    emulator.misbehave({ kind: "answer", match: { path: "^/v2/deployments$", times: 2 }, status: 200, body });
    const runs = await Promise.all([preview("opened"), preview("synchronize")]);
    expectOnePreview(scenario, runs);
    expect(runs.map(({ outputs }) => outputs.created).toSorted()).toEqual(["false", "true"]);
    const written = writes(emulator.requests).map(({ method, status }) => `${method} ${status}`);
    expect(written.toSorted()).toEqual(["PATCH 200", "POST 201", "POST 409"]);
  });

  test("where the control plane takes a name twice", async () => {
    const scenario = await startPreviewScenario();
    const { emulator, open, preview } = scenario;
    const inputs = { control_plane_url: await startNamesTakenTwice(emulator) };
    open();
    const runs = await Promise.all([preview("opened", { inputs }), preview("synchronize", { inputs })]);
    expectOnePreview(scenario, runs);
  });

  test("where each wrote a comment before it could see the other's", async () => {
    const scenario = await startPreviewScenario();
    const { github, open, preview } = scenario;
    open();
    github.fail({
      kind: "answer",
      match: { method: "GET", path: "/comments$", times: 2 },
      status: 200,
      body: [],
    });
    expectOnePreview(scenario, await Promise.all([preview("opened"), preview("synchronize")]));
    const posted = github.requests.filter(
      ({ method, path }) => method === "POST" && path.endsWith("/comments"),
    );
    expect(posted).toHaveLength(2);
  });

  test("three of them, too", async () => {
    const scenario = await startPreviewScenario();
    const inputs = { control_plane_url: await startNamesTakenTwice(scenario.emulator) };
    scenario.open();
    expectOnePreview(
      scenario,
      await Promise.all(
        ["opened", "synchronize", "reopened"].map((action) => scenario.preview(action, { inputs })),
      ),
    );
  });
});

describe("of two deployments of one name", () => {
  test("the older stays, and is updated with what the younger showed", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 20 } });
    const { clock, emulator, github, open, preview } = scenario;
    const inputs = { control_plane_url: await startNamesTakenTwice(emulator) };
    open();
    // Not in the list for the run that made it, nor for the other one's first look.
    emulator.misbehave({ kind: "lag", where: ["deployments"], reads: 2 });
    const match = { method: "GET", path: "/deployments$", from: 2 } as const;
    github.fail({ kind: "answer", match, status: 200, body: [] });
    let late: Promise<RecordedRun> | undefined;
    clock.at(10_000, () => {
      late = preview("synchronize", { inputs });
    });
    const first = await preview("opened", { inputs });
    const second = await late;
    if (second === undefined) throw new Error("The second run never began.");
    expectOnePreview(scenario, [first, second]);
    expect(first.outputs.created).toBe("true");
    expect(second.outputs.created).toBe("false");
    expect(second.notices).toEqual([
      expect.stringContaining(`Another run made ${first.outputs.deployment_id}`),
    ]);
    expect(writes(second.requests).map(({ method }) => method)).toEqual(["POST", "DELETE", "PATCH"]);
    expect(second.log).not.toMatch(/taken|waiting/);
  });

  test("the one of another repository isn't touched", async () => {
    const { emulator, open, preview, run, shut } = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
    });
    const control_plane_url = await startNamesTakenTwice(emulator);
    const foreign = { name: previewOf7, repo_url: "https://github.com/someone/else", repo_ref: "x" };
    emulator.misbehave({ kind: "lag", where: ["deployments"], reads: 1 });
    await run("deploy", { inputs: { ...foreign, control_plane_url } });
    open();
    const made = await preview("opened", { inputs: { control_plane_url } });
    expect(made.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(emulator.deployments()).toHaveLength(2);
    shut();
    const closed = await preview("closed", { inputs: { control_plane_url } });
    expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id: made.outputs.deployment_id });
    expect(emulator.deployments()).toMatchObject([{ source_config: { repo_url: foreign.repo_url } }]);
  });

  test("both are deleted when the pull request is closed", async () => {
    const { emulator, open, preview, run, shut } = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
    });
    const inputs = { control_plane_url: await startNamesTakenTwice(emulator) };
    open();
    await preview("opened", { inputs });
    const body = { resources: [], offset: 0 };
    emulator.misbehave({ kind: "answer", match: { path: "^/v2/deployments$" }, status: 200, body });
    await run("deploy", { inputs: { ...inputs, name: previewOf7 } });
    expect(emulator.deployments()).toHaveLength(2);
    shut();
    const closed = await preview("closed", { inputs });
    expect(closed.outputs.outcome).toBe("deleted");
    expect(emulator.deployments()).toEqual([]);
  });

  test("a list that can't be read after the create is no reason to fail", async () => {
    const { emulator, open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    open();
    const match = { path: "^/v2/deployments$", method: "GET", from: 2, times: "always" } as const;
    emulator.misbehave({ kind: "answer", match, status: 500 });
    const run = await preview("opened");
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(run.warnings).toEqual([]);
  });
});

test("the root action never gives way: what it made was asked for by this name", async () => {
  const { emulator, run } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
  const inputs = { control_plane_url: await startNamesTakenTwice(emulator), name: "agent" };
  const body = { resources: [], offset: 0 };
  await run("deploy", { inputs });
  emulator.misbehave({ kind: "answer", match: { path: "^/v2/deployments$" }, status: 200, body });
  await run("deploy", { inputs });
  expect(emulator.deployments()).toHaveLength(2);
});

describe("the closing runs twice", () => {
  test("one after the other", async () => {
    const { emulator, github, open, preview, shut } = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
    });
    open();
    await preview("opened");
    shut();
    const first = await preview("closed");
    const second = await preview("closed");
    for (const run of [first, second]) {
      expect(run.succeeded).toBe(true);
      expect(run.outputs.outcome).toBe("deleted");
      expect([...run.warnings, ...run.errors]).toEqual([]);
    }
    expect(second.notices).toEqual([expect.stringContaining("nothing left to delete")]);
    expect(writes(emulator.requests).filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(github.deployments(taskOf7)[0]?.statuses.map(({ state }) => state)).toEqual([
      "inactive",
      "success",
      "in_progress",
    ]);
  });

  test("at the same time", async () => {
    const { emulator, github, open, preview, shut } = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
    });
    open();
    await preview("opened");
    shut();
    const runs = await Promise.all([preview("closed"), preview("closed")]);
    for (const run of runs) {
      expect(run.outputs.outcome).toBe("deleted");
      expect([...run.warnings, ...run.errors]).toEqual([]);
    }
    expect(emulator.deployments()).toEqual([]);
    expect(github.deployments(taskOf7)[0]?.statuses[0]?.state).toBe("inactive");
  });

  test("while the platform still deletes", async () => {
    const { emulator, open, preview, shut } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    open();
    await preview("opened");
    shut();
    emulator.misbehave({ kind: "slow_delete", seconds: 300 });
    for (const _run of ["first", "second"]) expect((await preview("closed")).outputs.outcome).toBe("deleted");
  });
});

test("reopened while the preview before is still being deleted: waited for, then made anew", async () => {
  const { emulator, github, open, preview, shut } = await startPreviewScenario({
    emulator: { statusSeconds: 0 },
  });
  open();
  const before = await preview("opened");
  shut();
  emulator.misbehave({ kind: "slow_delete", seconds: 90 });
  await preview("closed");
  github.pullRequests.change(7, { state: "open" });
  const reopened = await preview("reopened");
  expect(reopened.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(reopened.outputs.deployment_id).not.toBe(before.outputs.deployment_id);
  expect(reopened.took).toBeGreaterThan(80);
  expect(emulator.deployments()).toHaveLength(1);
  expect(github.comments(7)).toHaveLength(1);
  expect(github.comments(7)[0]?.body).toContain("✅ deployed");
});
