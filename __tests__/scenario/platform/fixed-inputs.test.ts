import { expect, test } from "@jest/globals";
import { type Inputs, startScenario, writes } from "../../support/scenario.ts";

const langsmith: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };

test("inputs that can't change any more are refused before anything is sent, all at once", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  await scenario.deploy(langsmith);
  const other = "00000000-0000-4000-8000-00000000000f";
  const run = await scenario.deploy({ ...langsmith, deployment_type: "prod", integration_id: other });
  expect(run.errors).toEqual([
    `Input integration_id can't change once the deployment exists: it is "00000000-0000-4000-8000-000000000002", and this run asks for "${other}".`,
    'Input deployment_type can\'t change once the deployment exists: it is "dev", and this run asks for "prod".',
  ]);
  expect(run.outputs.outcome).toBe("failed");
  expect(writes(run.requests)).toEqual([]);
});

test("a dry run finds them too", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  await scenario.deploy(langsmith);
  const run = await scenario.deploy({ ...langsmith, deployment_type: "prod", dry_run: "true" });
  expect(run.errors).toEqual([expect.stringContaining("Input deployment_type can't change")]);
});

test("the same values again are no change", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  await scenario.deploy(langsmith);
  const run = await scenario.deploy({
    ...langsmith,
    deployment_type: "dev",
    source: "github",
    repo_url: "https://github.com/Octo-Org/octo-repo.git/",
    repo_ref: "main",
  });
  expect(run.errors).toEqual([]);
  expect(run.outputs.outcome).toBe("deployed");
});
