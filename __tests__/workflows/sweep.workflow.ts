import { expect, test } from "@jest/globals";
import { dispatch, schedule } from "./support/events.ts";
import { deploymentNames } from "./support/live-agent.ts";
import { PullRequest } from "./support/pull-request.ts";
import { agentCode } from "./support/reader-repository.ts";
import { readyWorkflow, useReadyWorkflow } from "./support/use-workflow.ts";

const others = { "preview.yml": readyWorkflow("preview.yml") };
const world = await useReadyWorkflow("sweep.yml", { others });
const { repository, run } = world;

/** Two pull requests with previews. The first is closed, and its workflow does not run, as with a merge conflict. */
async function leavePreviewBehind() {
  const [closed, open] = [new PullRequest(world, 7), new PullRequest(world, 8)];
  await run(await closed.opened({ "agent.js": agentCode(2) }), { workflow: "preview.yml" });
  await run(await open.opened({ "agent.js": agentCode(3) }), { workflow: "preview.yml" });
  await closed.closed();
  await repository.checkOut("main");
}

test("somebody who starts the workflow by hand first sees what would be deleted", async () => {
  await leavePreviewBehind();
  const before = deploymentNames(world);
  const ended = await run(dispatch({ dry_run: "true" }));

  expect(ended).toMatchObject({ succeeded: true, jobs: { sweep: "success" } });
  expect(before).toEqual([expect.stringMatching(/-pr-7$/), expect.stringMatching(/-pr-8$/)]);
  expect(ended.summary).toContain(before[0]);
  expect(deploymentNames(world)).toEqual(before);
});

test("every night, the previews of closed pull requests are deleted, and no others", async () => {
  const ended = await run(schedule("17 3 * * *"));

  expect(ended).toMatchObject({ succeeded: true, jobs: { sweep: "success" } });
  expect(deploymentNames(world)).toEqual([expect.stringMatching(/-pr-8$/)]);
});
