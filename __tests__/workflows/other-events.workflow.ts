// The actions on events that no ready workflow has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { mergeGroup, push, release } from "./support/events.ts";
import { liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useWorkflow } from "./support/use-workflow.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "readers", name), "utf8");
const world = await useWorkflow({
  name: "deploy.yml",
  workflow: read("deploy.yml"),
  others: { "preview.yml": read("preview.yml") },
});
const { github, emulator, repository, commit, run } = world;

test("a release deploys its tag", async () => {
  const sha = await commit({ "agent.js": agentCode(2) });
  await repository.git("tag", "v2.0.0");
  await repository.git("push", "--quiet", "origin", "v2.0.0");
  github.repository.commit(sha, github.repository.files(sha), "tags/v2.0.0");
  await commit({ "agent.js": agentCode(3) });
  const ended = await run(release("v2.0.0"));

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(await liveVersion(world)).toBe("2");
});

test("a merge group deploys its branch", async () => {
  const branch = "gh-readonly-queue/main/pr-7-0123456";
  await repository.checkOut(branch);
  const sha = await commit({ "agent.js": agentCode(4) });
  const ended = await run(mergeGroup(sha, `refs/heads/${branch}`), { ref: `refs/heads/${branch}` });

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(await liveVersion(world)).toBe("4");
});

test("preview on another event than pull_request fails before a request", async () => {
  const sha = await repository.git("rev-parse", "HEAD");
  const before = emulator.requests.length;
  const ended = await run(push(sha), { workflow: "preview.yml" });

  expect(ended).toMatchObject({ succeeded: false, jobs: { preview: "failure" } });
  expect(ended.log).toMatch(
    /::error[^:]*::The preview action runs on pull_request events only, not on push: /,
  );
  expect(emulator.requests.slice(before)).toEqual([]);
});
