import { expect, test } from "@jest/globals";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  immediate,
  previewOf7,
  type ScenarioRun,
  sha,
  startScenario,
  taskOf7,
  writes,
} from "../../support/scenario.ts";

test("a pull request has one deployment, one comment and a record of each push, until it is closed", async () => {
  const { emulator, github, open, preview, push, shut } = await startScenario({ statusSeconds: 5 });
  const states = () =>
    github.deployments().map(({ statuses }) => statuses.map(({ state }) => state).toReversed());
  const replaced = ["in_progress", "success", "inactive"];
  open({ sha: sha("a") });

  const first = await preview("opened");
  push(sha("b"));
  const second = await preview("synchronize");
  push(sha("d"));
  const third = await preview("synchronize");

  const runs = [third, second, first];
  const deploymentId = first.outputs.deployment_id;
  expect(runs.map(({ outputs }) => [outputs.outcome, outputs.created, outputs.deployment_id])).toEqual([
    ["deployed", "false", deploymentId],
    ["deployed", "false", deploymentId],
    ["deployed", "true", deploymentId],
  ]);
  expect(emulator.deployments()).toMatchObject([
    {
      id: deploymentId,
      name: previewOf7,
      source_revision_config: { repo_ref: "feature-7", app_config_path: "app/config.json" },
      revisions: runs.map(({ outputs }) => ({ id: outputs.revision_id })),
    },
  ]);
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
  expect(states()).toEqual([["in_progress", "success"], replaced, replaced]);
  expect(github.comments(7)).toMatchObject([
    { body: expect.stringContaining(String(third.outputs.revision_id)) },
  ]);

  shut();
  const closed = await preview("closed");

  expect(closed.succeeded).toBe(true);
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id: deploymentId });
  expect(emulator.deployments()).toEqual([]);
  expect(states()).toEqual([replaced, replaced, replaced]);
  expect(github.comments(7)).toMatchObject([{ body: expect.stringContaining("deleted") }]);
  for (const { warnings, errors, state, outputs } of [...runs, closed]) {
    const saved = Object.entries(state).filter(([, value]) => value !== "");
    expect([...warnings, ...errors]).toEqual([]);
    expect(saved).toEqual([["outcome", outputs.outcome]]);
  }
  expect(writes(emulator.requests).map(({ method }) => method)).toEqual(["POST", "PATCH", "PATCH", "DELETE"]);
});

/** The run succeeded, said why it did nothing, and sent no request. */
function expectSkipped(run: ScenarioRun, fact: string): void {
  expect({ succeeded: run.succeeded, outcome: run.outputs.outcome }).toEqual({
    succeeded: true,
    outcome: "skipped",
  });
  expect(run.notices).toEqual([expect.stringContaining(fact)]);
  expect(run.infos).toEqual([]);
  expect([...run.warnings, ...run.errors, ...run.requests, ...run.github]).toEqual([]);
  expect(run.summary).toContain("skipped");
  expect(run.state).toEqual({});
}

test("a preview for Dependabot without a key is skipped without a request, whatever the other inputs are", async () => {
  const { open, preview } = await startScenario({ statusSeconds: 5 });
  open({ login: "dependabot[bot]" });
  const inputs = {
    api_key: "",
    workspace_id: "",
    control_plane_url: "nonsense",
    timeout_seconds: "soon",
    name_max_length: "2",
    secrets: "no equals sign",
  };

  const run = await preview("opened", { inputs, env: { GITHUB_ACTOR: "dependabot[bot]" } });

  expectSkipped(run, "Dependabot");
});

test.each(["mallory/octo-repo", null])(
  "a preview of a fork (%s) is skipped without a request, whatever the inputs are",
  async (headRepository) => {
    const { open, preview } = await startScenario({ statusSeconds: 5 });
    const inputs = { api_key: "", platform: "langsmith", source_path: "missing", smoke_tests: "- bad: [" };
    open({ headRepository });

    for (const action of ["opened", "synchronize", "closed"]) {
      expectSkipped(await preview(action, { inputs }), "fork");
    }
  },
);

test("a preview is skipped without a request if its label is missing, or if another label was added", async () => {
  const { open, preview } = await startScenario({ statusSeconds: 5 });
  const inputs = { label: "preview" };
  open({ labels: ["bug"] });
  open({ number: 8, labels: ["preview", "bug"] });

  expectSkipped(await preview("synchronize", { inputs }), "label preview");
  expectSkipped(await preview("labeled", { number: 8, label: "bug", inputs }), "label");
});

