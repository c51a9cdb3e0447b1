import { expect, test } from "@jest/globals";
import { push } from "./support/events.ts";
import { deploymentNames, liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("promote.yml");
const { github, commit, run } = world;

test("production gets the files of staging, and only after staging is live", async () => {
  const ended = await run(push(await commit({ "agent.js": agentCode(2) })));

  const [staging, production] = ["staging", "production"].map((job) => ended.outputs(job, "deploy"));
  expect(ended).toMatchObject({
    succeeded: true,
    jobs: { staging: "success", approval: "success", production: "success" },
  });
  expect(Object.keys(ended.jobs)).toEqual(["staging", "approval", "production"]);
  expect(production?.source_digest).toMatch(/^sha256:/);
  expect(production?.source_digest).toBe(staging?.source_digest);
  expect(ended.steps).toContain("production: Main Check that staging deployed the same files, success");
  expect(deploymentNames(world)).toEqual(["my-agent-staging", "my-agent"]);
  expect(await liveVersion(world)).toBe("2");
  expect(github.deployments().map(({ environment }) => environment)).toEqual(["production", "staging"]);
});

test("what fails in staging does not get to production", async () => {
  const ended = await run(push(await commit({ "agent.js": "this is no JavaScript" })));

  expect(ended).toMatchObject({ succeeded: false, jobs: { staging: "failure" } });
  expect(Object.keys(ended.jobs)).toEqual(["staging"]);
  expect(await liveVersion(world)).toBe("2");
});
