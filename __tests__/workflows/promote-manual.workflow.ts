import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { dispatch, push } from "./support/events.ts";
import { deploymentNames, liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { readyWorkflow, useReadyWorkflow } from "./support/use-workflow.ts";

const staging = "promote.yml";
// As docs/promote.md says: without the jobs below the one for staging, and with a step that shows the command.
const [stagingOnly = ""] = readyWorkflow(staging).split(/^ {2}#.*\n {2}approval:$/m);
const page = readFileSync(join(root, "docs/promote.md"), "utf8");
const [, showCommand = ""] = /^```text\n( {6}- name: Show the command.*?)^```$/ms.exec(page) ?? [];
const world = await useReadyWorkflow("promote-manual.yml", {
  others: { [staging]: `${stagingOnly}${showCommand}` },
});
const { github, commit, run } = world;

const ref = await commit({ "agent.js": agentCode(2) });

test("files that staging does not have are not promoted", async () => {
  const ended = await run(dispatch({ ref, source_digest: `sha256:${"0".repeat(64)}` }));

  expect(ended).toMatchObject({ succeeded: false, jobs: { production: "failure" } });
  expect(ended.log).toContain(`you entered sha256:${"0".repeat(64)}.`);
  expect(deploymentNames(world)).toEqual([]);
  expect(github.deployments()).toEqual([]);
});

test("the files of staging are promoted", async () => {
  const deployed = await run(push(ref), { workflow: staging });
  const { source_digest } = deployed.outputs("staging", "deploy");
  const ended = await run(dispatch({ ref, source_digest: String(source_digest) }));

  expect(Object.keys(deployed.jobs)).toEqual(["staging"]);
  expect(deployed.summary).toContain(
    `gh workflow run promote-manual.yml --field ref=${ref} --field source_digest=${source_digest}`,
  );
  expect(ended).toMatchObject({ succeeded: true, jobs: { production: "success" } });
  expect(ended.outputs("production", "deploy").source_digest).toBe(source_digest);
  expect(deploymentNames(world)).toEqual(["my-agent-staging", "my-agent"]);
  expect(await liveVersion(world)).toBe("2");
  expect(github.deployments().map(({ environment }) => environment)).toEqual(["production", "staging"]);
});
