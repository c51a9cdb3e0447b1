import { expect, test } from "@jest/globals";
import type { WorkflowEvent } from "../support/runner/step-environment.ts";
import { push } from "./support/events.ts";
import { deploymentNames, deploymentOf, liveVersion } from "./support/live-agent.ts";
import { PullRequest } from "./support/pull-request.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("monorepo.yml");
const { github, commit, run } = world;

/** act unpacks an action into one folder for all jobs, so two jobs of a matrix would disturb each other. */
async function runMatrix(event: WorkflowEvent) {
  return [await run(event, { matrix: ["agent:support"] }), await run(event, { matrix: ["agent:research"] })];
}

test("a push deploys each agent under its own name and in its own environment", async () => {
  const ended = await runMatrix(push(await commit()));

  const deployed = { succeeded: true, jobs: { deploy: "success" } };
  expect(ended).toMatchObject([deployed, deployed]);
  expect(deploymentNames(world)).toEqual(["support", "research"]);
  expect(github.deployments().map(({ environment }) => environment)).toEqual([
    "production-research",
    "production-support",
  ]);
});

test("a push deploys only the agent whose files it changes", async () => {
  const before = deploymentOf(world.emulator, "research").active_revision_id;

  const ended = await runMatrix(push(await commit({ "agents/support/agent.js": agentCode(2) })));

  expect(ended.map(({ succeeded }) => succeeded)).toEqual([true, true]);
  expect(ended[0]?.summary).toContain("Deployment `support`: deployed");
  expect(ended[1]?.summary).toContain("Deployment `research`: unchanged");
  expect(await liveVersion(world, "support")).toBe("2");
  expect(deploymentOf(world.emulator, "research").active_revision_id).toBe(before);
});

test("a pull request has a preview of each agent until it is closed", async () => {
  const pullRequest = new PullRequest(world, 7);
  const opened = await runMatrix(await pullRequest.opened({ "agents/support/agent.js": agentCode(3) }));
  const names = deploymentNames(world);
  const pushed = await runMatrix(await pullRequest.synchronized({ "agents/support/agent.js": agentCode(4) }));
  const closed = await runMatrix(await pullRequest.closed());

  const succeeded = { succeeded: true, jobs: { preview: "success" } };
  expect([...opened, ...pushed, ...closed]).toMatchObject(Array(6).fill(succeeded));
  expect(names).toEqual(["support", "research", "support-pr-7", "research-pr-7"]);
  expect(deploymentNames(world)).toEqual(["support", "research"]);
});
