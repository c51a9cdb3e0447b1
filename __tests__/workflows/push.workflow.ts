import { expect, test } from "@jest/globals";
import { until } from "../../emulator/__tests__/run/support/running.ts";
import type { ActRun } from "./support/act.ts";
import { push } from "./support/events.ts";
import { killProcesses } from "./support/kill-processes.ts";
import { liveVersion } from "./support/live-agent.ts";
import { agentCode, type Files } from "./support/reader-repository.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const world = await useReadyWorkflow("push.yml");
const { github, commit, run, start } = world;
const [checkout, deploy, report] = [
  "Main actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1",
  "Main OWNER/REPO@v1",
  'Main echo "Revision $REVISION is live at $URL"',
].map((step) => `deploy: ${step}`);
const post = "deploy: Post OWNER/REPO@v1, success";

/** Commits files, and runs the workflow for that push. */
async function pushOf(files: Files) {
  return await run(push(await commit(files)));
}

/** The last state of each deployment record, newest first. */
const states = () => github.deployments().map(({ id }) => github.statuses(id)[0]?.state);

/** A build that ends only when it is killed. */
const endlessBuild = {
  "package.json": '{"scripts":{"prepare":"sleep 600","start":"node server.js"},"type":"module"}',
};

test("a push to main deploys the agent, and the next step reads the outputs", async () => {
  const ended = await pushOf({ "agent.js": agentCode(1) });

  const { revision_id, deployment_url, ...outputs } = ended.outputs("deploy", "deploy");
  expect(ended).toMatchObject({ succeeded: true, jobs: { deploy: "success" } });
  expect(ended.steps).toEqual([`${checkout}, success`, `${deploy}, success`, `${report}, success`, post]);
  expect(outputs).toMatchObject({ outcome: "deployed", status: "DEPLOYED", created: "true" });
  expect(ended.log).toContain(`Revision ${revision_id} is live at ${deployment_url}\n`);
  expect(ended.summary).toContain("Deployment `my-agent`: deployed");
  expect(await liveVersion(world)).toBe("1");
  expect(states()).toEqual(["success"]);
});

test("a build that fails fails the job, skips the next step, and leaves the agent before live", async () => {
  const ended = await pushOf({ "agent.js": "this is no JavaScript" });

  expect(ended).toMatchObject({ succeeded: false, jobs: { deploy: "failure" } });
  expect(ended.steps).toEqual([`${checkout}, success`, `${deploy}, failure`, post]);
  expect(ended.outputs("deploy", "deploy")).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
  expect(ended.log).toMatch(/::error[^:]*::.*BUILD_FAILED/);
  expect(ended.log).toContain("SyntaxError");
  expect(ended.summary).toContain("Deployment `my-agent`: failed");
  expect(await liveVersion(world)).toBe("1");
  expect(states()[0]).toBe("failure");
});

test("a smoke test that fails fails the job and makes the agent before live again", async () => {
  const ended = await pushOf({ "agent.js": agentCode(2, "London") });

  expect(ended).toMatchObject({ succeeded: false, jobs: { deploy: "failure" } });
  expect(ended.steps).toEqual([`${checkout}, success`, `${deploy}, failure`, post]);
  expect(ended.outputs("deploy", "deploy")).toMatchObject({
    outcome: "failed",
    rolled_back_to: expect.stringMatching(/./),
  });
  expect(await liveVersion(world)).toBe("1");
});

test("the post step of a step that was killed reports the revision that is still running", async () => {
  const started = start(push(await commit({ ...endlessBuild, "agent.js": agentCode(4) })));
  await started.waitForLog("BUILDING");
  await until(states, ([newest]) => newest === "in_progress");
  const killed = killProcesses("dist/deploy.js", world.folder);

  expect(killed).toBe(1);
  expectKilled(await started.ended);
});

test("the post step of a run that was cancelled reports the revision that is still running", async () => {
  const started = start(push(await commit({ ...endlessBuild, "agent.js": agentCode(5) })));
  await started.waitForLog("QUEUED");
  await until(states, ([newest]) => newest === "in_progress");
  started.cancel();

  expectKilled(await started.ended);
});

function expectKilled(ended: ActRun): void {
  const { revision_id } = ended.outputs("deploy", "deploy");
  expect(ended).toMatchObject({ succeeded: false, jobs: { deploy: "failure" } });
  expect(ended.steps).toEqual([`${checkout}, success`, `${deploy}, failure`, post]);
  expect(ended.log).toMatch(
    new RegExp(`::error[^:]*::The step was killed\\. .*Revision ${revision_id} .* is still running`),
  );
  expect(ended.summary).toContain(": failed (killed)");
  expect(ended.summary).toContain(`Revision ${revision_id} of deployment`);
  expect(states()[0]).toBe("error");
}
