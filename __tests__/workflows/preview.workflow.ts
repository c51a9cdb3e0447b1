import { expect, test } from "@jest/globals";
import { mergeGroup } from "./support/events.ts";
import { deploymentNames, deploymentOf, liveVersion } from "./support/live-agent.ts";
import { PullRequest } from "./support/pull-request.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("preview.yml");
const { github, emulator, run } = world;
const pullRequest = new PullRequest(world, 7);
const checkout = "preview: Main actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1, success";
const steps = [
  "preview: Main OWNER/REPO/preview@v1, success",
  "preview: Post OWNER/REPO/preview@v1, success",
];
const comments = () => github.comments(7).map(({ body }) => body);

test("a pull request that is opened gets its own agent and a comment with the URL", async () => {
  const ended = await run(await pullRequest.opened({ "agent.js": agentCode(2) }));

  const [name = "", ...others] = deploymentNames(world);
  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  expect(ended.steps).toEqual([checkout, ...steps]);
  expect(others).toEqual([]);
  expect(name).toMatch(/^octo-repo-\w+-pr-7$/);
  expect(await liveVersion(world, name)).toBe("2");
  expect(comments()).toEqual([expect.stringContaining(String(deploymentOf(emulator, name).url))]);
  expect(ended.summary).toContain(`\`${name}\`: deployed`);
});

test("a merge group succeeds without a preview", async () => {
  const sha = await world.repository.git("rev-parse", "main");
  const ref = `refs/heads/gh-readonly-queue/main/pr-7-${sha}`;
  const before = emulator.requests.length;
  const ended = await run(mergeGroup(sha, ref), { ref });

  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  expect(ended.outputs("preview", "preview")).toMatchObject({ outcome: "skipped" });
  expect(emulator.requests.slice(before)).toEqual([]);
});

test("a push to the pull request updates its agent and the same comment", async () => {
  const [name] = deploymentNames(world);
  const [before] = comments();
  const ended = await run(await pullRequest.synchronized({ "agent.js": agentCode(3) }));

  expect(ended).toMatchObject({ succeeded: true });
  expect(deploymentNames(world)).toEqual([name]);
  expect(await liveVersion(world, name)).toBe("3");
  expect(comments()).toHaveLength(1);
  expect(comments()).not.toEqual([before]);
});

test("a pull request that is closed loses its agent", async () => {
  const { url } = deploymentOf(emulator, deploymentNames(world)[0]);
  const ended = await run(await pullRequest.closed());

  expect(ended).toMatchObject({ succeeded: true, jobs: { preview: "success" } });
  expect(ended.steps).toEqual(steps);
  expect(deploymentNames(world)).toEqual([]);
  expect(comments()).toEqual([expect.stringContaining("deleted")]);
  await expect(fetch(`${url}/ok`)).rejects.toThrow("fetch failed");
});
