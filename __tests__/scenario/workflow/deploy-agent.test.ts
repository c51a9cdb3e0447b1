import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import type { Level } from "../../support/github/permissions.ts";
import type { WorkflowEvent } from "../../support/runner/step-environment.ts";
import {
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { inFolder, plainConfig, writeTree } from "../../support/source-tree.ts";
import { type PlannedJob, planJobs, type WorkflowContexts } from "../../support/workflow/plan-jobs.ts";
import { type Caller, readCaller } from "../../support/workflow/workflow-file.ts";

const caller = readCaller("docs/workflows/one-file.yml");
const files = { "agent.json": "{}" };

const push: WorkflowEvent = {
  name: "push",
  payload: { ref: "refs/heads/main", repository: { default_branch: "main" } },
};
const schedule: WorkflowEvent = { name: "schedule", payload: { schedule: "17 3 * * *" } };

/** The contexts of a run of the caller's workflow. */
function contextsOf({ name, payload }: WorkflowEvent, more: Partial<WorkflowContexts> = {}) {
  const { ref = "refs/heads/main" } = Object(payload);
  return { github: { event_name: name, event: payload, ref }, vars: {}, secrets: {}, ...more };
}

interface WorkflowOptions {
  readonly calledBy?: Caller;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly env?: Inputs;
  /** What a step finds once the files are checked out. */
  readonly checkedOut?: Inputs;
}

function secretsFor({ apiKey }: Scenario["emulator"]) {
  return { AGENT_API_KEY: apiKey, MODEL_API_KEY: "key-of-the-model" };
}

/** Runs the jobs that the caller's workflow starts, each with a token of just its permissions. */
async function runWorkflow(
  { emulator, github, run }: Scenario,
  event: WorkflowEvent,
  { calledBy = caller, env, checkedOut, secrets = secretsFor(emulator) }: WorkflowOptions = {},
): Promise<{ job: string; run: ScenarioRun }[]> {
  const vars = {
    CONTROL_PLANE_URL: emulator.url,
    AGENT_WORKSPACE_ID: emulator.workspaceId,
    AGENT_INTEGRATION_ID: "integration-1",
  };
  const runs = [];
  for (const { name, permissions, steps } of planJobs(calledBy, contextsOf(event, { vars, secrets }))) {
    const level = (permission: string): Level => permissions[permission] ?? "none";
    github.permissions = {
      contents: level("contents"),
      deployments: level("deployments"),
      issues: level("issues"),
      pull_requests: level("pull-requests"),
    };
    const own = steps.filter(({ uses }) => !uses.startsWith("actions/checkout@"));
    const files = own.length < steps.length ? checkedOut : {};
    for (const { uses, inputs } of own) {
      runs.push({ job: name, run: await run(actionOf(uses), { inputs, event, env: { ...env, ...files } }) });
    }
  }
  return runs;
}

function actionOf(uses: string) {
  const actions = new Map([
    ["OWNER/REPO", "deploy"],
    ["OWNER/REPO/preview", "preview"],
    ["OWNER/REPO/sweep", "sweep"],
  ] as const);
  const [used] = uses.split("@");
  for (const [name, action] of actions) if (name === used) return action;
  throw new Error(`${uses} is no action of this repository`);
}

/** Runs the workflow for an event of pull request 7. */
async function runForPullRequest(scenario: Scenario, action: string, options: WorkflowOptions = {}) {
  const { event, env } = scenario.github.pullRequestRun(7, action);
  return await runWorkflow(scenario, event, { ...options, env });
}

/** The outcome and the warnings of each job. */
function results(runs: readonly { job: string; run: ScenarioRun }[]) {
  return runs.map(({ job, run }) => [job, run.outputs.outcome, ...run.warnings]);
}

test("a push to the default branch deploys production and records it", async () => {
  const scenario = await startScenario({ ...immediate, github: { files } });

  const runs = await runWorkflow(scenario, push);

  expect(results(runs)).toEqual([["production", "deployed"]]);
  expect(scenario.stored("my-agent")).toMatchObject({
    source_config: { deployment_type: "prod" },
    source_revision_config: { repo_ref: "main", app_config_path: "agent.json" },
  });
  expect(scenario.github.deployments()).toMatchObject([{ environment: "production", production: true }]);
});

test("a pull request has a preview of its own with a record and a comment, until it is closed", async () => {
  const scenario = await startScenario({ ...immediate, github: { files } });
  scenario.open();

  const opened = await runForPullRequest(scenario, "opened");
  scenario.push("d".repeat(40));
  const pushed = await runForPullRequest(scenario, "synchronize");
  const deployed = scenario.emulator.deployments();
  scenario.shut();
  const closed = await runForPullRequest(scenario, "closed");

  expect(results([...opened, ...pushed, ...closed])).toEqual([
    ["preview", "deployed"],
    ["preview", "deployed"],
    ["preview", "deleted"],
  ]);
  expect(deployed).toMatchObject([
    { name: "my-agent-pr-7", revisions: [expect.anything(), expect.anything()] },
  ]);
  expect(scenario.emulator.deployments()).toEqual([]);
  expect(scenario.github.deployments()).toMatchObject([
    { environment: "Preview", production: false },
    { environment: "Preview", production: false },
  ]);
  expect(scenario.github.comments(7)).toHaveLength(1);
});

test("variables that are not secret reach production and previews", async () => {
  const scenario = await startScenario({ ...immediate, github: { files } });
  const inputs = { ...caller.call.with, env_vars: "APP_ENV=staging" };
  const options = { calledBy: { ...caller, call: { ...caller.call, with: inputs } } };
  scenario.open();

  const runs = [
    ...(await runWorkflow(scenario, push, options)),
    ...(await runForPullRequest(scenario, "opened", options)),
  ];

  expect(results(runs)).toEqual([
    ["production", "deployed"],
    ["preview", "deployed"],
  ]);
  for (const { run } of runs) {
    const secrets = [{ name: "MODEL_API_KEY" }, { name: "APP_ENV", value: "staging" }];
    expect(writes(run.requests)).toMatchObject([{ body: { secrets } }]);
    expect(run.masks).not.toContain("staging");
  }
});

test("a pull request of a fork, which gets no secrets, is skipped without a request", async () => {
  const scenario = await startScenario({ ...immediate, github: { files } });
  scenario.open({ headRepository: "someone/octo-repo" });

  const runs = await runForPullRequest(scenario, "opened", { secrets: { AGENT_API_KEY: "" } });

  expect(results(runs)).toEqual([["preview", "skipped"]]);
  expect(scenario.emulator.requests).toEqual([]);
});

/** The caller's workflow for LangSmith Deployment, which uploads the files of the checkout. */
function uploadingCaller(): Caller {
  const { integration_id: _, app_config_path: __, ...access } = caller.call.with;
  const inputs = { ...access, platform: "langsmith", source_path: "." };
  return { ...caller, call: { ...caller.call, with: inputs } };
}

test("with source_path, the checkout is uploaded, and a preview that was deleted in any way comes back", async () => {
  const scenario = await startScenario({ statusSeconds: 0, platform: "langsmith" });

  await inFolder(async (folder) => {
    writeTree(folder, { "langgraph.json": plainConfig });
    const options = { calledBy: uploadingCaller(), checkedOut: { GITHUB_WORKSPACE: folder } };
    const pushed = await runWorkflow(scenario, push, options);
    scenario.open();
    const opened = await runForPullRequest(scenario, "opened", options);
    scenario.shut();
    const closed = await runForPullRequest(scenario, "closed", options);
    scenario.open();
    const reopened = await runForPullRequest(scenario, "reopened", options);
    scenario.shut();
    const swept = await runWorkflow(scenario, schedule, options);
    scenario.open();
    const again = await runForPullRequest(scenario, "reopened", options);

    expect(results([...pushed, ...opened, ...closed, ...reopened, ...swept, ...again])).toEqual([
      ["production", "deployed"],
      ["preview", "deployed"],
      ["preview", "deleted"],
      ["preview", "deployed"],
      ["sweep", "deleted"],
      ["preview", "deployed"],
    ]);
    expect(pushed[0]?.run.outputs.source_digest).toMatch(/^sha256:/);
    expect(opened[0]?.run.outputs.source_digest).toBe(pushed[0]?.run.outputs.source_digest);
  });
});

test.each([
  ["standard", "false"],
  ["langsmith", "true"],
])("with platform %s, delete_tracing_project is %s wherever a preview is deleted", (platform, expected) => {
  const calledBy = { ...caller, call: { ...caller.call, with: { ...caller.call.with, platform } } };
  const pullRequest = { name: "pull_request", payload: { action: "closed", number: 7 } };

  const jobs = [pullRequest, schedule].flatMap((event) => planJobs(calledBy, contextsOf(event)));

  const inputs = jobs.map(({ steps }) => steps.at(-1)?.inputs.delete_tracing_project);
  expect(inputs).toEqual([expected, expected]);
});

/** The caller with other inputs. */
const callerWith = (inputs: Inputs): Caller => ({ ...caller, call: { ...caller.call, with: inputs } });
const pullRequestEvent = { name: "pull_request", payload: { action: "opened", number: 7 } };

/** The annotation that the one script of these jobs logs. */
function warningOf(jobs: readonly PlannedJob[]): string {
  const scripts = jobs.flatMap(({ scripts: own }) => own);
  expect(scripts).toHaveLength(1);
  const { run, env } = scripts[0] ?? { run: "", env: {} };
  const log = execFileSync("bash", ["--norc", "-c", run], { encoding: "utf8", env: { ...env } });
  expect(log).toMatch(/^::warning title=Nothing was deployed::[^\n]+\n$/);
  return log;
}

test.each<[string, Inputs, string]>([
  ["on LangSmith's cloud", { region: "us" }, "dedicated"],
  ["on any other control plane", { control_plane_url: "https://agents.example.com" }, "prod"],
  ["if the caller names it", { region: "us", deployment_type: "serverless" }, "serverless"],
])("the type of production is right %s", (_where, inputs, type) => {
  const jobs = planJobs(callerWith(inputs), contextsOf(push));

  expect(jobs.map(({ steps }) => steps.at(-1)?.inputs.deployment_type)).toEqual([type]);
});

test("the checks of the caller are made in production and in previews, and previews are compared", () => {
  const checks = { health_check_path: "/ok", smoke_tests: "- name: works" };
  const inputs = { ...checks, compare_with: "my-agent", rollback_on_failure: "true", label: "preview" };

  const jobs = [push, pullRequestEvent].flatMap((event) => planJobs(callerWith(inputs), contextsOf(event)));

  const [production, preview] = jobs.map(({ steps }) => steps.at(-1)?.inputs);
  expect(production).toMatchObject({ ...checks, rollback_on_failure: "true" });
  expect(production).not.toHaveProperty("compare_with");
  expect(preview).toMatchObject({ ...checks, compare_with: "my-agent", label: "preview" });
});

test("the event of another label does not take the place of a run that waits", () => {
  const labeled = (name: string): WorkflowEvent => ({
    name: "pull_request",
    payload: { action: "labeled", number: 7, label: { name } },
  });
  const groupOf = (event: WorkflowEvent) => {
    const contexts = contextsOf(event);
    const github = { ...contexts.github, run_id: 42 };
    const jobs = planJobs(callerWith({ name: "my-agent", label: "preview" }), { ...contexts, github });
    return jobs.map(({ concurrency }) => concurrency?.group);
  };

  expect([pullRequestEvent, labeled("preview"), labeled("bug")].flatMap(groupOf)).toEqual([
    "deploy-agent-preview-my-agent-7",
    "deploy-agent-preview-my-agent-7",
    "deploy-agent-preview-my-agent-7-42",
  ]);
});

const pushOf = (ref: string): WorkflowEvent => ({ ...push, payload: { ...Object(push.payload), ref } });

test.each<[string, WorkflowEvent]>([
  ["a push to another branch", pushOf("refs/heads/feature")],
  ["a push of a tag called main", pushOf("refs/tags/main")],
  ["pull_request_target", { name: "pull_request_target", payload: { number: 7 } }],
  ["issue_comment", { name: "issue_comment", payload: { issue: { number: 7 } } }],
  ["workflow_dispatch", { name: "workflow_dispatch", payload: {} }],
])("%s uses no action, and a warning says that nothing was deployed", (_what, event) => {
  const jobs = planJobs(caller, contextsOf(event));

  expect(jobs).toMatchObject([{ name: "none", permissions: {}, steps: [] }]);
  expect(warningOf(jobs)).toContain(`This workflow has no job for ${event.name} (`);
});

test("the warning that nothing was deployed names the branch that was pushed to, and the one that is deployed", () => {
  const jobs = planJobs(callerWith({ name: "my-agent", production_branch: "mian" }), contextsOf(push));

  expect(warningOf(jobs)).toMatch(/no job for push \(refs\/heads\/main\)\..* a push to the branch mian,/);
});

test.each([push, pullRequestEvent, schedule])("no such warning is on an event that has a job", (event) => {
  expect(planJobs(caller, contextsOf(event)).map(({ name }) => name)).not.toContain("none");
});

test("no run is cancelled, and runs wait for those of the same deployment only", () => {
  const pullRequest = (number: number, action: string) => {
    return { name: "pull_request", payload: { action, number } };
  };
  const previews = [pullRequest(7, "opened"), pullRequest(7, "closed"), pullRequest(8, "opened")];

  const jobs = [push, ...previews, schedule].flatMap((event) => planJobs(caller, contextsOf(event)));

  const groups = [
    "production-my-agent",
    "preview-my-agent-7",
    "preview-my-agent-7",
    "preview-my-agent-8",
    "sweep-my-agent",
  ].map((group) => ({ group: `deploy-agent-${group}`, cancelsInProgress: false }));
  expect(jobs.map(({ concurrency }) => concurrency)).toEqual(groups);
});

test.each(["contents", "deployments", "pull-requests"])(
  "a caller that does not grant the permission %s could not start",
  (permission) => {
    const { [permission]: _, ...permissions } = caller.permissions;

    expect(() => planJobs({ ...caller, permissions }, contextsOf(push))).toThrow(permission);
  },
);
