import { expect, test } from "@jest/globals";
import { type Inputs, spelled, startScenario, writes } from "../../support/scenario.ts";

/** What a team that uses the platform has to give: `control_plane_url` stands in for its own host. */
const fewInputs: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };
const integrationId = "00000000-0000-4000-8000-000000000002";
const repository = "https://github.com/octo-org/octo-repo";

test("platform, key, workspace and name are enough to create a deployment", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  const run = await scenario.deploy(fewInputs);
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(writes(run.requests)[0]?.body).toMatchObject({
    source_config: { integration_id: integrationId, repo_url: repository },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json", image_uri: null },
  });
  expect(run.infos).toContain(`Integration ${integrationId} covers ${repository}.`);
});

test("an update asks for no integration, and sends no configuration path", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  await scenario.deploy(fewInputs);
  const run = await scenario.deploy(fewInputs);
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    { source_revision_config: { repo_ref: "main" } },
  ]);
  expect(spelled(run.requests).filter((line) => line.includes("integrations"))).toEqual([]);
});

test("of several integrations that cover the repository none is guessed", async () => {
  const other = "00000000-0000-4000-8000-000000000003";
  const scenario = await startScenario({
    platform: "langsmith",
    integrations: [
      { id: integrationId, name: "octo-org", repositories: [`${repository}.git`] },
      { id: other, name: "shared", repositories: [repository.toUpperCase()] },
    ],
  });
  const run = await scenario.deploy(fewInputs);
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    `Several integrations cover ${repository}: octo-org (${integrationId}), shared (${other}). Set integration_id to the one that is to be used.`,
  ]);
  expect(writes(run.requests)).toEqual([]);
});

test("where none covers it, the error says what was found", async () => {
  const integrations = [
    { id: integrationId, name: "octo-org", repositories: ["https://github.com/octo-org/octo-repo-2"] },
  ];
  const scenario = await startScenario({ platform: "langsmith", integrations });
  const run = await scenario.deploy(fewInputs);
  expect(run.errors).toEqual([
    expect.stringContaining(`No integration covers ${repository}; found were octo-org (${integrationId}).`),
  ]);
  expect(writes(run.requests)).toEqual([]);
});

test("a control plane that doesn't list integrations asks for integration_id", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  const match = { path: "^/v1/integrations/", times: "always" } as const;
  scenario.emulator.misbehave({ kind: "answer", match, status: 404, body: { detail: "Not Found" } });
  const run = await scenario.deploy(fewInputs);
  expect(run.errors).toEqual(["This control plane doesn't list its integrations. Set integration_id."]);
});

test("the standard platform is asked for nothing beyond what it describes", async () => {
  const scenario = await startScenario();
  const run = await scenario.deploy({ integration_id: "" });
  expect(run.errors).toEqual([
    expect.stringContaining("Input integration_id has to be given to create a deployment from a repository"),
  ]);
  expect(spelled(run.requests)).toEqual(["GET /v2/deployments 200"]);
});
