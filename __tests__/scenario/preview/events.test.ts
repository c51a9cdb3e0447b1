import { describe, expect, test } from "@jest/globals";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  previewOf7,
  type RecordedRun,
  sha,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";
import { writes } from "../../support/scenario.ts";

function expectUntouched(run: RecordedRun): void {
  expect(run.requests).toEqual([]);
  expect(run.github).toEqual([]);
}

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
    expect(Object.values(run.state).filter((value) => value !== "")).toEqual([]);
  }
  expect(writes(emulator.requests).map(({ method }) => method)).toEqual(["POST", "PATCH", "PATCH", "DELETE"]);
});

describe("a skipped pull request", () => {
  test("of Dependabot without a key: one notice, no request, whatever else is wrong", async () => {
    const { open, preview } = await startPreviewScenario();
    open({ login: "dependabot[bot]" });
    const inputs = {
      api_key: "",
      workspace_id: "",
      control_plane_url: "nonsense",
      timeout_seconds: "soon",
      name_max_length: "2",
      repo_url: "https://github.com/someone/else",
      secrets: "no equals sign",
    };
    const run = await preview("opened", { inputs, env: { GITHUB_ACTOR: "dependabot[bot]" } });
    expect(run.succeeded).toBe(true);
    expect(run.outputs).toMatchObject({ outcome: "skipped" });
    expect(run.notices).toEqual([expect.stringContaining("Dependabot")]);
    expect([...run.warnings, ...run.errors]).toEqual([]);
    expect(run.summary).toContain("skipped");
    expect(run.state).toEqual({});
    expectUntouched(run);
  });

  test("of Dependabot with a key is deployed", async () => {
    const { open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    open({ login: "dependabot[bot]" });
    expect((await preview("opened")).outputs.outcome).toBe("deployed");
  });

  test.each([["mallory/octo-repo"], [null]])(
    "of a fork (%s): no preview, and none is deleted",
    async (head) => {
      const { open, preview } = await startPreviewScenario();
      open({ headRepository: head });
      for (const action of ["opened", "synchronize", "closed"]) {
        const run = await preview(action, { inputs: { api_key: "" } });
        expect(run.outputs.outcome).toBe("skipped");
        expect(run.succeeded).toBe(true);
        expect(run.notices).toEqual([expect.stringContaining("fork")]);
        expectUntouched(run);
      }
    },
  );

  test("without its label", async () => {
    const { open, preview } = await startPreviewScenario();
    open({ labels: ["bug"] });
    const run = await preview("synchronize", { inputs: { label: "preview" } });
    expect(run.outputs.outcome).toBe("skipped");
    expect(run.notices).toHaveLength(1);
    expectUntouched(run);
  });

  test("that got another label", async () => {
    const { open, preview } = await startPreviewScenario();
    open({ labels: ["preview", "bug"] });
    expectUntouched(await preview("labeled", { label: "bug", inputs: { label: "preview" } }));
  });
});

test.each(["pull_request_target", "issue_comment", "push"])(
  "%s is refused before anything is asked",
  async (name) => {
    const { github, open, run } = await startPreviewScenario();
    open();
    const { event } = github.pullRequestRun(7, "opened");
    const refused = await run("preview", { event: { ...event, name }, inputs: { api_key: "" } });
    expect(refused.succeeded).toBe(false);
    expect(refused.outputs.outcome).toBe("failed");
    expect(refused.errors).toEqual([expect.stringContaining(name)]);
    expect(refused.errors[0]).toContain("on: pull_request");
    expectUntouched(refused);
  },
);

test("the label makes the preview, and taking it away deletes it", async () => {
  const { emulator, github, open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
  open({ labels: ["preview"] });
  const inputs = { label: "preview" };
  const made = await preview("labeled", { label: "preview", inputs });
  expect(made.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  github.pullRequests.change(7, { labels: [] });
  const gone = await preview("unlabeled", { label: "preview", inputs });
  expect(gone.outputs).toMatchObject({ outcome: "deleted", deployment_id: made.outputs.deployment_id });
  expect(emulator.deployments()).toEqual([]);
});

describe("the name", () => {
  test("is made of repository and number", async () => {
    const { emulator, open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    open();
    await preview("opened");
    expect(emulator.deployments().map(({ name }) => name)).toEqual([previewOf7]);
  });

  test("is cut to name_max_length", async () => {
    const { emulator, open, preview } = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
      github: { repository: "octo-org/a-long-repository-name" },
    });
    open();
    await preview("opened", { inputs: { name_max_length: "21" } });
    expect(emulator.deployments()[0]?.name).toMatch(/^a-long-re-[0-9a-f]{6}-pr-7$/);
    expect(emulator.deployments()[0]?.name).toHaveLength(21);
  });

  test("that is given is taken as it is, if it isn't too long", async () => {
    const { emulator, github, open, preview } = await startPreviewScenario({
      emulator: { statusSeconds: 0 },
    });
    open();
    await preview("opened", { inputs: { name: "leg-one-pr-7" } });
    expect(emulator.deployments()[0]?.name).toBe("leg-one-pr-7");
    expect(github.deployments("preview:leg-one-pr-7")).toHaveLength(1);
    const refused = await preview("opened", { inputs: { name: "a".repeat(22), name_max_length: "21" } });
    expect(refused.outputs.outcome).toBe("failed");
    expect(refused.errors).toEqual([
      expect.stringMatching(/Input name has 22 characters.*name_max_length \(21\)/),
    ]);
    expect(writes(refused.requests)).toEqual([]);
  });
});

test("a wrong input that only a deploy needs doesn't stop a clean-up", async () => {
  const { emulator, open, preview, shut } = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
  open();
  await preview("opened");
  shut();
  const inputs = { timeout_seconds: "soon", resource_spec: "{", secrets: "nonsense", integration_id: "" };
  expect((await preview("closed", { inputs })).outputs.outcome).toBe("deleted");
  expect(emulator.deployments()).toEqual([]);
});

test("an input that deploying and deleting both read is told of once", async () => {
  const scenario = await startPreviewScenario();
  scenario.open();
  const run = await scenario.preview("opened", { inputs: { workspace_id: "", wait: "perhaps" } });
  expect(run.errors).toEqual([
    "Input workspace_id has to be given.",
    'Input wait has to be true or false, not "perhaps".',
  ]);
});

test("dry_run deploys nothing, deletes nothing and writes nothing on GitHub", async () => {
  const { emulator, github, open, preview, shut } = await startPreviewScenario({
    emulator: { statusSeconds: 0 },
  });
  open();
  const inputs = { dry_run: "true" };
  const planned = await preview("opened", { inputs });
  expect(planned.outputs.outcome).toBe("planned");
  expect(planned.log).toContain(`create deployment ${previewOf7}`);
  expect(emulator.deployments()).toEqual([]);
  expect(github.deployments()).toEqual([]);
  const made = await preview("opened");
  const before = { records: github.deployments(), comments: github.comments(7) };
  shut();
  const run = await preview("closed", { inputs });
  expect(run.outputs.outcome).toBe("planned");
  expect(run.log).toContain(`would delete ${made.outputs.deployment_id}`);
  expect(emulator.deployments()).toHaveLength(1);
  expect({ records: github.deployments(), comments: github.comments(7) }).toEqual(before);
});
