import { describe, expect, jest, test } from "@jest/globals";
import { type FaultRule, SAMPLE_INTEGRATION } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { actionsLogin, type GitHubFault } from "../../support/github/github-stand-in.ts";
import { useFakeTimeouts } from "../../support/github/silence.ts";
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
  startIfChanged,
  startUnchangedScenario,
  updateByOther,
} from "./support.ts";

/** What happens after a deploy, before the next one; `first`: the deploy. Returns other inputs for the next one, if any. */
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

test.each([
  ["INTERRUPTED", { status: "INTERRUPTED" }, /is INTERRUPTED/],
  [
    "of another ref",
    { status: "DEPLOYED", source_revision_config: { repo_ref: "theirs" } },
    /different source/,
  ],
])("a deploy is sent if the live revision is shown as %s", async (_what, shown, why) => {
  await expectDeployedAfter((scenario, first) => {
    const body = { id: first.outputs.revision_id, ...shown };
    scenario.emulator.addFault(answer("GET /revisions/", 200, { body }));
  }, why);
});

function addFault(rule: FaultRule): Between {
  return ({ emulator }) => void emulator.addFault(rule);
}

function failGitHub(fault: GitHubFault): Between {
  return ({ github }) => void github.fail(fault);
}

/** Adds a newer record of the same deploy, with this in its payload and as its state. */
function addRecord(more: Record<string, unknown>, state?: string, login = actionsLogin): Between {
  return ({ github }) => {
    const [newest] = github.deployments();
    const payload = { ...Object(newest?.payload), ...more };
    const record = { ref: "main", task: "deploy:agent", environment: "staging", payload };
    const { id } = github.records.add(record, login);
    if (state !== undefined) github.records.addStatus(id, { state }, login);
  };
}

const nothing: Between = () => undefined;

describe("only_if_changed deploys what it doesn't know to be live", () => {
  test("only_if_changed deploys what has no deployment yet", async () => {
    const scenario = await startUnchangedScenario();

    expectDeployed(await deployIfChanged(scenario), /no deployment/);
  });

  test("only_if_changed deploys without a record of an earlier deploy", async () => {
    const scenario = await startUnchangedScenario();
    await deployIfChanged(scenario, { environment: "", only_if_changed: "false" });

    expectDeployed(await deployIfChanged(scenario), /no record/);
  });

  test.each<[string, Between, RegExp, Inputs]>([
    ["without a token", nothing, /no record/, { github_token: "" }],
    [
      "if GitHub does not show the records",
      failGitHub(answer("GET /deployments$", 500, { times: 3 })),
      /no record/,
      {},
    ],
    [
      "if GitHub does not show the record's state",
      failGitHub(answer("/graphql$", 500, { from: 2, times: 3 })),
      /not known to be a success/,
      {},
    ],
    ["if the newest record is of another environment", nothing, /no record/, { environment: "production" }],
    [
      "if the newest record is of another deployment",
      addRecord({ deployment_id: "other" }, "success"),
      /belongs to a different deployment/,
      {},
    ],
    ["if the newest record has no status yet", addRecord({}), /not known to be a success/, {}],
    ["if the last run did not wait", addRecord({}, "queued"), /not known to be a success/, {}],
  ])("only_if_changed deploys %s", async (_when, between, why, after) => {
    await expectDeployedAfter(between, why, {}, after);
  });

  test("only_if_changed deploys after a deploy whose check failed", async () => {
    const scenario = await startUnchangedScenario();
    const failing = { smoke_tests: "- { name: a, request: GET /missing }" };
    const first = await deployIfChanged(scenario, failing);

    const again = await deployIfChanged(scenario);

    expect(first.outputs.outcome).toBe("failed");
    expectDeployed(again, /not known to be a success/);
  });

  test.each<[string, FaultRule, RegExp]>([
    [
      "which revision is live",
      { kind: "hide", fields: ["active_revision_id"] },
      /not known to be the live and the newest one/,
    ],
    [
      "which commit it built",
      { kind: "hide", fields: ["repo_commit_sha"] },
      /not report which commit it built/,
    ],
    [
      "the revision",
      answer("GET /revisions/[^/]+$", 404, { body: { detail: "x" } }),
      /GET \/v2\/deployments\/.*404/,
    ],
  ])("only_if_changed deploys if the platform does not show %s", async (_what, rule, why) => {
    await expectDeployedAfter(addFault(rule), why);
  });
});

