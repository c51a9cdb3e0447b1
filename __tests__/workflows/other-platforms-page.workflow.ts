// The workflow of docs/other-platforms.md, as somebody copies it.
import { expect, test } from "@jest/globals";
import { push } from "./support/events.ts";
import { deploymentOf, liveVersion } from "./support/live-agent.ts";
import { firstWorkflowOn } from "./support/page-workflow.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useWorkflow } from "./support/use-workflow.ts";

const workflow = firstWorkflowOn("docs/other-platforms.md");
const world = await useWorkflow({ name: "deploy.yml", workflow });
const { emulator, github, commit, run } = world;

test("the workflow of docs/other-platforms.md deploys the branch as prod, and records it on GitHub", async () => {
  const ended = await run(push(await commit({ "agent.js": agentCode(1) })));

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(ended.log).not.toMatch(/::(warning|error)/);
  expect(deploymentOf(emulator).source_config).toMatchObject({ deployment_type: "prod" });
  expect(await liveVersion(world)).toBe("1");
  expect(github.deployments()).toMatchObject([{ environment: "production" }]);
});
