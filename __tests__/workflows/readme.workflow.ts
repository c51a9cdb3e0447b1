// The README's complete workflow, as somebody copies it who only sets what the README says to set.
import { expect, test } from "@jest/globals";
import { push } from "./support/events.ts";
import { deploymentOf, liveVersion } from "./support/live-agent.ts";
import { firstWorkflowOn } from "./support/page-workflow.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useWorkflow } from "./support/use-workflow.ts";

const world = await useWorkflow({ name: "deploy.yml", workflow: firstWorkflowOn("README.md") });
const { emulator, github, commit, run } = world;

test("the README's workflow deploys the agent as dedicated, tests it, and records it on GitHub", async () => {
  const ended = await run(push(await commit({ "agent.js": agentCode(1) })));

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(ended.log).not.toMatch(/::(warning|error)/);
  expect(ended.summary).toContain("knows the capital");
  expect(deploymentOf(emulator).source_config).toMatchObject({ deployment_type: "prod" });
  expect(await liveVersion(world)).toBe("1");
  expect(github.deployments()).toMatchObject([{ environment: "production" }]);
});

test("the README's workflow goes back to the previous version if the answer is wrong", async () => {
  const ended = await run(push(await commit({ "agent.js": agentCode(2, "London") })));

  expect(ended).toMatchObject({ succeeded: false, jobs: { deploy: "failure" } });
  expect(await liveVersion(world)).toBe("1");
});
