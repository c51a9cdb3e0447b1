import { expect, test } from "@jest/globals";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { immediate, type PreviewScenario, startPreviewScenario } from "../../support/preview-scenario.ts";

/** The default name of pull request 7's preview in older versions. */
const formerName = "octo-repo-pr-7";

/** A preview that an older version made. */
async function addFormer({ github, run }: PreviewScenario, pullRequest = 7) {
  const { outputs } = await run("deploy", { inputs: { name: formerName } });
  const { deployment_id } = outputs;
  const payload = { deployment_id, revision_id: "r", name: formerName, pull_request: pullRequest };
  const record = { ref: "main", task: `preview:${formerName}`, environment: "Preview", payload };
  const { id } = github.records.add(record, actionsLogin);
  github.records.addStatus(id, { state: "success" }, actionsLogin);
  github.allComments.add(7, `<!-- deploy-agent-server preview:${formerName} -->\nold`, actionsLogin);
  return { id, deployment_id };
}

function formerState({ github }: PreviewScenario): string | undefined {
  return github.deployments(`preview:${formerName}`)[0]?.statuses[0]?.state;
}

test("closing a pull request deletes the preview that an older version made under its default name", async () => {
  const scenario = await startPreviewScenario(immediate);
  scenario.open();
  const { deployment_id } = await addFormer(scenario);
  scenario.shut();

  const run = await scenario.preview("closed");

  expect(run.outputs).toMatchObject({ outcome: "deleted", deployment_id });
  expect(run.notices).toEqual([expect.stringContaining(formerName)]);
  expect(scenario.emulator.deployments()).toEqual([]);
  expect(formerState(scenario)).toBe("inactive");
  expect(scenario.github.comments(7)).toEqual([
    expect.objectContaining({ body: expect.stringMatching(/^### 🗑️ Preview .*: deleted/m) }),
  ]);
});

test("closing a pull request deletes the previews of both versions", async () => {
  const scenario = await startPreviewScenario(immediate);
  scenario.open();
  await addFormer(scenario);
  const own = await scenario.preview("synchronize");
  scenario.shut();

  const dryRun = await scenario.preview("closed", { inputs: { dry_run: "true" } });
  const run = await scenario.preview("closed");

  expect(own.outputs.created).toBe("true");
  expect(dryRun.log).toMatch(/would delete deployment \S+ and deployment \S+/);
  expect(run.outputs).toMatchObject({ outcome: "deleted" });
  expect(scenario.emulator.deployments()).toEqual([]);
  expect(formerState(scenario)).toBe("inactive");
});

test("a deployment with the former name of the preview stays if no record of this pull request leads to it", async () => {
  const scenario = await startPreviewScenario(immediate);
  scenario.open();
  await addFormer(scenario, 8);
  scenario.shut();

  const run = await scenario.preview("closed");

  expect([run.succeeded, run.outputs.outcome]).toEqual([true, "deleted"]);
  expect(scenario.emulator.deployments()).toHaveLength(1);
  expect(formerState(scenario)).toBe("success");
});
