import { describe, expect, test } from "@jest/globals";
import {
  type PreviewScenario,
  previewOf7,
  type RecordedRun,
  sha,
  startPreviewScenario,
} from "../../support/preview-scenario.ts";
import { type Inputs, spelled, writes } from "../../support/scenario.ts";

const files = { "app/config.json": "{}", "legs/one/deep/config.json": "{}", "a b/ä.json": "{}" };

async function scenario(more: { hidesMissingPermission?: boolean; contents?: "none" } = {}) {
  const { contents, ...github } = more;
  const started = await startPreviewScenario({
    emulator: { statusSeconds: 0 },
    github: { files, ...github, ...(contents && { permissions: { contents } }) },
  });
  started.github.repository.commit(sha("1"), files, "heads/feature/deep/x", "tags/v1", "heads/a+b#c%d");
  return started;
}

function deploy({ run }: PreviewScenario, inputs: Inputs): Promise<RecordedRun> {
  return run("deploy", { inputs: { name: "agent", ...inputs } });
}

function expectRefused(run: RecordedRun, input: string, words: string): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors).toEqual([expect.stringMatching(new RegExp(`Input ${input} names .*${words}`))]);
  expect(run.requests).toEqual([]);
}

describe("what isn't there is an error before anything is sent", () => {
  test.each<[string, Inputs, string, string]>([
    [
      "a branch",
      { repo_ref: "gone" },
      "repo_ref",
      "gone, which isn't a branch \\(a tag is given as refs/tags/NAME\\) of this repository",
    ],
    ["a branch in full", { repo_ref: "refs/heads/gone" }, "repo_ref", "gone, which isn't a branch of this"],
    ["a tag", { repo_ref: "refs/tags/v2" }, "repo_ref", "refs/tags/v2, which isn't a tag of this repository"],
    [
      "a tag by its bare name",
      { repo_ref: "v1" },
      "repo_ref",
      "v1, which isn't a branch .a tag is given as refs/tags/NAME",
    ],
    ["a commit", { repo_ref: sha("1") }, "repo_ref", "which isn't"],
    ["a branch, for an update by id", { repo_ref: "gone", app_config_path: "" }, "repo_ref", "gone"],
    [
      "a file",
      { app_config_path: "app/other.json" },
      "app_config_path",
      "app/other.json, which isn't there on main",
    ],
    [
      "a file on that branch",
      { repo_ref: "feature/deep/x", app_config_path: "x" },
      "app_config_path",
      "feature/deep/x",
    ],
    ["a file that is a folder", { app_config_path: "app" }, "app_config_path", "app, which is a folder"],
    ["a file that is the root", { app_config_path: "./" }, "app_config_path", "which is a folder"],
  ])("%s", async (_title, inputs, input, words) => {
    expectRefused(await deploy(await scenario(), inputs), input, words);
  });

  test("dry_run says so too", async () => {
    expectRefused(await deploy(await scenario(), { repo_ref: "gone", dry_run: "true" }), "repo_ref", "gone");
  });

  test("and so does a preview", async () => {
    const started = await scenario();
    started.open();
    const run = await started.preview("opened", { inputs: { app_config_path: "nowhere.json" } });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toEqual([expect.stringContaining("Input app_config_path names nowhere.json")]);
    expect(run.requests).toEqual([]);
    expect(started.github.deployments()).toEqual([]);
  });
});

describe("what is there is found", () => {
  test.each<[string, Inputs]>([
    ["a file and the branch of the run", {}],
    ["a branch with slashes", { repo_ref: "feature/deep/x" }],
    ["a branch by its full name", { repo_ref: "refs/heads/feature/deep/x" }],
    ["a branch with signs that mean something in addresses", { repo_ref: "a+b#c%d" }],
    ["a tag", { repo_ref: "refs/tags/v1" }],
    ["a nested path", { app_config_path: "legs/one/deep/config.json" }],
    ["a path from the root", { app_config_path: "/app/config.json" }],
    ["a path from here", { app_config_path: "./app/config.json" }],
    ["a path with a blank", { app_config_path: "a b/ä.json" }],
    ["this repository in other words", { repo_url: "https://github.com/OCTO-org/octo-repo.git" }],
  ])("%s", async (_title, inputs) => {
    const run = await deploy(await scenario(), inputs);
    expect(run.outputs.outcome).toBe("deployed");
    expect([...run.warnings, ...run.errors]).toEqual([]);
    expect(run.github.filter(({ path }) => /contents|git\/ref/.test(path))).toHaveLength(1);
  });
});

