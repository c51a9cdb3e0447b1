import { describe, expect, test } from "@jest/globals";
import { type EmulatorOptions, SAMPLE_INTEGRATION } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  sha,
  startScenario,
} from "../../support/scenario.ts";
import { pushBranch } from "../record/support.ts";
import { useWorkspace } from "../upload/support.ts";
import {
  commitOfMain,
  deployIfChanged,
  expectDeployed,
  startUnchangedScenario,
  updateByOther,
} from "./support.ts";

/** What happens after a deploy, before the next one; `first`: the deploy. */
type Between = (scenario: Scenario, first: ScenarioRun) => unknown;

/** Deploys twice, and expects that the second run deploys again for this reason. */
async function expectDeployedAfter(between: Between, why: RegExp, before: Inputs = {}, after: Inputs = {}) {
  const scenario = await startUnchangedScenario();
  const first = await deployIfChanged(scenario, before);
  expect(first.outputs.outcome).toBe("deployed");
  await between(scenario, first);

  const again = await deployIfChanged(scenario, { ...before, ...after });

  expectDeployed(again, why);
  expect(again.outputs.revision_id).not.toBe(first.outputs.revision_id);
}

/** Adds a newer record of the same deploy, with this in its payload and as its state. */
function addRecord(more: Record<string, unknown>, state?: string): Between {
  return ({ github }) => {
    const [newest] = github.deployments();
    const payload = { ...Object(newest?.payload), ...more };
    const record = { ref: "main", task: "deploy:agent", environment: "staging", payload };
    const { id } = github.records.add(record, actionsLogin);
    if (state !== undefined) github.records.addStatus(id, { state }, actionsLogin);
  };
}

/** The platform does not show these fields. */
function hide(...fields: string[]): Between {
  return ({ emulator }) => emulator.addFault({ kind: "hide", fields });
}

/** The platform shows the live revision with these fields. */
function showRevision(fields: object): Between {
  return ({ emulator }, { outputs }) => {
    const body = { id: outputs.revision_id, ...fields };
    emulator.addFault(answer("GET /revisions/", 200, { body }));
  };
}

/** The platform shows the deployment with these fields. */
function showDeployment({ emulator, stored }: Scenario, fields: object): void {
  const { revisions: _, ...deployment } = stored();
  const body = { ...deployment, ...fields };
  emulator.addFault(answer(`GET /v2/deployments/${deployment.id}$`, 200, { body }));
}

/** A newer revision, which has these statuses. */
function addNewer(...statuses: readonly string[]): Between {
  return (scenario, { outputs }) => {
    const sequence = statuses.map((status) => ({ status, seconds: 5 }));
    scenario.emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence });
    const { id } = scenario.emulator.addConcurrentRevision(scenario.stored().id, "theirs");
    showDeployment(scenario, { active_revision_id: outputs.revision_id, latest_revision_id: id });
  };
}

const failingState = answer("/graphql$", 500, { from: 2, times: 3 });
const failingList = answer("GET /deployments$", 500, { times: 3 });
const missing = { body: { detail: "x" } };

const noRecord = /no record/;
const notASuccess = /not known to be a success/;
const notLive = /not known to be the live and the newest one/;

test.each<[string, Between, RegExp]>([
  ["if GitHub does not show the records", ({ github }) => github.fail(failingList), noRecord],
  ["if GitHub does not show the record's state", ({ github }) => github.fail(failingState), notASuccess],
  ["if the newest record has no status yet", addRecord({}), notASuccess],
  ["if the last run did not wait", addRecord({}, "queued"), notASuccess],
  [
    "if the newest record is of another deployment",
    addRecord({ deployment_id: "other" }, "success"),
    /belongs to a different deployment/,
  ],
  ["if the platform does not show which revision is live", hide("active_revision_id"), notLive],
  ["if the platform does not show the newest revision", hide("latest_revision_id"), notLive],
  [
    "if the platform shows that there is no newest revision",
    (scenario) => showDeployment(scenario, { latest_revision_id: null }),
    notLive,
  ],
  ["if a newer revision is BUILDING", addNewer("BUILDING", "DEPLOYED"), notLive],
  ["if a newer revision is BUILD_FAILED", addNewer("BUILD_FAILED"), notLive],
  ["over a revision of somebody else", updateByOther, notLive],
  [
    "if the platform does not show the revision",
    ({ emulator }) => emulator.addFault(answer("GET /revisions/[^/]+$", 404, missing)),
    /GET \/v2\/deployments\/.*404/,
  ],
  [
    "if the platform does not show which commit it built",
    hide("repo_commit_sha"),
    /not report which commit it built/,
  ],
  ["if the live revision is INTERRUPTED", showRevision({ status: "INTERRUPTED" }), /is INTERRUPTED/],
  [
    "if the live revision is of another ref",
    showRevision({ status: "DEPLOYED", source_revision_config: { repo_ref: "theirs" } }),
    /different source/,
  ],
])("only_if_changed deploys %s", async (_when, between, why) => {
  await expectDeployedAfter(between, why);
});

const different = /sent something different/;

test.each<[string, Inputs, Inputs, RegExp]>([
  ["another value of a secret", { secrets: "A=one-value" }, { secrets: "A=other-value" }, different],
  ["a further secret", { secrets: "A=one-value" }, { secrets: "A=one-value\nB=other-value" }, different],
  ["another configuration", {}, { app_config_path: "app/config.json" }, different],
  ["another setting", {}, { resource_spec: '{"cpu": 2}' }, different],
  ["to another environment", {}, { environment: "production" }, noRecord],
  ["without a token", {}, { github_token: "" }, noRecord],
])("only_if_changed deploys %s", async (_what, before, after, why) => {
  await expectDeployedAfter(() => undefined, why, before, after);
});

