import { expect, test } from "@jest/globals";
import { dispatch } from "./support/events.ts";
import { deploymentNames, deploymentOf, liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("manual.yml");
const { github, emulator, commit, run } = world;

test("a dry run shows what would be deployed, and changes nothing", async () => {
  await commit({ "agent.js": agentCode(2) });
  const ended = await run(dispatch({ ref: "", dry_run: "true" }));

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(ended.outputs("deploy", "deploy")).toMatchObject({ outcome: "planned" });
  expect(ended.summary).toContain('"deployment_type": "prod"');
  expect(deploymentNames(world)).toEqual([]);
  expect(github.deployments()).toEqual([]);
});

test("without dry_run, what was chosen is deployed", async () => {
  const ended = await run(dispatch({ ref: "main", dry_run: "false" }));

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(await liveVersion(world)).toBe("2");
  expect(deploymentOf(emulator).source_config).toMatchObject({ deployment_type: "prod" });
  expect(github.deployments()).toMatchObject([{ environment: "production" }]);
});
