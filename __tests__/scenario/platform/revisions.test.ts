import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  cancelOnce,
  defaultCreate,
  expectError,
  type Inputs,
  pushToMain,
  startScenario,
  writeLines,
  writes,
} from "../../support/scenario.ts";

const commits = { main: pushToMain.GITHUB_SHA ?? "" };
const platform = { platform: "langsmith", statusSeconds: 0, commits } as const;
const post = { method: "POST", path: "/revisions$" };
const onMain = { source_revision_config: { repo_ref: "main" } };

test("an update is one POST, whose response names the revision exactly", async () => {
  const { deploy, emulator, existing, stored } = await startScenario(platform);
  const { id } = await existing();
  emulator.addFault({ kind: "concurrent_revision", when: "before" });
  emulator.addFault({ kind: "concurrent_revision", when: "after" });

  const run = await deploy();

  expect(writes(run.requests)).toMatchObject([{ method: "POST", path: `/v2/deployments/${id}/revisions` }]);
  expect(writes(run.requests)[0]?.body).toEqual(onMain);
  // Neither of somebody else's two revisions of the same ref.
  expect(run.outputs.revision_id).toBe(stored().revisions[1]?.id);
  expect(run.requests.filter(({ path }) => path.endsWith(`/${run.outputs.revision_id}`))).toHaveLength(1);
});

test.each([404, 405, 501])("a platform without that POST (%i) gets one PATCH", async (status) => {
  const { deploy, emulator, existing, stored } = await startScenario(platform);
  await existing();
  emulator.addFault(answer(post, status, { body: { detail: "Not Found" } }));

  const run = await deploy({ resource_spec: '{"cpu": 1}' });

  expect(writeLines(run)).toEqual(["POST revisions", "PATCH"]);
  expect(writes(run.requests)[1]?.body).toEqual({ source_config: { resource_spec: { cpu: 1 } }, ...onMain });
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
  expect(run.warnings).toEqual([]);
});

test.each([
  ["another 4xx", 400, { detail: "The branch is protected" }],
  ["a 404 that is not JSON", 404, "<h1>Not found</h1>"],
])("%s fails the update, and nothing else is tried", async (_what, status, body) => {
  const { deploy, emulator, existing, stored } = await startScenario(platform);
  await existing();
  emulator.addFault(answer(post, status, { body }));

  const run = await deploy();

  expect(writeLines(run)).toEqual(["POST revisions"]);
  expect(stored().revisions).toHaveLength(1);
  expectError(run, `/revisions failed with ${status}`);
  expect(run.outputs).toMatchObject({ outcome: "failed", duration_seconds: "0" });
});

describe("settings that make no revision", () => {
  test("go into a PATCH before the POST", async () => {
    const { deploy, existing, stored } = await startScenario(platform);
    await existing();

    const run = await deploy({ build_on_push: "true", deployment_type: "dev" });

    expect(writeLines(run)).toEqual(["PATCH", "POST revisions"]);
    expect(writes(run.requests).map(({ body }) => body)).toEqual([
      { source_config: { build_on_push: true } },
      onMain,
    ]);
    expect(stored()).toMatchObject({ source_config: { build_on_push: true } });
    expect(stored().revisions).toHaveLength(2);
    expect(run.outputs.outcome).toBe("deployed");
  });

  test("include a repo_url that is given with deployment_id", async () => {
    const { existing, run: start, stored } = await startScenario(platform);
    const { id } = await existing();
    const repo_url = "https://github.com/octo-org/other";

    // A branch that the run's own repository does not have.
    const inputs = { name: "", deployment_id: id, repo_url, repo_ref: "theirs" };
    const run = await start("deploy", { inputs });

    expect(writes(run.requests)[0]).toMatchObject({ method: "PATCH", body: { source_config: { repo_url } } });
    expect(stored()).toMatchObject({ source_config: { repo_url } });
    expect(run.outputs.outcome).toBe("deployed");
  });

  test("that move a deployment to this repository need a branch of it", async () => {
    const { existing, run: start } = await startScenario(platform);
    const repo_url = "https://github.com/octo-org/other";
    const { id } = await existing("agent", { source_config: { ...defaultCreate.source_config, repo_url } });

    const moved = { repo_url: "https://github.com/octo-org/octo-repo", repo_ref: "theirs" };
    const run = await start("deploy", { inputs: { name: "", deployment_id: id, ...moved } });

    expectError(run, "Input repo_ref names theirs");
    expect(writes(run.requests)).toEqual([]);
  });

  test("are changed whatever the deployment and the response to the PATCH show", async () => {
    const { deploy, emulator, existing } = await startScenario(platform);
    await existing();
    emulator.addFault(answer("PATCH", 200, { body: {}, applied: true }));

    const run = await deploy({ build_on_push: "false" });

    expect(writeLines(run)).toEqual(["PATCH", "POST revisions"]);
    expect(run.warnings).toEqual([]);
    expect(run.outputs.outcome).toBe("deployed");
  });

  test.each([
    ["are refused", answer("PATCH", 400, { body: { detail: "No" } }), "400"],
    ["may not have taken effect", answer("PATCH", 502), "build_on_push of deployment"],
  ])("fail the run before a revision is made if they %s", async (_what, fault, fact) => {
    const { deploy, emulator, existing, stored } = await startScenario(platform);
    await existing();
    emulator.addFault(fault);

    const run = await deploy({ build_on_push: "true" });

    expect(writeLines(run)).toEqual(["PATCH"]);
    expect(stored().revisions).toHaveLength(1);
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors.join()).toContain(fact);
  });

  test("that were changed are named if the revision is refused", async () => {
    const { deploy, emulator, existing } = await startScenario(platform);
    const { id } = await existing();
    emulator.addFault(answer(post, 400, { body: { detail: "No" } }));

    const run = await deploy({ build_on_push: "true" });

    expectError(run, "failed with 400", `The change of build_on_push of deployment ${id} succeeded.`);
  });

  test.each([
    ["were changed", "while the revision is requested", "POST", "succeeded. A revision from the update of"],
    ["may have been changed", "before the response", "PATCH", "may have succeeded."],
  ])("that %s are named if the run is cancelled %s", async (_what, _when, method, fact) => {
    const { startDeploy, emulator, existing, requested } = await startScenario(platform);
    const { id } = await existing();
    emulator.addFault({ kind: "hang", match: { method } });

    const run = await cancelOnce(
      startDeploy({ build_on_push: "true" }),
      requested(method, /\/deployments\/./),
    );

    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, `The change of build_on_push of deployment ${id} ${fact}`);
  });
});

