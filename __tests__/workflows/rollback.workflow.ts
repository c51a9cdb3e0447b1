import { expect, test } from "@jest/globals";
import { dispatch, push } from "./support/events.ts";
import { liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { readyWorkflow, useReadyWorkflow } from "./support/use-workflow.ts";

const deploying = "evaluate.yml";
const others = { [deploying]: readyWorkflow(deploying) };
const world = await useReadyWorkflow("rollback.yml", { others });
const { github, commit, run } = world;

async function deployVersion(version: number) {
  const sha = await commit({ "agent.js": agentCode(version) });
  const ended = await run(push(sha), { workflow: deploying });
  return ended.outputs("deploy", "deploy");
}

test("the revision that somebody names is live again, and the rollback is recorded", async () => {
  const first = await deployVersion(1);
  await deployVersion(2);
  const ended = await run(dispatch({ revision_id: String(first.revision_id) }));

  expect(ended).toMatchObject({ succeeded: true, jobs: { rollback: "success" } });
  expect(ended.outputs("rollback", "rollback")).toMatchObject({
    outcome: "deployed",
    rolled_back_to: first.revision_id,
  });
  expect(ended.outputs("rollback", "rollback").smoke_tests).toContain('"passed":true');
  expect(await liveVersion(world)).toBe("1");
  expect(github.deployments()).toMatchObject([{ environment: "production" }, {}, {}]);
});
