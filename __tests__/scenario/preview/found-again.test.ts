import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  type Inputs,
  immediate,
  previewOf7,
  type Scenario,
  sha,
  startScenario,
  taskOf7,
  writes,
} from "../../support/scenario.ts";

/** The control plane has no list of deployments, so that only a record leads to one. */
function withoutList({ emulator }: Scenario): void {
  emulator.addFault(answer("GET ^/v2/deployments$", 404, { body: { detail: "Not Found" }, times: "always" }));
}

function withoutRecords({ github }: Scenario): void {
  github.permissions = { ...github.permissions, deployments: "none" };
}

/** Adds a record of pull request 7's preview. */
function addRecord({ github }: Scenario, payload: string | Record<string, unknown>, login = actionsLogin) {
  return github.records.add({ ref: "main", task: taskOf7, environment: "Preview", payload }, login);
}

function payloadOf(deploymentId: unknown) {
  return { deployment_id: deploymentId, revision_id: "r", name: previewOf7, pull_request: 7, run_id: "1" };
}

/** The same with the control plane of the newest record. */
function ownPayloadOf({ github }: Scenario, deploymentId: unknown) {
  const newest: { payload?: unknown } = github.deployments()[0] ?? {};
  return { ...Object(newest.payload), ...payloadOf(deploymentId) };
}

/** Opens a pull request, pushes to it and closes it, and expects that all runs are about one deployment. */
async function expectOneDeployment(scenario: Scenario, inputs: Inputs = {}) {
  const { emulator, open, preview, push, shut } = scenario;
  open();
  const made = await preview("opened", { inputs });
  push(sha("b"));
  const updated = await preview("synchronize", { inputs });
  shut();
  const closed = await preview("closed", { inputs });
  const { deployment_id } = made.outputs;
  expect(made.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(updated.outputs).toMatchObject({ outcome: "deployed", created: "false", deployment_id });
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id });
  expect(emulator.deployments()).toEqual([]);
  return { made, updated, closed };
}

describe("a preview is found again", () => {
  test("by its record if the control plane has no list of deployments", async () => {
    const scenario = await startScenario(immediate);
    withoutList(scenario);

    const { made, updated } = await expectOneDeployment(scenario);

    expect(made.warnings).toEqual([expect.stringContaining("can't be found by name")]);
    expect(updated.warnings).toEqual([]);
  });

  test("by its name if it has no record, as after a run that was killed right after the create", async () => {
    const scenario = await startScenario(immediate);
    withoutRecords(scenario);

    await expectOneDeployment(scenario);
  });

  test.each<[string, Inputs]>([
    ["deploys another repository", { repo_url: "https://github.com/octo-org/agents.git", repo_ref: "main" }],
    ["deploys an image", { source: "external_docker", image_uri: "example/app:1" }],
  ])("by its name if it %s, and there is no token", async (_what, inputs) => {
    await expectOneDeployment(await startScenario(immediate), { ...inputs, github_token: "" });
  });

  test("by a record whose payload GitHub shows as text", async () => {
    const scenario = await startScenario(immediate);
    const { emulator, open, preview, run, shut } = scenario;
    const { outputs } = await run("deploy", { inputs: { name: previewOf7, environment: "staging" } });
    addRecord(scenario, JSON.stringify(ownPayloadOf(scenario, outputs.deployment_id)));
    withoutList(scenario);
    open();
    shut();

    const closed = await preview("closed");

    expect(closed.outputs.deployment_id).toBe(outputs.deployment_id);
    expect(emulator.deployments()).toEqual([]);
  });
});

test("a preview is not updated through its record if the deployment shows another repository now", async () => {
  const scenario = await startScenario(immediate);
  const { open, preview, run } = scenario;
  const other = { name: previewOf7, repo_url: "https://github.com/someone/else", repo_ref: "x" };
  const made = await run("deploy", { inputs: { ...other, environment: "staging" } });
  addRecord(scenario, ownPayloadOf(scenario, made.outputs.deployment_id));
  open();

  const opened = await preview("opened");

  expect(opened.errors).toEqual([expect.stringContaining("someone/else")]);
  expect(writes(opened.requests)).toEqual([]);
});