describe("only_if_changed deploys what has changed", () => {
  const workspace = useWorkspace();

  test.each<[string, Inputs, Inputs]>([
    ["another value of a secret", { secrets: "A=one-value" }, { secrets: "A=other-value" }],
    ["a further secret", { secrets: "A=one-value" }, { secrets: "A=one-value\nB=other-value" }],
    ["another configuration", { app_config_path: "langgraph.json" }, { app_config_path: "app/config.json" }],
    ["another setting", {}, { resource_spec: '{"cpu": 2}' }],
  ])("only_if_changed deploys %s", async (_what, before, after) => {
    await expectDeployedAfter(nothing, /sent something different/, before, after);
  });

  test("only_if_changed deploys a commit that is not live", async () => {
    const scenario = await startUnchangedScenario();
    await deployIfChanged(scenario);
    const pushed = sha("e");

    const run = await deployIfChanged(scenario, {}, { env: { GITHUB_SHA: pushed } });

    expectDeployed(run, new RegExp(`built from commit ${commitOfMain}, not from this run's ${pushed}`));
  });

  test("only_if_changed deploys other files of source_path", async () => {
    const scenario = await startUnchangedScenario();
    const inputs = { source_path: "." };
    workspace.write({ "agent.py": "one" });
    await deployIfChanged(scenario, inputs, { env: workspace.env });
    workspace.write({ "agent.py": "two" });

    const run = await deployIfChanged(scenario, inputs, { env: workspace.env });

    expectDeployed(run, /sent something different/);
  });

  test("only_if_changed deploys if the live revision shows another archive than the record", async () => {
    const scenario = await startUnchangedScenario();
    const inputs = { source_path: "." };
    workspace.write({ "agent.py": "one" });
    const first = await deployIfChanged(scenario, inputs, { env: workspace.env });
    const config = { source_tarball_path: "tarballs/other.tar.gz" };
    const body = { id: first.outputs.revision_id, status: "DEPLOYED", source_revision_config: config };
    scenario.emulator.addFault(answer("GET /revisions/", 200, { body }));

    const run = await deployIfChanged(scenario, inputs, { env: workspace.env });

    expectDeployed(run, /shows a different source/);
  });

  test.each<[string, string, RegExp]>([
    ["an image by tag", "registry.example/agent:v1", /agent:v1 has no digest/],
    ["an image whose digest is cut", "registry.example/agent@sha256:0123", /has no digest/],
  ])("only_if_changed always deploys %s", async (_what, image_uri, why) => {
    const scenario = await startUnchangedScenario({ platform: "standard" });
    const image = { source: "external_docker", image_uri, integration_id: "", app_config_path: "" };
    await deployIfChanged(scenario, image);

    expectDeployed(await deployIfChanged(scenario, image), why);
  });

  test("only_if_changed always deploys another ref than that of the run", async () => {
    const scenario = await startUnchangedScenario();
    pushBranch(scenario, "release");
    const inputs = { repo_ref: "release", app_config_path: "app/config.json" };
    await deployIfChanged(scenario, inputs);
    const [deployment] = scenario.emulator.deployments();
    const built = String(deployment?.revisions[0]?.source_revision_config.repo_commit_sha);

    const run = await deployIfChanged(scenario, inputs, { env: { GITHUB_SHA: built } });

    expectDeployed(run, /release is not the ref of this run/);
  });

  test.each<[string, (inputs: Inputs, scenario: Scenario) => Promise<Inputs> | Inputs]>([
    ["a ref of another repository", (inputs) => inputs],
    [
      "to a deployment that shows another repository",
      async (inputs, scenario) => {
        const { outputs } = await deployIfChanged(scenario, inputs);
        return { name: "", deployment_id: String(outputs.deployment_id) };
      },
    ],
    [
      "another repository, also if the deployment shows none",
      (inputs, { emulator }) => {
        emulator.addFault({ kind: "hide", fields: ["repo_url"] });
        return inputs;
      },
    ],
  ])("only_if_changed always deploys %s", async (_what, inputsFor) => {
    const other = "https://github.com/octo-org/other";
    const repositories = [...SAMPLE_INTEGRATION.repositories, other];
    const scenario = await startUnchangedScenario({
      integrations: [{ ...SAMPLE_INTEGRATION, repositories }],
    });
    const inputs = await inputsFor({ repo_url: other, repo_ref: "main" }, scenario);
    await deployIfChanged(scenario, inputs);

    expectDeployed(await deployIfChanged(scenario, inputs), /main is not the ref of this run/);
  });

  test("only_if_changed deploys to move a deployment to another repository again", async () => {
    const repo_url = "https://github.com/octo-org/other";
    const repositories = [...SAMPLE_INTEGRATION.repositories, repo_url];
    const scenario = await startUnchangedScenario({
      integrations: [{ ...SAMPLE_INTEGRATION, repositories }],
    });
    const { outputs } = await deployIfChanged(scenario, { repo_url, repo_ref: "main" });
    const inputs = { name: "", deployment_id: String(outputs.deployment_id), repo_url, repo_ref: "main" };
    await deployIfChanged(scenario, inputs);
    const [deployment] = scenario.emulator.deployments();
    const source_config = { ...deployment?.source_config, repo_url: "https://github.com/octo-org/octo-repo" };
    const body = { ...deployment, source_config };
    scenario.emulator.addFault(answer(`GET /v2/deployments/${deployment?.id}$`, 200, { body }));

    expectDeployed(await deployIfChanged(scenario, inputs), /main is not the ref of this run/);
  });
});

