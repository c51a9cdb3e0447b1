import { expect, test } from "@jest/globals";
import { push } from "./support/events.ts";
import { liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("release.yml");
const { github, repository, commit, run } = world;

test("a tag is deployed, although main has moved on", async () => {
  const sha = await commit({ "agent.js": agentCode(2) });
  await repository.git("tag", "v2.0.0");
  await repository.git("push", "--quiet", "origin", "v2.0.0");
  github.repository.commit(sha, github.repository.files(sha), "tags/v2.0.0");
  await commit({ "agent.js": agentCode(3) });
  await repository.git("checkout", "--quiet", "v2.0.0");
  const ended = await run(push(sha, "refs/tags/v2.0.0"));

  expect(ended).toMatchObject({ succeeded: true, jobs: { approval: "success", deploy: "success" } });
  expect(ended.outputs("deploy", "deploy")).toMatchObject({ outcome: "deployed" });
  expect(await liveVersion(world)).toBe("2");
  expect(github.deployments()).toMatchObject([{ environment: "production" }]);
});
