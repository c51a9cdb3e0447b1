import { expect, test } from "@jest/globals";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { previewOf7, sha, startPreviewScenario, taskOf7 } from "../../support/preview-scenario.ts";
import { writes } from "../../support/scenario.ts";

test("opened, pushed to twice, closed: one deployment, three revisions, one comment, records that tell it", async () => {
  const { emulator, github, open, preview, push, shut } = await startPreviewScenario();
  open({ sha: sha("a") });
  const opened = await preview("opened");
  expect(opened.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(emulator.deployments()).toMatchObject([
    {
      name: previewOf7,
      source_revision_config: { repo_ref: "feature-7", app_config_path: "app/config.json" },
    },
  ]);
  const { deployment_id: deploymentId = "" } = opened.outputs;
  push(sha("b"));
  const second = await preview("synchronize");
  push(sha("d"));
  const third = await preview("synchronize");
  const runs = [third, second, opened];
  expect(emulator.deployments()).toMatchObject([
    { id: deploymentId, revisions: runs.map(({ outputs }) => ({ id: outputs.revision_id })) },
  ]);
  expect(new Set(runs.map(({ outputs }) => outputs.revision_id)).size).toBe(3);

  expect(github.deployments()).toMatchObject(
    [sha("d"), sha("b"), sha("a")].map((head, index) => ({
      ref: head,
      sha: head,
      task: taskOf7,
      environment: "Preview",
      transient: true,
      production: false,
      login: actionsLogin,
      payload: {
        deployment_id: deploymentId,
        revision_id: runs[index]?.outputs.revision_id,
        name: previewOf7,
        pull_request: 7,
        run_id: String(1003 - index),
      },
    })),
  );
  const states = () =>
    github.deployments().map(({ id }) =>
      github
        .statuses(id)
        .map(({ state }) => state)
        .toReversed(),
    );
  const replaced = ["in_progress", "success", "inactive"];
  expect(states()).toEqual([["in_progress", "success"], replaced, replaced]);
  expect(github.comments(7)).toHaveLength(1);
  expect(github.comments(7)[0]?.body).toContain("✅ deployed");
  expect(github.comments(7)[0]?.body).toContain(String(third.outputs.revision_id));

  shut();
  const closed = await preview("closed");
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id: deploymentId });
  expect(closed.succeeded).toBe(true);
  expect(emulator.deployments()).toEqual([]);
  expect(states()).toEqual([replaced, replaced, replaced]);
  expect(github.comments(7)).toHaveLength(1);
  expect(github.comments(7)[0]?.body).toContain("deleted");
  for (const run of [...runs, closed]) {
    expect(run.warnings).toEqual([]);
    expect(run.errors).toEqual([]);
    expect(run.state).toMatchObject({});
  }
  expect(writes(emulator.requests).map(({ method }) => method)).toEqual(["POST", "PATCH", "PATCH", "DELETE"]);
});