test("a dry run shows both requests of an update, each with its method and path, and sends neither", async () => {
  const { deploy, existing } = await startScenario(platform);
  const { id } = await existing();

  const run = await deploy({ dry_run: "true", build_on_push: "true" });

  expect(writes(run.requests)).toEqual([]);
  const [settings, revision] = [`PATCH /v2/deployments/${id}`, `POST /v2/deployments/${id}/revisions`];
  const [sends, branch] = ['"build_on_push": true', '"repo_ref": "main"'];
  expect(run.log).toMatch(new RegExp(`sent: .*${settings}\n.*${sends}.*${revision}\n.*${branch}`, "s"));
  const inCode = [settings, revision].map((line) => `sent: <code>${line}</code>.*`);
  expect(run.summary).toMatch(new RegExp(`${inCode.join(`${sends}.*`)}${branch}`, "s"));
});

const digest = `sha256:${"a".repeat(64)}`;
const image: Inputs = {
  source: "internal_docker",
  image_uri: `registry.example.com/agent@${digest}`,
  integration_id: "",
  app_config_path: "",
};

test("an image of internal_docker is deployed by a PATCH with revision_source, after a create without a revision", async () => {
  const { deploy, stored } = await startScenario(platform);

  const created = await deploy({ ...image, build_on_push: "true" });
  const updated = await deploy(image);

  const update = {
    revision_source: "internal_docker",
    source_revision_config: { image_uri: image.image_uri },
  };
  expect(writeLines(created)).toEqual(["POST", "PATCH"]);
  expect(writes(created.requests)[0]?.body).toMatchObject({ source_revision_config: { image_uri: null } });
  expect(JSON.stringify(writes(created.requests))).not.toContain("build_on_push");
  expect(writes(created.requests)[1]?.body).toEqual(update);
  expect(created.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(writes(updated.requests).map(({ body }) => body)).toEqual([update]);
  expect(updated.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
  expect(stored().revisions).toHaveLength(2);
});

describe("a listener, which is fixed once the deployment exists,", () => {
  const listener_id = "00000000-0000-4000-8000-000000000003";
  const other = "00000000-0000-4000-8000-000000000004";
  const listened: Inputs = { ...image, source: "external_docker", listener_id };

  test.each([
    ["shows", []],
    ["does not show", ["listener_id"]],
  ])("is not sent in the update of a deployment that %s it", async (_what, fields) => {
    const { deploy, emulator, stored } = await startScenario(platform);
    await deploy(listened);
    emulator.addFault({ kind: "hide", fields });

    const run = await deploy(listened);

    expect(writeLines(run)).toEqual(["POST revisions"]);
    expect(run.log).not.toContain("Changed");
    expect(run.outputs.outcome).toBe("deployed");
    expect(stored()).toMatchObject({ source_config: { listener_id } });
  });

  test.each([
    ["another one", listened, `is "${listener_id}" and can't change`],
    ["none", { ...listened, listener_id: "" }, "is not set and can't change"],
  ])("is an input error if the deployment has %s", async (_what, before, expected) => {
    const { deploy } = await startScenario(platform);
    await deploy(before);

    const run = await deploy({ ...listened, listener_id: other });

    expect(writes(run.requests)).toEqual([]);
    expectError(run, `listener_id can't be used, because the deployment's listener_id ${expected}`);
  });
});