test("the previews of pull requests 1 and 12 are two, although one name contains the other", async () => {
  const scenario = await startScenario(immediate);
  const { emulator, open, preview, shut } = scenario;
  withoutRecords(scenario);
  open({ number: 12 });
  open({ number: 1 });

  const twelve = await preview("opened", { number: 12 });
  const one = await preview("opened", { number: 1 });
  shut(1);
  await preview("closed", { number: 1 });
  const closedAgain = await preview("closed", { number: 1 });

  expect(one.outputs.created).toBe("true");
  expect(one.outputs.deployment_id).not.toBe(twelve.outputs.deployment_id);
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["octo-repo-7739a-pr-12"]);
  expect(closedAgain.notices).toEqual([expect.stringContaining("octo-repo-7739a-pr-1 does not exist")]);
});

test("a deployment of that name that belongs to another repository is neither updated nor deleted", async () => {
  const { emulator, github, open, preview, run, shut } = await startScenario(immediate);
  const inputs = { name: previewOf7, repo_url: "https://github.com/someone/octo-repo", repo_ref: "x" };
  await run("deploy", { inputs });
  open();

  const opened = await preview("opened");
  shut();
  const closed = await preview("closed");

  expect([opened.succeeded, closed.succeeded]).toEqual([false, false]);
  expect(opened.errors).toEqual([
    expect.stringMatching(/someone\/octo-repo.*with deployment_id and repo_url/),
  ]);
  expect(closed.errors).toEqual([expect.stringMatching(/someone\/octo-repo.*use the delete action/)]);
  expect(writes([...opened.requests, ...closed.requests])).toEqual([]);
  expect(emulator.deployments()).toHaveLength(1);
  expect(github.deployments()).toEqual([]);
});

test("a name without the number of the pull request is not that of a deployment which no preview made", async () => {
  const { emulator, open, preview, run, shut } = await startScenario(immediate);
  const inputs = { name: "production" };
  await run("deploy", { inputs });
  open();

  const opened = await preview("opened", { inputs });
  shut();
  const closed = await preview("closed", { inputs });

  for (const { errors } of [opened, closed]) {
    expect(errors).toEqual([expect.stringMatching(/production is not recorded .*github\.event\.number/)]);
    expect(errors[0]).not.toContain("sweep");
  }
  expect(writes([...opened.requests, ...closed.requests])).toEqual([]);
  expect(emulator.deployments()).toMatchObject([{ name: "production", revisions: [{}] }]);
});

test("a preview under a name without that number is updated and deleted by its record", async () => {
  const { emulator, open, preview, shut } = await startScenario(immediate);
  const inputs = { name: "feature-branch" };
  open();

  const runs = [await preview("opened", { inputs }), await preview("synchronize", { inputs })];
  shut();
  runs.push(await preview("closed", { inputs }));

  expect(runs.map(({ outputs }) => outputs.outcome)).toEqual(["deployed", "deployed", "deleted"]);
  expect(emulator.deployments()).toEqual([]);
});

test("a preview under a name without that number fails with GitHub's reason if its records can't be read", async () => {
  const { emulator, github, open, preview, shut } = await startScenario(immediate);
  const inputs = { name: "feature-branch" };
  open();
  await preview("opened", { inputs });
  github.fail(answer("GET /deployments$", 502, { times: "always" }));

  const pushed = await preview("synchronize", { inputs });
  shut();
  const closed = await preview("closed", { inputs });

  for (const { errors, warnings } of [pushed, closed]) {
    expect(errors).toEqual([
      expect.stringContaining("Could not read the deployment records on GitHub (502)"),
    ]);
    expect(warnings).toEqual([]);
  }
  expect(writes([...pushed.requests, ...closed.requests])).toEqual([]);
  expect(emulator.deployments()).toHaveLength(1);
});

