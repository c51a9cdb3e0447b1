import { expect, test } from "@jest/globals";
import { push } from "./support/events.ts";
import { deploymentOf, liveVersion } from "./support/live-agent.ts";
import { agentCode, type Files } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("evaluate.yml");
const { emulator, commit, run } = world;

async function pushOf(files: Files) {
  return await run(push(await commit(files)));
}

/** The steps that ran, without the checkout and the post steps. */
const mainSteps = (steps: readonly string[]) => steps.filter((step) => / Main (?!actions)/.test(step));

test("a revision that passes the evaluation stays live", async () => {
  const ended = await pushOf({ "agent.js": agentCode(1) });

  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(mainSteps(ended.steps)).toEqual([
    "deploy: Main OWNER/REPO@v1, success",
    "deploy: Main Evaluate the live agent, success",
  ]);
  expect(await liveVersion(world)).toBe("1");
});

test("a revision that fails the evaluation is rolled back, and the job fails", async () => {
  const { active_revision_id: before } = deploymentOf(emulator);
  const ended = await pushOf({ "agent.js": `${agentCode(2)}// bad\n` });

  const rollback = ended.outputs("deploy", "rollback");
  expect(ended).toMatchObject({ succeeded: false, jobs: { deploy: "failure" } });
  expect(mainSteps(ended.steps)).toEqual([
    "deploy: Main OWNER/REPO@v1, success",
    "deploy: Main Evaluate the live agent, failure",
    "deploy: Main OWNER/REPO/rollback@v1, success",
    "deploy: Main Report how it ended, success",
  ]);
  expect(rollback).toMatchObject({ outcome: "deployed", rolled_back_to: before });
  expect(ended.log).toContain(
    `::error::Deploy success, evaluation failure, rollback success (to revision ${before})`,
  );
  expect(await liveVersion(world)).toBe("1");
});

test("a build that fails is not evaluated, and nothing is rolled back", async () => {
  const ended = await pushOf({ "agent.js": "this is no JavaScript" });

  expect(ended).toMatchObject({ succeeded: false, jobs: { deploy: "failure" } });
  expect(mainSteps(ended.steps)).toEqual([
    "deploy: Main OWNER/REPO@v1, failure",
    "deploy: Main Report how it ended, success",
  ]);
  expect(ended.log).toContain(
    "::error::Deploy failure, evaluation skipped, rollback skipped (to revision none)",
  );
  expect(await liveVersion(world)).toBe("1");
});