test("only_if_changed deploys what has no deployment yet, and then without a record of an earlier deploy", async () => {
  const scenario = await startUnchangedScenario();

  expectDeployed(await deployIfChanged(scenario, { environment: "other" }), /no deployment/);
  expectDeployed(await deployIfChanged(scenario), noRecord);
});

test("only_if_changed deploys after a deploy whose check failed", async () => {
  const scenario = await startUnchangedScenario();
  const first = await deployIfChanged(scenario, { smoke_tests: "- { name: a, request: GET /missing }" });

  const again = await deployIfChanged(scenario);

  expect(first.outputs.outcome).toBe("failed");
  expectDeployed(again, notASuccess);
});

test("only_if_changed deploys after a rollback", async () => {
  const scenario = await startUnchangedScenario();
  await deployIfChanged(scenario, { only_if_changed: "false" });
  await deployIfChanged(scenario, { only_if_changed: "false" });
  const inputs = { platform: "langsmith", name: "agent", environment: "staging" };
  const rollback = await scenario.run("rollback", { inputs });

  expect(rollback.outputs.outcome).toBe("deployed");
  expectDeployed(await deployIfChanged(scenario), /record on GitHub is that of a rollback/);
});

test("only_if_changed deploys a commit that is not live", async () => {
  const scenario = await startUnchangedScenario();
  await deployIfChanged(scenario);

  const run = await deployIfChanged(scenario, {}, { env: { GITHUB_SHA: sha("e") } });

  expectDeployed(run, new RegExp(`built from commit ${commitOfMain}, not from this run's ${sha("e")}`));
});

describe("only_if_changed with source_path", () => {
  const workspace = useWorkspace();
  const otherArchive = { source_tarball_path: "tarballs/other.tar.gz" };

  test.each<[string, Between, RegExp]>([
    ["other files", () => workspace.write({ "agent.py": "two" }), different],
    [
      "if the live revision shows another archive than the record",
      showRevision({ status: "DEPLOYED", source_revision_config: otherArchive }),
      /shows a different source/,
    ],
  ])("deploys %s", async (_what, between, why) => {
    const scenario = await startUnchangedScenario();
    workspace.write({ "agent.py": "one" });
    const deploy = () => deployIfChanged(scenario, { source_path: "." }, { env: workspace.env });
    await between(scenario, await deploy());

    expectDeployed(await deploy(), why);
  });
});

describe("only_if_changed always deploys", () => {
  test.each([
    ["by tag", "registry.example/agent:v1", /agent:v1 has no digest/],
    ["whose digest is cut", "registry.example/agent@sha256:0123", /has no digest/],
  ])("an image %s", async (_what, image_uri, why) => {
    const scenario = await startUnchangedScenario({ platform: "standard" });
    const image = { source: "external_docker", image_uri, integration_id: "", app_config_path: "" };
    await deployIfChanged(scenario, image);

    expectDeployed(await deployIfChanged(scenario, image), why);
  });

  test("another ref than that of the run", async () => {
    const scenario = await startUnchangedScenario();
    pushBranch(scenario, "release");
    const inputs = { repo_ref: "release", app_config_path: "app/config.json" };
    await deployIfChanged(scenario, inputs);
    const built = String(scenario.stored().revisions[0]?.source_revision_config.repo_commit_sha);

    const run = await deployIfChanged(scenario, inputs, { env: { GITHUB_SHA: built } });

    expectDeployed(run, /release is not the ref of this run/);
  });

  const repo_url = "https://github.com/octo-org/other";
  const other = { repo_url, repo_ref: "main" };
  const repositories = [...SAMPLE_INTEGRATION.repositories, repo_url];
  const options: EmulatorOptions = { integrations: [{ ...SAMPLE_INTEGRATION, repositories }] };

  test.each<[string, (id: string) => Inputs, string]>([
    ["a ref of another repository", () => other, repo_url],
    [
      "to a deployment of another repository",
      (id) => ({ name: "", deployment_id: id, repo_ref: "main" }),
      repo_url,
    ],
    [
      "to move a deployment to another repository again",
      (id) => ({ name: "", deployment_id: id, ...other }),
      "https://github.com/octo-org/octo-repo",
    ],
  ])("%s", async (_what, inputsFor, shown) => {
    const scenario = await startUnchangedScenario(options);
    const { outputs } = await deployIfChanged(scenario, other);
    const inputs = inputsFor(String(outputs.deployment_id));
    await deployIfChanged(scenario, inputs);
    showDeployment(scenario, { source_config: { ...scenario.stored().source_config, repo_url: shown } });

    expectDeployed(await deployIfChanged(scenario, inputs), /main is not the ref of this run/);
  });
});

test("only_if_changed deploys if GitHub does not show the record's state in the time of three requests", async () => {
  const scenario = await startUnchangedScenario();
  const inputs = { request_timeout_seconds: "1" };
  await deployIfChanged(scenario, inputs);
  // The first one asks for the login of the token.
  scenario.github.fail({ kind: "hang", match: { path: "/graphql$", from: 2, times: 3 } });

  expectDeployed(await deployIfChanged(scenario, inputs), notASuccess);
});

test("only_if_changed without environment is an input error", async () => {
  const { deploy } = await startScenario();

  const run = await deploy({ only_if_changed: "true" });

  expectError(run, "only_if_changed", "environment");
  expect(run.requests).toEqual([]);
});
