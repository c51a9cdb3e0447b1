import { describe, expect, test } from "@jest/globals";
import {
  type Inputs,
  previewOf7,
  type Scenario,
  type ScenarioRun,
  sha,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const files = { "app/config.json": "{}", "legs/one/deep/config.json": "{}", "a b/ä.json": "{}" };

async function startWithFiles(
  options: { hidesMissingPermission?: boolean; contents?: "none" } = {},
): Promise<Scenario> {
  const { contents, ...github } = options;
  const scenario = await startScenario({
    statusSeconds: 0,
    github: { files, ...github, ...(contents && { permissions: { contents } }) },
  });
  scenario.github.repository.commit(sha("1"), files, "heads/feature/deep/x", "tags/v1", "heads/a+b#c%d");
  return scenario;
}

function deploy({ run }: Scenario, inputs: Inputs): Promise<ScenarioRun> {
  return run("deploy", { inputs: { name: "agent", ...inputs } });
}

/** With one error, which names these facts. */
function expectRefused(run: ScenarioRun, ...facts: readonly string[]): void {
  expect([run.outputs.outcome, run.errors.length]).toEqual(["failed", 1]);
  for (const fact of facts) expect(run.errors[0]).toContain(fact);
  expect(writes(run.requests)).toEqual([]);
}

describe("a deploy is refused before its write if", () => {
  test.each<[string, Inputs, readonly string[]]>([
    ["the branch does not exist", { repo_ref: "gone" }, ["repo_ref", "gone", "branch", "refs/tags/NAME"]],
    ["the full ref does not exist", { repo_ref: "refs/heads/gone" }, ["repo_ref", "gone", "branch"]],
    ["the tag does not exist", { repo_ref: "refs/tags/v2" }, ["repo_ref", "refs/tags/v2", "tag"]],
    ["repo_ref is the bare name of a tag", { repo_ref: "v1" }, ["repo_ref", "v1", "refs/tags/NAME"]],
    ["repo_ref is a commit", { repo_ref: sha("1") }, [sha("1"), "set the branch or tag", "verify_commit"]],
    ["an update has only a wrong branch", { repo_ref: "gone", app_config_path: "" }, ["repo_ref", "gone"]],
    ["the file does not exist", { app_config_path: "app/x.json" }, ["app_config_path", "app/x.json", "main"]],
    ["the branch of a dry run does not exist", { repo_ref: "gone", dry_run: "true" }, ["repo_ref", "gone"]],
  ])("a deploy is refused if %s", async (_what, inputs, facts) => {
    const run = await deploy(await startWithFiles(), inputs);

    expectRefused(run, ...facts);
  });

  test("the file of a preview does not exist", async () => {
    const { github, open, preview } = await startWithFiles();
    open();

    const run = await preview("opened", { inputs: { app_config_path: "nowhere.json" } });

    expectRefused(run, "app_config_path", "nowhere.json");
    expect(github.deployments()).toEqual([]);
  });
});

test.each<[string, Inputs]>([
  ["the branch of the run", {}],
  ["a full ref", { repo_ref: "refs/heads/feature/deep/x" }],
  ["a branch with characters that mean something in URLs", { repo_ref: "a+b#c%d" }],
  ["a tag", { repo_ref: "refs/tags/v1" }],
  ["a path with a slash before it", { app_config_path: "/app/config.json" }],
  ["a path with ./ before it", { app_config_path: "./app/config.json" }],
  ["a path with a blank", { app_config_path: "a b/ä.json" }],
  ["another spelling of this repository", { repo_url: "https://github.com/OCTO-org/octo-repo.git" }],
])("one request to GitHub finds the file of %s", async (_what, inputs) => {
  const run = await deploy(await startWithFiles(), inputs);

  expect(run.outputs.outcome).toBe("deployed");
  expect([...run.warnings, ...run.errors]).toEqual([]);
  expect(run.github.filter(({ path }) => /contents|git\/ref/.test(path))).toHaveLength(1);
});

test("a preview's own head branch is checked, not the merge that GitHub tests", async () => {
  const { emulator, open, preview } = await startWithFiles();
  open({ branch: "feature/with/slashes" });

  const run = await preview("opened");

  const read = run.github.find(({ path }) => path.includes("/contents/"));
  expect(read?.query).toEqual({ ref: ["refs/heads/feature/with/slashes"] });
  expect(emulator.deployments()).toMatchObject([
    { name: previewOf7, source_revision_config: { repo_ref: "feature/with/slashes" } },
  ]);
});

describe("a deploy with a wrong ref and path goes ahead without a warning", () => {
  const wrong: Inputs = { repo_ref: "gone", app_config_path: "nowhere.json" };

  async function expectDeployed(scenario: Scenario, inputs = wrong): Promise<ScenarioRun> {
    const run = await deploy(scenario, inputs);
    expect(run.outputs.outcome).toBe("deployed");
    expect([...run.warnings, ...run.errors]).toEqual([]);
    return run;
  }

  test.each([true, false])(
    "if the token may not read contents (GitHub responds with 404: %s)",
    async (hidesMissingPermission) => {
      await expectDeployed(await startWithFiles({ hidesMissingPermission, contents: "none" }));
    },
  );

  test.each([
    ["GitHub responds with 403", 403, /^/],
    ["GitHub responds with 500", 500, /^/],
    ["GitHub does not even show the root of the repository", 404, /\/contents$/],
  ])("if %s", async (_what, status, { source: path }) => {
    const scenario = await startWithFiles();
    scenario.github.fail({ kind: "answer", match: { path, times: "always" }, status });

    await expectDeployed(scenario);
  });

  test.each<[string, Inputs]>([
    ["there is no token", { ...wrong, github_token: "" }],
    ["another repository is deployed", { ...wrong, repo_url: "https://github.com/octo-org/other" }],
    ["an image is deployed", { source: "external_docker", image_uri: "example/app:1" }],
  ])("and without a request to GitHub if %s", async (_what, inputs) => {
    const run = await expectDeployed(await startWithFiles(), inputs);

    expect(run.github).toEqual([]);
  });
});

test("the ref of a deployment that is given by its id is only checked if it belongs to this repository", async () => {
  const scenario = await startWithFiles();
  const other = { name: "other", repo_url: "https://github.com/octo-org/other", repo_ref: "release" };
  const ofOther = await deploy(scenario, other);
  const ofThis = await deploy(scenario, {});
  const update = ({ outputs }: ScenarioRun) =>
    deploy(scenario, { deployment_id: String(outputs.deployment_id), repo_ref: "release" });

  const updateOfOther = await update(ofOther);
  const updateOfThis = await update(ofThis);

  expect(updateOfOther.outputs.outcome).toBe("deployed");
  expectRefused(updateOfThis, "repo_ref", "release");
});

describe("the platform's default path", () => {
  const defaultPath = "langgraph.json";
  const given = { platform: "langsmith", integration_id: "", app_config_path: "" };

  async function startLangsmith(more: Readonly<Record<string, string>> = {}): Promise<Scenario> {
    return await startScenario({
      platform: "langsmith",
      statusSeconds: 0,
      github: { files: { ...files, ...more } },
    });
  }

  test("is found with one request to GitHub", async () => {
    const run = await deploy(await startLangsmith({ [defaultPath]: "{}" }), given);

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(run.github).toHaveLength(1);
  });

  test("is an error of a deploy, a dry run and a preview that would create if it does not exist", async () => {
    const scenario = await startLangsmith();
    scenario.open({ branch: "main" });

    const runs = [
      await deploy(scenario, given),
      await deploy(scenario, { ...given, dry_run: "true" }),
      await scenario.preview("opened", { inputs: given }),
    ];

    for (const run of runs) expectRefused(run, "app_config_path", "default", defaultPath);
  });

  test("may be missing for an update, which does not send it, by name or by id", async () => {
    const scenario = await startLangsmith();
    const { outputs } = await deploy(scenario, { ...given, app_config_path: "app/config.json" });

    const byName = await deploy(scenario, given);
    const byId = await deploy(scenario, { ...given, deployment_id: String(outputs.deployment_id) });
    const wrongRef = await deploy(scenario, { ...given, repo_ref: "gone" });

    for (const run of [byName, byId]) {
      expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
    }
    expectRefused(wrongRef, "repo_ref", "gone");
  });

  test("is an error if the deployment of that name is being deleted, because it would be created", async () => {
    const scenario = await startLangsmith();
    const { outputs } = await deploy(scenario, { ...given, app_config_path: "app/config.json" });
    scenario.emulator.addFault({ kind: "slow_delete", seconds: 30 });
    await scenario.run("delete", { inputs: { deployment_id: String(outputs.deployment_id) } });

    const run = await deploy(scenario, given);

    expectRefused(run, "app_config_path", "default", defaultPath);
  });
});
