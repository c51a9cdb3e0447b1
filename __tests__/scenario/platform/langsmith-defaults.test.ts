import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, requestLines, startScenario, writes } from "../../support/scenario.ts";

const id = "00000000-0000-4000-8000-000000000002";
const otherId = "00000000-0000-4000-8000-000000000003";
const repository = "https://github.com/octo-org/octo-repo";

test("platform, key, workspace and name are enough to create a deployment", async () => {
  const { deploy } = await startScenario({ platform: "langsmith" });

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(writes(run.requests)[0]?.body).toMatchObject({
    source_config: { integration_id: id, repo_url: repository },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json", image_uri: null },
  });
  expect(run.infos).toContainEqual(expect.stringMatching(new RegExp(`${id} .*${repository}`)));
});

test("an update searches no integration and sends no configuration path", async () => {
  const { deploy, existing } = await startScenario({ platform: "langsmith" });
  await existing();

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    { source_revision_config: { repo_ref: "main" } },
  ]);
  expect(requestLines(run.requests).filter((line) => line.includes("integrations"))).toEqual([]);
});

const inAnySpelling = [
  { id, name: "octo-org", repositories: [`${repository}.git`] },
  { id: otherId, name: "shared", repositories: [repository.toUpperCase()] },
];
const ofAnother = [{ id, name: "octo-org", repositories: [`${repository}-2`] }];
const missing = answer("^/v1/integrations/", 404, { body: { detail: "Not Found" }, times: "always" });
const both = [`octo-org (${id})`, `shared (${otherId})`];

test.each<[string, EmulatorOptions, string[]]>([
  ["several cover the repository, in any spelling", { integrations: inAnySpelling }, [repository, ...both]],
  ["none covers the repository", { integrations: ofAnother }, [repository, `octo-org (${id})`]],
  ["there are none", { integrations: [] }, [repository]],
  ["the control plane does not list them", { faults: [missing] }, []],
])("no integration is guessed if %s, and the error names integration_id", async (_what, options, facts) => {
  const { deploy } = await startScenario({ platform: "langsmith", ...options });

  const run = await deploy();

  expect(writes(run.requests)).toEqual([]);
  expectError(run, ...facts, "integration_id");
});

test("an integration that was removed on GitHub (404) does not hide another one", async () => {
  const integrations = [{ id, name: "octo-org", repositories: [repository] }];
  const listed = { body: [{ id: otherId, name: null }, ...integrations], times: "always" } as const;
  const gone = { body: { detail: "no" }, times: "always" } as const;
  const faults = [
    answer("^/v1/integrations/github/install$", 200, listed),
    answer(`^/v1/integrations/github/${otherId}/repos$`, 404, gone),
  ];
  const { deploy } = await startScenario({ platform: "langsmith", statusSeconds: 0, integrations, faults });

  const run = await deploy();

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos).toContainEqual(expect.stringContaining(`Integration ${id} covers`));
});

test("an integration whose repositories may not be read is an error that quotes the platform", async () => {
  const integrations = [{ id, name: "octo-org", repositories: [repository] }];
  const body = { detail: "Your role lacks integrations:read" };
  const faults = [answer("/repos$", 403, { body, times: "always" })];
  const { deploy } = await startScenario({ platform: "langsmith", integrations, faults });

  const run = await deploy();

  expectError(run, "failed with 403", body.detail);
});

test("a host of one's own takes what the cloud reserves, and gets a warning of a long name", async () => {
  const { deploy } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  const name = "an-agent-with-a-long-name";

  const run = await deploy({ name, deployment_type: "serverless", secrets: "LSD_ENV=some-value" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toContainEqual(expect.stringContaining(`${name} has 25 characters`));
  expect(writes(run.requests)[0]?.body).toMatchObject({
    source_config: { deployment_type: "dev_zero" },
    secrets: [{ name: "LSD_ENV", value: "some-value" }],
  });
});

test("the cloud's own names of secrets are refused there, before any request", async () => {
  const { deploy } = await startScenario({ platform: "langsmith" });

  const run = await deploy({ control_plane_url: "", region: "apac", secrets: "LSD_ENV=some-value" });

  expect(run.requests).toEqual([]);
  expectError(run, "secrets", "LSD_ENV");
});