describe("what can't be told is passed over in silence", () => {
  const wrong: Inputs = { repo_ref: "gone", app_config_path: "nowhere.json" };

  async function expectPassedOver(started: PreviewScenario, inputs: Inputs): Promise<RecordedRun> {
    const run = await deploy(started, inputs);
    expect(run.outputs.outcome).toBe("deployed");
    expect([...run.warnings, ...run.errors]).toEqual([]);
    return run;
  }

  test.each([true, false])("a token that can't read contents (404: %s)", async (hidesMissingPermission) => {
    await expectPassedOver(await scenario({ hidesMissingPermission, contents: "none" }), wrong);
  });

  test.each([401, 403, 500])("GitHub answers with %d", async (status) => {
    const started = await scenario();
    started.github.fail({ kind: "answer", match: { times: "always" }, status });
    await expectPassedOver(started, wrong);
  });

  test("GitHub shows nothing of the repository, not its root either", async () => {
    const started = await scenario();
    started.github.fail({ kind: "answer", match: { path: "/contents$", times: "always" }, status: 404 });
    await expectPassedOver(started, wrong);
  });

  test("no token", async () => {
    const run = await expectPassedOver(await scenario(), { ...wrong, github_token: "" });
    expect(run.github).toEqual([]);
  });

  test("another repository", async () => {
    const run = await expectPassedOver(await scenario(), {
      ...wrong,
      repo_url: "https://github.com/octo-org/other",
    });
    expect(run.github).toEqual([]);
  });

  test("an image, without a ref", async () => {
    const run = await expectPassedOver(await scenario(), {
      source: "external_docker",
      image_uri: "example/app:1",
    });
    expect(run.github).toEqual([]);
  });
});

describe("a deployment that is given by its id", () => {
  test("and is another repository's isn't held to this one", async () => {
    const started = await scenario();
    const other = { repo_url: "https://github.com/octo-org/other", repo_ref: "release" };
    const { outputs } = await deploy(started, other);
    const deployment_id = String(outputs.deployment_id);
    const run = await deploy(started, { deployment_id, repo_ref: "release" });
    expect(run.outputs.outcome).toBe("deployed");
  });

  test("and is this repository's is", async () => {
    const started = await scenario();
    const { outputs } = await deploy(started, {});
    const run = await deploy(started, { deployment_id: String(outputs.deployment_id), repo_ref: "release" });
    expect(run.errors).toEqual([expect.stringContaining("Input repo_ref names release")]);
    expect(writes(run.requests)).toEqual([]);
  });
});

describe("a path that the platform has a default for", () => {
  const notGiven = { platform: "langsmith", integration_id: "", app_config_path: "" };
  const byDefault = "Input app_config_path isn't given, and the default langgraph.json";

  async function langsmith(more: Readonly<Record<string, string>> = {}) {
    const emulator = { platform: "langsmith", statusSeconds: 0 } as const;
    return await startPreviewScenario({ emulator, github: { files: { ...files, ...more } } });
  }

  test("is there", async () => {
    const run = await deploy(await langsmith({ "langgraph.json": "{}" }), notGiven);
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(run.github).toHaveLength(1);
    expect(spelled(run.requests)[0]).toBe("GET /v2/deployments 200");
  });

  test.each<[string, Record<string, string>, string]>([
    ["isn't there", {}, "isn't there on main"],
    ["is a folder", { "langgraph.json/a": "" }, "is a folder on main"],
  ])("%s: an error where it would be sent, for a preview and a dry run too", async (_what, more, words) => {
    const started = await langsmith(more);
    started.open({ branch: "main" });
    const runs = [
      await deploy(started, notGiven),
      await deploy(started, { ...notGiven, dry_run: "true" }),
      await started.preview("opened", { inputs: notGiven }),
    ];
    for (const run of runs) {
      expect(run.errors).toEqual([expect.stringContaining(`${byDefault} ${words}.`)]);
      expect(run.outputs.outcome).toBe("failed");
      expect(writes(run.requests)).toEqual([]);
    }
  });

  test("isn't there, but a deployment that is there is sent none", async () => {
    const started = await langsmith();
    await deploy(started, { ...notGiven, app_config_path: "app/config.json" });
    const run = await deploy(started, notGiven);
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
    const refused = await deploy(started, { ...notGiven, repo_ref: "gone" });
    expect(refused.errors).toEqual([expect.stringContaining("Input repo_ref names gone")]);
  });

  test("would be sent anew, where the deployment of that name is on its way out", async () => {
    const started = await langsmith();
    const { outputs } = await deploy(started, { ...notGiven, app_config_path: "app/config.json" });
    started.emulator.misbehave({ kind: "slow_delete", seconds: 600 });
    await started.run("delete", { inputs: { deployment_id: String(outputs.deployment_id) } });
    const run = await deploy(started, notGiven);
    expect(run.errors).toEqual([expect.stringContaining(byDefault)]);
  });

  test("isn't sent to a deployment that is given by its id", async () => {
    const started = await langsmith();
    const { outputs } = await deploy(started, { ...notGiven, app_config_path: "app/config.json" });
    const run = await deploy(started, { ...notGiven, deployment_id: String(outputs.deployment_id) });
    expect(run.outputs.outcome).toBe("deployed");
  });
});

test("a preview's own head branch is looked for, not the merge that GitHub tests", async () => {
  const started = await scenario();
  started.open({ branch: "feature/with/slashes" });
  const run = await started.preview("opened");
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.github[0]?.query).toEqual({ ref: ["refs/heads/feature/with/slashes"] });
  expect(started.emulator.deployments()).toMatchObject([
    { name: previewOf7, source_revision_config: { repo_ref: "feature/with/slashes" } },
  ]);
});
