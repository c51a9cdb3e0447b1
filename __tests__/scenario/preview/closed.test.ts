import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  immediate,
  previewOf7,
  type RunOptions,
  type Scenario,
  type ScenarioRun,
  startScenario,
  taskOf7,
  writes,
} from "../../support/scenario.ts";

/** A pull request with a preview and the label `preview`, which was closed. */
async function startWithClosed(): Promise<Scenario> {
  const scenario = await startScenario(immediate);
  scenario.open({ labels: ["preview"] });
  await scenario.preview("opened");
  scenario.shut();
  return scenario;
}

/** The run of an event, which starts after something has changed. */
async function runLate(
  { github, run }: Scenario,
  action: string,
  between: () => unknown,
  { env, ...options }: RunOptions = {},
): Promise<ScenarioRun> {
  const { event } = github.pullRequestRun(7, action, "preview");
  between();
  return await run("preview", { event, env: { GITHUB_HEAD_REF: "feature-7", ...env }, ...options });
}

const rerun = { env: { GITHUB_RUN_ATTEMPT: "2" } };

function stateOfRecord({ github }: Scenario): string | undefined {
  return github.deployments(taskOf7)[0]?.statuses[0]?.state;
}

/** The run succeeded, and deleted nothing. */
function expectSkipped({ emulator, ...scenario }: Scenario, run: ScenarioRun, why: string): void {
  expect([run.succeeded, run.outputs.outcome]).toEqual([true, "skipped"]);
  expect(run.notices).toEqual([expect.stringContaining(why)]);
  expect(run.requests).toEqual([]);
  expect(emulator.deployments()).toHaveLength(1);
  expect(stateOfRecord({ emulator, ...scenario })).toBe("success");
}

describe("a late run for a closed pull request deletes nothing if GitHub says that", () => {
  test("the pull request is open again", async () => {
    const scenario = await startWithClosed();

    const run = await runLate(scenario, "closed", () =>
      scenario.github.pullRequests.change(7, { state: "open" }),
    );

    expectSkipped(scenario, run, "is open");
  });

  test("the pull request is open again, in a re-run too", async () => {
    const scenario = await startWithClosed();

    const reopen = () => scenario.github.pullRequests.change(7, { state: "open" });
    const run = await runLate(scenario, "closed", reopen, rerun);

    expectSkipped(scenario, run, "is open");
  });

  test("the label was added again", async () => {
    const scenario = await startWithClosed();
    const { pullRequests } = scenario.github;
    pullRequests.change(7, { state: "open", labels: [] });

    const addLabel = () => pullRequests.change(7, { labels: ["preview"] });
    const run = await runLate(scenario, "unlabeled", addLabel, { inputs: { label: "preview" } });

    expectSkipped(scenario, run, "has the label preview");
  });
});

describe("if GitHub does not say whether the pull request is closed,", () => {
  const setUps: readonly [string, (scenario: Scenario) => unknown, string][] = [
    [
      "because a permission is missing",
      ({ github }) => {
        github.permissions = { ...github.permissions, pull_requests: "none" };
      },
      "pull-requests: write",
    ],
    [
      "because it fails",
      ({ github }) => github.fail(answer("/pulls/7$", 502, { times: "always" })),
      "pull-requests: write",
    ],
    [
      "because its state is an unknown one",
      ({ github }) => {
        const body = { number: 7, state: "done", labels: [] };
        github.fail(answer("/pulls/7$", 200, { body, times: "always" }));
      },
      "not what GitHub describes",
    ],
    [
      "because its labels are missing",
      ({ github }) => {
        github.fail(answer("/pulls/7$", 200, { body: { number: 7, state: "closed" }, times: "always" }));
      },
      "not what GitHub describes",
    ],
  ];

  test.each(setUps)("%s, the first attempt believes the event, with a warning", async (_why, setUp, fact) => {
    const scenario = await startWithClosed();
    setUp(scenario);

    const run = await scenario.preview("closed", { inputs: { comment: "false" } });

    expect(run.outputs.outcome).toBe("deleted");
    expect(run.warnings).toEqual([expect.stringContaining(fact)]);
    expect(scenario.emulator.deployments()).toEqual([]);
  });

  test.each(setUps)("%s, a re-run fails, and deletes nothing", async (_why, setUp, fact) => {
    const scenario = await startWithClosed();
    setUp(scenario);

    const run = await scenario.preview("closed", { ...rerun, inputs: { comment: "false" } });

    expectError(run, fact, "Nothing was deleted");
    expect(run.requests).toEqual([]);
    expect(stateOfRecord(scenario)).toBe("success");
  });

  test("because there is no token, a re-run fails", async () => {
    const scenario = await startWithClosed();

    const run = await scenario.preview("closed", { ...rerun, inputs: { github_token: "" } });

    expectError(run, "github_token", "Nothing was deleted");
    expect(scenario.emulator.deployments()).toHaveLength(1);
  });
});

test("a preview that could not be deleted still exists, and the step fails", async () => {
  const scenario = await startScenario(immediate);
  scenario.open();
  await scenario.preview("opened");
  scenario.shut();
  scenario.emulator.addFault(answer("DELETE ^/v2/deployments/[^/]+$", 403, { body: { detail: "no" } }));

  const run = await scenario.preview("closed");

  expectError(run, "403", "workspace_id");
  expect(scenario.emulator.deployments()).toHaveLength(1);
});

describe("a preview's record whose deployment has another name now", () => {
  /** A preview of pull request 7, whose deployment the platform shows under this name. */
  async function startRenamed(): Promise<Scenario> {
    const scenario = await startScenario(immediate);
    scenario.open();
    const { outputs } = await scenario.preview("opened");
    const body = { id: outputs.deployment_id, name: "production" };
    scenario.emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body, times: "always" }));
    return scenario;
  }

  test.each(["closed", "synchronize"])("is not followed: the step fails on %s", async (action) => {
    const scenario = await startRenamed();
    if (action === "closed") scenario.shut();

    const run = await scenario.preview(action);

    expectError(run, previewOf7, "production");
    expect(writes(run.requests)).toEqual([]);
    expect(scenario.emulator.deployments()).toMatchObject([{ revisions: [{}] }]);
    expect(stateOfRecord(scenario)).toBe("success");
  });

  test("fails the step with one sentence about it if the pull request is closed meanwhile", async () => {
    const scenario = await startRenamed();
    const running = scenario.startPreview("synchronize");
    scenario.shut();

    const run = await running.ended;

    expect(run.errors).toEqual([
      expect.stringMatching(
        /^Deployment \S+ is named production now, [^.]*deleted\. What to do next: Rename it back/,
      ),
    ]);
  });
});
