// The reusable workflow, called as docs/README.md shows for LangSmith Deployment, and in other ways.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { mergeGroup, push, release } from "./support/events.ts";
import { deploymentNames, deploymentOf, liveVersion } from "./support/live-agent.ts";
import { agentCode } from "./support/reader-repository.ts";
import { useWorkflow } from "./support/use-workflow.ts";

const world = await useWorkflow({ name: "agent.yml", workflow: shownWorkflow() });
const { commit, run } = world;

/** The whole file that the page shows, and a job that reads the outputs. */
function shownWorkflow(): string {
  const page = readFileSync(join(root, "docs/README.md"), "utf8");
  const [, shown] = /^```yaml\n(name: Agent\non:\n[^`]*deploy-agent\.yml@v1[^`]*)```$/m.exec(page) ?? [];
  if (shown === undefined) throw new Error("docs/README.md shows no whole file that calls deploy-agent.yml");
  const job = readFileSync(join(import.meta.dirname, "readers/report-job.yml"), "utf8");
  // Other events, which the reusable workflow has no job for.
  const events = "on:\n  release: { types: [published] }\n  merge_group:\n";
  return `${shown.replace("on:\n", events)}${job.replaceAll(/^/gm, "  ")}`;
}

test("a push uploads the files of the checkout, and another job of the caller reads the outputs", async () => {
  const ended = await run(push(await commit({ "agent.js": agentCode(2) })));

  const { outcome, deployment_url } = ended.outputs("production", "deploy");
  expect(ended).toMatchObject({ succeeded: true, jobs: { production: "success", report: "success" } });
  expect(outcome).toBe("deployed");
  expect(ended.summary).toContain("knows the capital");
  expect(deploymentOf(world.emulator).source_config).toMatchObject({ deployment_type: "prod" });
  expect(ended.log).toContain(`The agent is deployed at ${deployment_url}\n`);
  expect(await liveVersion(world)).toBe("2");
});

test("a release and a merge group deploy nothing, and a warning says so", async () => {
  const sha = await world.repository.git("rev-parse", "main");
  const ref = `refs/heads/gh-readonly-queue/main/pr-7-${sha}`;
  const ended = [await run(release("v1.0.0")), await run(mergeGroup(sha, ref), { ref })];

  for (const { succeeded, log } of ended) {
    expect(succeeded).toBe(true);
    expect(log).toMatch(/::warning[^:]*::This workflow has no job for (release|merge_group) /);
  }
  expect(deploymentNames(world)).toEqual(["my-agent"]);
});
