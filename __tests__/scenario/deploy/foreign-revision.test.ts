import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  type Inputs,
  immediate,
  type ScenarioRun,
  startBehind,
  startScenario,
} from "../../support/scenario.ts";

const patch = { method: "PATCH" };
const list = { method: "GET", path: "/revisions$" };

function expectNotOurs(run: ScenarioRun, ...why: string[]): void {
  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs.revision_id ?? "").toBe("");
  expect(run.outputs.status ?? "").toBe("");
  expectError(run, "is not this run's", ...why);
}

describe("a revision that is shown to deploy something else is never this run's:", () => {
  const theirs = { repo_ref: "theirs", app_config_path: "app/config.json" };

  test.each<[string, string, Inputs, object]>([
    ["another ref", "github", {}, theirs],
    ["another configuration path", "github", { app_config_path: "a.json" }, { ...theirs, repo_ref: "main" }],
    ["another image", "external_docker", { image_uri: "example.com/a:1" }, { image_uri: "example.com/a:2" }],
  ])("%s, if the update named it (source %s)", async (_what, source, inputs, source_revision_config) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing("agent", { source });
    emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: "r" } }));
    const body = { id: "r", status: "DEPLOYED", source_revision_config };
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));

    const run = await deploy(inputs);

    expectNotOurs(run, "different source");
    expectError(run, `A revision from the update of ${id} may still be running`);
  });

  test.each([{}, { wait: "false" }])("if the create named it (%j)", async (inputs) => {
    const { deploy, emulator } = await startScenario(immediate);
    emulator.addFault(answer("POST", 201, { body: { id: "d", name: "agent", latest_revision_id: "r" } }));
    const body = { id: "r", status: "DEPLOYED", source_revision_config: theirs };
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));

    const run = await deploy(inputs);

    expectNotOurs(run, "different source");
  });

  test("if the create named it, and it shows another configuration path than the default", async () => {
    const { deploy, emulator } = await startScenario({ platform: "langsmith", ...immediate });
    emulator.addFault(answer("POST", 201, { body: { id: "d", name: "agent", latest_revision_id: "r" } }));
    const source_revision_config = { repo_ref: "main", langgraph_config_path: "app/langgraph.json" };
    const body = { id: "r", status: "DEPLOYED", source_revision_config };
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));

    const run = await deploy();

    expectNotOurs(run, "different source");
  });

  test("if only the list shows it", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: "r" } }));
    const body = { id: "r", status: "DEPLOYED" };
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));
    const resources = [{ ...body, source_revision_config: theirs }];
    emulator.addFault(answer(list, 200, { body: { resources }, from: 2, times: "always" }));
    const live = { id, name: "agent", active_revision_id: "r", latest_revision_id: "r" };
    emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body: live, from: 3, times: "always" }));

    const run = await deploy({ timeout_seconds: "30" });

    expectNotOurs(run, "different source");
  });

  test("if only the list shows it, with wait: false", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: "r" } }));
    const body = { id: "r", status: "BUILDING" };
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));
    const resources = [{ ...body, source_revision_config: theirs }];
    emulator.addFault(answer(list, 200, { body: { resources }, from: 2, times: "always" }));

    const run = await deploy({ wait: "false" });

    expectNotOurs(run, "different source");
  });

  test("if a POST named it", async () => {
    const { deploy, emulator, existing } = await startScenario({ platform: "langsmith", ...immediate });
    await existing();
    const body = { id: "r", status: "DEPLOYED", source_revision_config: theirs };
    emulator.addFault(answer("POST /revisions$", 201, { body, applied: true }));
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));

    const run = await deploy();

    expectNotOurs(run, "different source");
  });
});

test("a created deployment that is shown as another one of the same name is not this run's", async () => {
  const { deploy, emulator } = await startScenario(immediate);
  const body = { id: "another", name: "agent", url: "https://another.example.com" };
  emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body, times: "always" }));

  const run = await deploy({ timeout_seconds: "30" });

  const [created] = emulator.deployments();
  expect(run.outputs).toMatchObject({ outcome: "failed", deployment_id: created?.id, created: "true" });
  expect(run.outputs).not.toHaveProperty("deployment_url", body.url);
  expectError(run, "it shows another in place of");
});

test("a create that shows a deployment of another name is not believed", async () => {
  const { deploy, emulator } = await startScenario(immediate);
  emulator.addFault(answer("POST ^/v2/deployments$", 201, { body: { id: "another", name: "production" } }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "failed", name: "agent" });
  expect(run.outputs).not.toHaveProperty("deployment_id");
  expectError(run, "it shows production in place of what was requested");
});

