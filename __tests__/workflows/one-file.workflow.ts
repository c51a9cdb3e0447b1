import { expect, test } from "@jest/globals";
import { push, schedule } from "./support/events.ts";
import { deploymentNames, liveVersion } from "./support/live-agent.ts";
import { PullRequest } from "./support/pull-request.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("one-file.yml");
const { github, repository, commit, run } = world;
const environments = () => github.deployments().map(({ environment }) => environment);

test("a push to main deploys production, and nothing else runs", async () => {
  const ended = await run(push(await commit({ "agent.js": agentCode(2) })));

  expect(ended).toMatchObject({ succeeded: true });
  expect(ended.jobs).toEqual({ production: "success" });
  expect(ended.outputs("production", "deploy")).toMatchObject({ outcome: "deployed" });
  expect(await liveVersion(world)).toBe("2");
  expect(environments()).toEqual(["production"]);
});

test("a push to another branch deploys nothing, which a job says", async () => {
  const ended = await run(push(await commit(), "refs/heads/other"));

  const steps = ["none: Main Say that nothing was deployed, success"];
  expect(ended).toMatchObject({ succeeded: true, jobs: {}, steps });
});

test("a deploy that fails fails the caller's run", async () => {
  const ended = await run(push(await commit({ "agent.js": "this is no JavaScript" })));

  expect(ended).toMatchObject({ succeeded: false, jobs: { production: "failure" } });
  expect(await liveVersion(world)).toBe("2");
  await commit({ "agent.js": agentCode(2) });
});

test("a pull request has a preview until it is closed", async () => {
  const pullRequest = new PullRequest(world, 7);
  const opened = await run(await pullRequest.opened({ "agent.js": agentCode(3) }));
  const preview = await liveVersion(world, "my-agent-pr-7");
  const pushed = await run(await pullRequest.synchronized({ "agent.js": agentCode(4) }));
  const next = await liveVersion(world, "my-agent-pr-7");
  const closed = await run(await pullRequest.closed());

  const succeeded = { succeeded: true, jobs: { preview: "success" } };
  expect([opened, pushed, closed]).toMatchObject([succeeded, succeeded, succeeded]);
  expect([preview, next]).toEqual(["3", "4"]);
  expect(deploymentNames(world)).toEqual(["my-agent"]);
  expect(environments()).toContain("Preview");
});

test("the schedule deletes the preview of a pull request whose own run was missed", async () => {
  const pullRequest = new PullRequest(world, 8);
  await repository.checkOut("main");
  await run(await pullRequest.opened({ "agent.js": agentCode(3) }));
  await pullRequest.closed();
  await repository.checkOut("main");
  const before = deploymentNames(world);
  const ended = await run(schedule("17 3 * * *"));

  expect(before).toEqual(["my-agent", "my-agent-pr-8"]);
  expect(ended).toMatchObject({ succeeded: true, jobs: { sweep: "success" } });
  expect(deploymentNames(world)).toEqual(["my-agent"]);
});
