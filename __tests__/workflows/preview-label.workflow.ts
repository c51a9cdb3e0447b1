import { expect, test } from "@jest/globals";
import { deploymentNames, liveVersion } from "./support/live-agent.ts";
import { PullRequest } from "./support/pull-request.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("preview-label.yml");
const { run } = world;
const pullRequest = new PullRequest(world, 7);

test("a pull request without the label gets no agent", async () => {
  const ended = await run(await pullRequest.opened({ "agent.js": agentCode(2) }));

  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  expect(deploymentNames(world)).toEqual([]);
});

test("a pull request gets an agent with the label, and loses it without", async () => {
  const labeled = await run(await pullRequest.labeled("preview"));
  const [name] = deploymentNames(world);
  const version = await liveVersion(world, name);
  const pushed = await run(await pullRequest.synchronized({ "agent.js": agentCode(3) }));
  const next = await liveVersion(world, name);
  const unlabeled = await run(await pullRequest.unlabeled("preview"));

  expect([labeled, pushed, unlabeled]).toEqual(Array(3).fill(expect.objectContaining({ succeeded: true })));
  expect([version, next]).toEqual(["2", "3"]);
  expect(deploymentNames(world)).toEqual([]);
});

test("a pull request that is closed with the label loses its agent", async () => {
  await run(await pullRequest.labeled("preview"));
  const before = deploymentNames(world);
  const ended = await run(await pullRequest.closed());

  expect(before).toHaveLength(1);
  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  expect(deploymentNames(world)).toEqual([]);
});
