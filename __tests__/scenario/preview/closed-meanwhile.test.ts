import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioRun,
  sha,
  startScenario,
  taskOf7,
  writes,
} from "../../support/scenario.ts";

/** The run succeeded, and its preview is gone. */
function expectDeleted({ emulator, github }: Scenario, run: ScenarioRun): void {
  expect({ succeeded: run.succeeded, outcome: run.outputs.outcome, errors: run.errors }).toEqual({
    succeeded: true,
    outcome: "deleted",
    errors: [],
  });
  expect(emulator.deployments()).toEqual([]);
  for (const record of github.deployments(taskOf7)) expect(record.statuses[0]?.state).toBe("inactive");
  for (const { body } of github.comments(7)) expect(body).toMatch(/^### 🗑️ Preview /m);
}

/** Closes the pull request after this time, and runs the preview action for that. */
function closeAfter(scenario: Scenario, seconds: number): Promise<ScenarioRun> {
  return new Promise((resolve) => {
    scenario.clock.at(seconds * 1000, () => {
      scenario.shut();
      void scenario.preview("closed").then(resolve);
    });
  });
}

/** A run for an event from before the pull request was closed, which starts after that. */
async function runLate(
  scenario: Scenario,
  action: string,
  between: () => unknown = () => undefined,
  inputs: Inputs = {},
): Promise<ScenarioRun> {
  const { event } = scenario.github.pullRequestRun(7, action);
  scenario.shut();
  await between();
  return await scenario.run("preview", { event, inputs, env: { GITHUB_HEAD_REF: "feature-7" } });
}

describe("if the pull request is closed before its preview is written, the deploy deletes the preview", () => {
  test("during a retry before the write", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { clock, emulator, open, preview, shut } = scenario;
    emulator.addFault(answer("GET ^/v2/deployments$", 503));
    clock.at(1, () => shut());
    open();

    const run = await preview("opened");

    expectDeleted(scenario, run);
    expect(run.outputs.created).toBe("true");
    expect(run.infos.at(-1)).toContain("the pull request is closed");
  });

  test("while the platform shows env_vars, which stay readable in the summary", async () => {
    const scenario = await startScenario({ platform: "langsmith", ...immediate });
    const { emulator, open, preview, requested, shut } = scenario;
    open();
    const value = "model-of-the-year";
    const smoke_tests = `- { name: ${value}, request: GET /ok }`;
    const late = preview("opened", { inputs: { env_vars: `MODEL=${value}`, smoke_tests } });
    await requested("POST");
    const [{ id = "" } = {}] = emulator.deployments();
    const body = { id, name: emulator.deployments()[0]?.name, secrets: [{ name: "MODEL", value }] };
    emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, from: 2, times: "always" }));
    shut();

    const run = await late;

    expectDeleted(scenario, run);
    expect(run.summary).toContain(value);
  });

  test("after a write whose revision it can't tell from another one, with the records of earlier runs", async () => {
    const scenario = await startScenario(immediate);
    const { emulator, open, preview, shut, requested } = scenario;
    open();
    await preview("opened");
    emulator.addFault({ kind: "concurrent_revision", when: "before" });
    emulator.addFault({ kind: "hide", match: { method: "PATCH" }, fields: ["latest_revision_id"] });
    const late = preview("synchronize");
    await requested("PATCH");
    shut();

    const run = await late;

    expect(run.log).toContain("Can't tell");
    expectDeleted(scenario, run);
  });

  test("after the run for the closed pull request, which found nothing", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    scenario.open();
    let closing: ScenarioRun | undefined;

    const late = await runLate(scenario, "opened", async () => {
      closing = await scenario.preview("closed");
    });

    expectDeleted(scenario, late);
    expect(closing?.notices).toEqual([expect.stringContaining("does not exist")]);
  });

  test.each<[string, FaultRule]>([
    ["as an update", answer("PATCH", 200, { applied: true })],
    ["with a create whose response is lost", { kind: "reset", match: { method: "POST" }, applied: true }],
  ])("the deploy deletes a preview that was written %s", async (what, fault) => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const isUpdate = what === "as an update";
    scenario.open();
    if (isUpdate) await scenario.preview("opened");
    scenario.emulator.addFault(fault);

    const run = await runLate(scenario, isUpdate ? "synchronize" : "opened");

    expectDeleted(scenario, run);
  });

  test("without interrupting the revision first", async () => {
    const scenario = await startScenario({ statusSeconds: 5, platform: "langsmith" });
    scenario.open();

    const inputs = { on_cancel: "interrupt" };
    const run = await runLate(scenario, "opened", undefined, inputs);

    expectDeleted(scenario, run);
    expect(writes(run.requests).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  });

  test("with wait: false too, after one read of the pull request", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const inputs = { wait: "false" };
    scenario.open();

    const started = await scenario.preview("opened", { inputs });
    const late = await runLate(scenario, "synchronize", undefined, inputs);

    expect(started.outputs.outcome).toBe("started");
    expect(started.github.filter(({ path }) => path.endsWith("/pulls/7"))).toHaveLength(1);
    expectDeleted(scenario, late);
  });
});