test("a preview in a merge queue is skipped without a request, whatever the inputs are", async () => {
  const { run } = await startScenario({ statusSeconds: 5 });
  const event = { name: "merge_group", payload: { action: "checks_requested", merge_group: {} } };
  const inputs = { api_key: "", workspace_id: "", name_max_length: "2", control_plane_url: "nonsense" };

  expectSkipped(await run("preview", { event, inputs }), "merge queue");
});

test("a draft has a preview, which is deployed again when it is ready for review", async () => {
  const { emulator, open, preview } = await startScenario(immediate);
  open();

  const draft = await preview("opened");
  const converted = await preview("converted_to_draft");
  const ready = await preview("ready_for_review");

  expectSkipped(converted, "converted_to_draft");
  expect([draft.outputs, ready.outputs]).toMatchObject([
    { outcome: "deployed", created: "true" },
    { outcome: "deployed", created: "false", deployment_id: draft.outputs.deployment_id },
  ]);
  expect(emulator.deployments()).toHaveLength(1);
});

test("a pull request that is ready for review is skipped if its label is missing", async () => {
  const { open, preview } = await startScenario({ statusSeconds: 5 });
  open({ labels: ["bug"] });

  expectSkipped(await preview("ready_for_review", { inputs: { label: "preview" } }), "label preview");
});

test.each(["pull_request_target", "issue_comment", "push"])(
  "a preview on %s is refused without a request",
  async (name) => {
    const { github, open, run } = await startScenario({ statusSeconds: 5 });
    open();
    const { event } = github.pullRequestRun(7, "opened");

    const refused = await run("preview", { event: { ...event, name }, inputs: { api_key: "" } });

    expect([refused.succeeded, refused.outputs.outcome]).toEqual([false, "failed"]);
    expect(refused.errors).toEqual([expect.stringMatching(new RegExp(`${name}.*on: pull_request\\b`))]);
    expect([...refused.requests, ...refused.github]).toEqual([]);
  },
);

test("adding the label makes the preview, and removing it deletes the preview", async () => {
  const { emulator, github, open, preview } = await startScenario(immediate);
  const given = { label: "preview", inputs: { label: "preview" } };
  open({ labels: ["preview"] });

  const labeled = await preview("labeled", given);
  github.pullRequests.change(7, { labels: [] });
  const unlabeled = await preview("unlabeled", given);

  expect(labeled.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(unlabeled.outputs).toMatchObject({
    outcome: "deleted",
    deployment_id: labeled.outputs.deployment_id,
  });
  expect(emulator.deployments()).toEqual([]);
});

test("an invalid input that only a deploy needs does not stop the deletion", async () => {
  const { emulator, open, preview, shut } = await startScenario(immediate);
  const variables = { secrets: "nonsense", env_vars: "nonsense" };
  const inputs = { timeout_seconds: "soon", resource_spec: "{", integration_id: "", ...variables };
  open();
  await preview("opened");
  shut();

  const closed = await preview("closed", { inputs });

  expect(closed.outputs.outcome).toBe("deleted");
  expect(emulator.deployments()).toEqual([]);
});

test("dry_run neither deploys nor deletes a preview, and writes nothing on GitHub", async () => {
  const { emulator, github, open, preview, shut } = await startScenario(immediate);
  const inputs = { dry_run: "true" };
  open();

  const planned = await preview("opened", { inputs });
  const { outputs } = await preview("opened");
  shut();
  const plannedDeletion = await preview("closed", { inputs });

  expect([planned.outputs.outcome, plannedDeletion.outputs.outcome]).toEqual(["planned", "planned"]);
  expect(planned.log).toContain(`create deployment ${previewOf7}`);
  expect(plannedDeletion.log).toContain(`delete deployment ${outputs.deployment_id}`);
  for (const { requests, github: toGitHub } of [planned, plannedDeletion]) {
    expect(writes([...requests, ...toGitHub]).filter(({ path }) => path !== "/graphql")).toEqual([]);
  }
  expect(emulator.deployments()).toHaveLength(1);
  expect(github.deployments()).toHaveLength(1);
});
