// The workflow of docs/previews.md, as somebody copies it.
import { expect, test } from "@jest/globals";
import { deploymentNames, deploymentOf, liveVersion } from "./support/live-agent.ts";
import { firstWorkflowOn } from "./support/page-workflow.ts";
import { PullRequest } from "./support/pull-request.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useWorkflow } from "./support/use-workflow.ts";

const world = await useWorkflow({ name: "preview.yml", workflow: firstWorkflowOn("docs/previews.md") });
const { github, emulator, run } = world;
const pullRequest = new PullRequest(world, 7);
const comments = () => github.comments(7).map(({ body }) => body);

test("the workflow of docs/previews.md gives a pull request a serverless agent and a comment", async () => {
  const ended = await run(await pullRequest.opened({ "agent.js": agentCode(2) }));

  const [name = ""] = deploymentNames(world);
  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  // Production does not exist yet.
  expect(ended.log.match(/::(?:warning|error).*/g)).toEqual([
    expect.stringContaining("There is no deployment my-agent to compare with."),
  ]);
  expect(await liveVersion(world, name)).toBe("2");
  expect(deploymentOf(emulator, name).source_config).toMatchObject({ deployment_type: "dev_zero" });
  expect(comments()).toEqual([expect.stringContaining(String(deploymentOf(emulator, name).url))]);
});

test("the workflow of docs/previews.md deletes the agent when the pull request is closed", async () => {
  const ended = await run(await pullRequest.closed());

  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  expect(deploymentNames(world)).toEqual([]);
  expect(comments()).toEqual([expect.stringContaining("deleted")]);
});