test("a revision that is shown as another one is not this run's", async () => {
  const { deploy, emulator } = await startScenario(immediate);
  const body = { id: "another", status: "DEPLOYED" };
  emulator.addFault(answer("GET ^/v2/deployments/[^/]+/revisions/[^/]+$", 200, { body, times: "always" }));

  const run = await deploy({ timeout_seconds: "30" });

  expect(run.outputs).toMatchObject({ outcome: "timed_out" });
  expectError(run, "it shows another in place of what was requested");
});

describe("a revision that was created before the list was read, by the platform's clock, is not this run's", () => {
  test.each([
    ["a PATCH", "standard"],
    ["a POST", "langsmith"],
  ] as const)("if %s named it", async (_what, platform) => {
    const { clock, deploy, emulator, existing } = await startScenario({ platform, ...immediate });
    const { id } = await existing();
    const body = { id: "r", status: "DEPLOYED", created_at: new Date(clock.now() - 1000).toISOString() };
    emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: "r" } }));
    emulator.addFault(answer("POST /revisions$", 201, { body }));
    emulator.addFault(answer("GET /revisions/r$", 200, { body }));

    const run = await deploy();

    expectNotOurs(run, "was there before this run", "created_at");
  });

  test.each([{ latest_revision_id: "r" }, {}])("if a create shows %j", async (latest) => {
    const { clock, deploy, emulator } = await startScenario(immediate);
    const body = { id: "r", status: "DEPLOYED", created_at: new Date(clock.now() - 1000).toISOString() };
    const deployment = { id: "d", name: "agent", ...latest };
    emulator.addFault(answer("POST ^/v2/deployments$", 201, { body: deployment }));
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));
    emulator.addFault(answer("GET /revisions$", 200, { body: { resources: [body] }, times: "always" }));
    emulator.addFault(answer("GET /deployments/d$", 200, { body: deployment, times: "always" }));

    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "latest_revision_id" in latest ? "was there before this run" : "lists no new revision");
  });

  test("unless it was created in the same second", async () => {
    const { clock, deploy, emulator, existing } = await startScenario({
      platform: "langsmith",
      ...immediate,
    });
    await existing();
    const created_at = new Date(Math.floor(clock.now() / 1000) * 1000).toISOString();
    const body = { id: "r", status: "DEPLOYED", created_at };
    emulator.addFault(answer("POST /revisions$", 201, { body }));
    emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));

    const run = await deploy({ wait: "false" });

    expect(run.outputs).toMatchObject({ outcome: "started", revision_id: "r" });
  });

  test("but the runner's clock does not matter", async () => {
    const { deploy, existing, stored } = await startBehind(3600);
    await existing();

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().latest_revision_id });
  });
});

describe("an id means the same revision in another case:", () => {
  test("an old one in capitals in the list is not new when the response names it", async () => {
    const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
    const { id, revisionId } = await existing();
    const deployment = { id, name: "agent" };
    emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body: deployment }));
    const resources = stored().revisions.map((revision) => ({ ...revision, id: revisionId.toUpperCase() }));
    emulator.addFault(answer(list, 200, { body: { resources }, times: 2 }));
    const body = { ...deployment, latest_revision_id: revisionId };
    emulator.addFault(answer(patch, 200, { body, applied: true }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
    expect(run.outputs.revision_id).not.toBe(revisionId);
  });
});

test("empty ids and a null list mean that there is none", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  const match = { method: "GET", path: `^/v2/deployments/${id}$`, times: "always" } as const;
  const deployment = { id, name: "agent", latest_revision_id: "", active_revision_id: "" };
  emulator.addFault(answer(match, 200, { body: deployment }));
  emulator.addFault(answer(list, 200, { body: { resources: null } }));
  emulator.addFault({ kind: "hide", match: { method: "PATCH" }, fields: ["active_revision_id"] });

  const run = await deploy({ name: "", deployment_id: id });

  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
  expect(run.outputs.previous_revision_id ?? "").toBe("");
});

test("a null list of deployments has none of that name", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.addFault(answer("GET ^/v2/deployments$", 200, { body: { resources: null } }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
});

test("a revision is new if the list before did not have it, even if its time is before that of the newest one", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id, revisionId } = await existing();
  const resources = stored().revisions.map((revision) => ({
    ...revision,
    created_at: "2999-01-01T00:00:00Z",
  }));
  emulator.addFault(answer(list, 200, { body: { resources }, times: 2 }));

  const run = await deploy();

  expect(run.warnings).toEqual([]);
  expect(run.outputs).toMatchObject({
    outcome: "deployed",
    deployment_id: id,
    previous_revision_id: revisionId,
  });
  expect(run.outputs.revision_id).toBe(stored().revisions[0]?.id);
});