describe("only_if_changed deploys if another revision is or will be live", () => {
  test("only_if_changed deploys over a revision of somebody else", async () => {
    await expectDeployedAfter(updateByOther, /not known to be the live and the newest one/);
  });

  test.each([["BUILDING", "DEPLOYED"], ["BUILD_FAILED"]])(
    "only_if_changed deploys if a newer revision is %s",
    async (...statuses) => {
      await expectDeployedAfter(({ emulator }, { outputs }) => {
        const sequence = statuses.map((status) => ({ status, seconds: 5 }));
        emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence });
        const { id } = emulator.addConcurrentRevision(String(outputs.deployment_id), "theirs");
        const [deployment] = emulator.deployments();
        const body = { ...deployment, active_revision_id: outputs.revision_id, latest_revision_id: id };
        emulator.addFault(answer(`GET /v2/deployments/${outputs.deployment_id}$`, 200, { body }));
      }, /not known to be the live and the newest one/);
    },
  );

  test("only_if_changed deploys if the deployment shows that it has no latest revision", async () => {
    await expectDeployedAfter(({ emulator }, { outputs }) => {
      const [deployment] = emulator.deployments();
      const { deployment_id: id, revision_id: revisionId } = outputs;
      const body = {
        ...deployment,
        id,
        active_revision_id: revisionId,
        latest_revision_id: null,
      };
      emulator.addFault(answer(`GET /v2/deployments/${id}$`, 200, { body }));
    }, /not known to be the live and the newest one/);
  });

  test("only_if_changed deploys if the deployment does not show its latest revision", async () => {
    await expectDeployedAfter(
      addFault({ kind: "hide", fields: ["latest_revision_id"] }),
      /not known to be the live and the newest one/,
    );
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
});

describe("without a response of GitHub", () => {
  useFakeTimeouts();

  test("only_if_changed deploys if GitHub does not show the record's state in the time of one request", async () => {
    const scenario = await startUnchangedScenario();
    await deployIfChanged(scenario);
    // The first one asks for the login of the token.
    scenario.github.fail({ kind: "hang", match: { path: "/graphql$", from: 2 } });
    const reads = () => scenario.github.requests.filter(({ path }) => path === "/graphql");
    const before = reads().length;
    const started = startIfChanged(scenario);
    await scenario.until(() => reads().length === before + 2);

    await jest.advanceTimersByTimeAsync(30_000);

    expectDeployed(await started.ended, /not known to be a success/);
  });
});

test("only_if_changed without environment is an input error", async () => {
  const { deploy } = await startScenario();

  const run = await deploy({ only_if_changed: "true" });

  expectError(run, "only_if_changed", "environment");
  expect(run.requests).toEqual([]);
});