test("a preview under a name without that number is neither updated nor deleted for another pull request", async () => {
  const { emulator, github, open, preview, shut } = await startScenario(immediate);
  const inputs = { name: "shared" };
  open();
  await preview("opened", { inputs });
  const records = github.deployments();
  open({ number: 8 });

  const opened = await preview("opened", { inputs, number: 8 });
  shut(8);
  const closed = await preview("closed", { inputs, number: 8 });

  for (const { errors } of [opened, closed]) {
    expect(errors).toEqual([expect.stringMatching(/shared is not recorded .*github\.event\.number/)]);
  }
  expect(writes([...opened.requests, ...closed.requests])).toEqual([]);
  expect(emulator.deployments()).toMatchObject([{ name: "shared", revisions: [{}] }]);
  expect(github.deployments()).toEqual(records);
});

test("after a preview under such a name was deleted, the next pull request has one of that name", async () => {
  const { emulator, open, preview, shut } = await startScenario(immediate);
  const inputs = { name: "shared" };
  open();
  await preview("opened", { inputs });
  shut();
  await preview("closed", { inputs });
  open({ number: 8 });

  const opened = await preview("opened", { inputs, number: 8 });
  shut(8);
  const closed = await preview("closed", { inputs, number: 8 });

  expect(opened.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(closed.outputs).toMatchObject({ outcome: "deleted" });
  expect(emulator.deployments()).toEqual([]);
});

describe("a record is not followed", () => {
  test("if somebody else wrote it", async () => {
    const scenario = await startScenario(immediate);
    const { emulator, open, preview, run, shut } = scenario;
    const { outputs } = await run("deploy", { inputs: { name: "production" } });
    addRecord(scenario, payloadOf(outputs.deployment_id), "mallory");
    open();

    const opened = await preview("opened");
    shut();
    const closed = await preview("closed");

    expect(opened.outputs.created).toBe("true");
    expect(closed.outputs.deployment_id).toBe(opened.outputs.deployment_id);
    expect(emulator.deployments().map(({ name }) => name)).toEqual(["production"]);
  });

  test.each(["not json", JSON.stringify({ deployment_id: 7 })])("if its payload is %s", async (payload) => {
    const scenario = await startScenario(immediate);
    const { id } = addRecord(scenario, payload);
    scenario.open();

    const run = await scenario.preview("opened");

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(scenario.github.statuses(id)).toEqual([]);
  });

  test("if the control plane lost the deployment: the preview is created again, and the record is inactive", async () => {
    const { emulator, github, open, preview, run } = await startScenario(immediate);
    open();
    const lost = await preview("opened");
    await run("delete", { inputs: { deployment_id: String(lost.outputs.deployment_id) } });

    const again = await preview("synchronize");

    expect(again.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(again.outputs.deployment_id).not.toBe(lost.outputs.deployment_id);
    expect(emulator.deployments()).toHaveLength(1);
    expect(github.deployments(taskOf7)).toMatchObject([
      { payload: { deployment_id: again.outputs.deployment_id }, statuses: [{ state: "success" }, {}] },
      { payload: { deployment_id: lost.outputs.deployment_id }, statuses: [{ state: "inactive" }, {}, {}] },
    ]);
  });
});

test("a preview's record and comment count as this action's only for the login that wrote them", async () => {
  const tokens = { personal: { login: "octocat" } };
  const scenario = await startScenario({ ...immediate, github: { tokens } });
  const { github, open, preview } = scenario;
  const inputs = { github_token: "personal" };
  withoutList(scenario);
  open();

  const made = await preview("opened", { inputs });
  const again = await preview("synchronize", { inputs });
  const written = [github.deployments(taskOf7)[0], github.comments(7)[0]];
  const ofTheJob = await preview("synchronize");

  expect(written).toMatchObject([{ login: "octocat" }, { login: "octocat" }]);
  expect(again.outputs).toMatchObject({ created: "false", deployment_id: made.outputs.deployment_id });
  expect(ofTheJob.succeeded).toBe(false);
  expect([github.deployments(taskOf7)[0], github.comments(7)[0]]).toEqual(written);
});

test("closing a pull request fails if no record leads to its preview, and there is no list to find it by name", async () => {
  const scenario = await startScenario(immediate);
  withoutList(scenario);
  scenario.open();
  scenario.shut();

  const closed = await scenario.preview("closed");

  expect(closed.succeeded).toBe(false);
  expect(closed.errors).toEqual([expect.stringContaining(`${previewOf7} can't be found by name`)]);
});