describe("if the pull request is closed while its preview is watched,", () => {
  test("the run for that deletes it, and the deploy ends as deleted", async () => {
    const scenario = await startScenario({ statusSeconds: 60 });
    scenario.open();
    const closing = closeAfter(scenario, 20);

    const run = await scenario.preview("opened");

    expectDeleted(scenario, run);
    expectDeleted(scenario, await closing);
  });

  test.each<[string, string, Inputs]>([
    ["is deployed", "DEPLOYED", {}],
    ["fails", "BUILD_FAILED", {}],
    ["is not done in time", "BUILDING", { timeout_seconds: "60" }],
  ])(
    "and no run comes for that, the deploy deletes it when the revision %s",
    async (_what, status, inputs) => {
      const scenario = await startScenario({ statusSeconds: 5, failRefs: { "feature-7": status } });
      scenario.open();
      scenario.clock.at(15_000, () => scenario.shut());

      const run = await scenario.preview("opened", { inputs });

      expectDeleted(scenario, run);
      expect(run.outputs.status).toBe(status);
    },
  );

  test("the deploy deletes it even if the record of a newer run shows it as live", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { clock, github, open, preview, push, shut } = scenario;
    let newer: Promise<ScenarioRun> | undefined;
    clock.at(15_000, () => {
      push(sha("b"));
      newer = preview("synchronize", { inputs: { wait: "false" } });
      void newer.then(() => shut());
    });
    open();

    const run = await preview("opened");

    expect((await newer)?.outputs.outcome).toBe("started");
    expect(github.deployments(taskOf7)).toHaveLength(2);
    expectDeleted(scenario, run);
  });
});

describe("a pull request that loses its label during the run", () => {
  test("has its preview deleted", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { clock, github, open, preview } = scenario;
    clock.at(20_000, () => void github.pullRequests.change(7, { labels: ["bug"] }));
    open({ labels: ["preview", "bug"] });

    const run = await preview("opened", { inputs: { label: "preview" } });

    expectDeleted(scenario, run);
    expect(run.infos.at(-1)).toContain("label preview");
  });

  test("keeps its preview if the input label is not given", async () => {
    const { clock, github, open, preview } = await startScenario({ statusSeconds: 5 });
    clock.at(20_000, () => void github.pullRequests.change(7, { labels: [] }));
    open({ labels: ["preview"] });

    const run = await preview("opened");

    expect(run.outputs.outcome).toBe("deployed");
  });
});

describe("if the pull request was closed, a deploy that fails before its write deletes the preview", () => {
  test("when the branch is deleted", async () => {
    const scenario = await startScenario(immediate);
    scenario.open();
    await scenario.preview("opened");

    const run = await runLate(scenario, "synchronize", () =>
      scenario.github.repository.deleteRef("heads/feature-7"),
    );

    expectDeleted(scenario, run);
    expect(writes(run.requests).map(({ method }) => method)).toEqual(["DELETE"]);
  });

  test.each([400, 404])("when the platform responds with %d", async (status) => {
    const scenario = await startScenario(immediate);
    scenario.open();
    await scenario.preview("opened");
    scenario.emulator.addFault(answer("GET /revisions$", status, { body: { detail: "no" } }));

    const run = await runLate(scenario, "synchronize");

    expectDeleted(scenario, run);
    expect(writes(run.requests).map(({ method }) => method)).toEqual(["DELETE"]);
  });
});

test("a preview under a name without the number of the pull request is deleted as soon as it is recorded", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();

  const run = await runLate(scenario, "opened", undefined, { name: "shared", wait: "false" });

  expectDeleted(scenario, run);
  expect(scenario.github.deployments("preview:shared")).toMatchObject([
    { statuses: [{ state: "inactive" }, {}, {}] },
  ]);
});

test.each(["watched", "updated"])(
  "a preview whose deployment is renamed while it is %s is not deleted, and the step fails",
  async (when) => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { clock, emulator, open, preview, shut } = scenario;
    open();
    if (when === "updated") await preview("opened");
    const rename = () => {
      const [deployment] = emulator.deployments();
      const body = { id: deployment?.id, name: "production" };
      emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body, times: "always" }));
      shut();
    };
    clock.at(clock.elapsed() + 12_000, rename);

    const inputs = { timeout_seconds: "60" };
    const run = await preview(when === "updated" ? "synchronize" : "opened", { inputs });

    expectError(run, "is named production now, not octo-repo-7739a-pr-7", "neither changed nor deleted");
    expect(run.outputs.outcome).toBe("failed");
    expect(writes(run.requests).map(({ method }) => method)).not.toContain("DELETE");
    expect(emulator.deployments()).toHaveLength(1);
    expect(scenario.github.deployments(taskOf7)[0]?.statuses[0]?.state).toBe("failure");
  },
);

test("a closed pull request does not turn an unconfirmed create into a deletion", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();
  scenario.emulator.addFault(answer("POST", 502));

  const run = await runLate(scenario, "opened");

  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors).toEqual([expect.stringMatching(/octo-repo-7739a-pr-7.*may still be running/)]);
});

test("a preview stays, with one warning, if GitHub does not show whether its pull request is open", async () => {
  const scenario = await startScenario(immediate);
  const { emulator, github, open } = scenario;
  github.permissions = { ...github.permissions, pull_requests: "none" };
  open();

  const run = await runLate(scenario, "opened");

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([expect.stringContaining("pull-requests: write")]);
  expect(emulator.deployments()).toHaveLength(1);
});

test("a deletion at the end of a deploy is retried for at most timeout_seconds", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  const { clock, emulator, open, preview, shut } = scenario;
  const retryLater = { headers: { "retry-after": "50" }, times: "always" } as const;
  emulator.addFault(answer("DELETE", 503, retryLater));
  open();
  clock.at(12_000, shut);

  const run = await preview("opened", { inputs: { timeout_seconds: "40" } });

  expect(run.outputs.outcome).toBe("failed");
  expect(run.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
});
