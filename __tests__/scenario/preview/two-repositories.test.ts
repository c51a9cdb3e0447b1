import { expect, test } from "@jest/globals";
import { immediate, type Scenario, startScenario } from "../../support/scenario.ts";

/** The deployment shows no repository. */
const image = {
  source: "external_docker",
  image_uri: "example/app:1",
  integration_id: "",
  app_config_path: "",
};

/** Runs the preview action for pull request 7 of another repository that is also named `octo-repo`. */
function previewOfNamesake({ github, run }: Scenario, action: string) {
  const { event } = github.pullRequestRun(7, action);
  const text = JSON.stringify(event.payload).replaceAll("octo-org/octo-repo", "alice/octo-repo");
  return run("preview", {
    event: { ...event, payload: JSON.parse(text) },
    env: { GITHUB_REPOSITORY: "alice/octo-repo", GITHUB_HEAD_REF: "feature-7" },
    inputs: { ...image, github_token: "" },
  });
}

test("two repositories of the same name in one workspace never share a preview", async () => {
  const scenario = await startScenario(immediate);
  const { emulator, open, preview, shut } = scenario;
  open();
  const ofNamesake = await previewOfNamesake(scenario, "opened");
  const own = await preview("opened", { inputs: image });

  shut();
  const closed = await preview("closed");

  expect([ofNamesake.outputs.created, own.outputs.created]).toEqual(["true", "true"]);
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id: own.outputs.deployment_id });
  expect(emulator.deployments().map(({ id }) => id)).toEqual([ofNamesake.outputs.deployment_id]);
});
