import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  defaultCreate,
  expectError,
  type Inputs,
  requestLines,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$" };
const empty = { status: 200, body: { resources: [], offset: 0 } };

describe("if a create finds the name taken (409),", () => {
  test.each([
    ["created by somebody else in between", empty],
    ["that could not be searched at first", { status: 404, body: { detail: "Not found" } }],
  ])("a deployment %s is searched again and updated", async (_what, response) => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    const { id } = await existing();
    emulator.addFault({ kind: "answer", match: list, ...response });

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
    expect(requestLines(writes(run.requests))).toEqual([
      "POST /v2/deployments 409",
      `PATCH /v2/deployments/${id} 200`,
    ]);
  });

  test("a deployment that is being deleted is an error at once", async () => {
    const { deleting, deploy, emulator } = await startScenario({ statusSeconds: 0 });
    await deleting(130);
    emulator.addFault({ kind: "answer", match: list, ...empty });

    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expect(requestLines(writes(run.requests))).toEqual(["POST /v2/deployments 409"]);
    expectError(run, "is being deleted, so nothing can be deployed to it");
    expect(run.took).toBeLessThan(5);
  });

  test("a deployment of another repository is not updated", async () => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    const source_config = { ...defaultCreate.source_config, repo_url: "https://github.com/someone/else" };
    await existing("agent", { source_config });
    emulator.addFault({ kind: "answer", match: list, ...empty });

    const run = await deploy();

    expect(requestLines(writes(run.requests))).toEqual(["POST /v2/deployments 409"]);
    expectError(run, "someone/else");
  });
});

test("without a list, a name that is taken (409) is an error that asks for deployment_id, after one warning", async () => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  emulator.addFault(answer({ ...list, times: "always" }, 404, { body: { detail: "Not found" } }));

  const run = await deploy();

  expectError(run, "can't be found by name", "failed with 409", "Set deployment_id to its ID");
  expect(run.warnings).toEqual([expect.stringContaining("no list of deployments")]);
});

describe("a name that is taken by a deletion", () => {
  test("is waited for without flooding the log, and then created", async () => {
    const { deleting, deploy } = await startScenario({ statusSeconds: 0 });
    const { id } = await deleting(130);

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true", duration_seconds: "0" });
    expect(run.outputs.deployment_id).not.toBe(id);
    expect(requestLines(writes(run.requests))).toEqual(["POST /v2/deployments 201"]);
    expect(run.took).toBeGreaterThanOrEqual(130);
    expect(run.infos.length).toBeLessThan(15);
    expect(run.infos.filter((line) => /^\[[12] min\]/.test(line))).toHaveLength(2);
  });

  test("is waited for in its last stage too", async () => {
    const { deploy, emulator, existing, send } = await startScenario({ statusSeconds: 0 });
    const { id } = await existing();
    emulator.addFault({ kind: "slow_delete", seconds: 30, status: "AWAITING_FINAL_DELETE" });
    await send(`DELETE /v2/deployments/${id}`);

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(requestLines(writes(run.requests))).toEqual(["POST /v2/deployments 201"]);
    expect(run.took).toBeGreaterThanOrEqual(30);
  });

  test("is a create for a dry run", async () => {
    const { deleting, deploy } = await startScenario({ statusSeconds: 0 });
    await deleting(130);

    const run = await deploy({ dry_run: "true" });

    expect(run.outputs.outcome).toBe("planned");
    expect(run.log).toContain("Dry run: would create deployment agent.");
    expect(writes(run.requests)).toEqual([]);
  });

  test("is an error after timeout_seconds", async () => {
    const { deleting, deploy } = await startScenario({ statusSeconds: 0 });
    await deleting(600);

    const run = await deploy({ timeout_seconds: "60" });

    expect(run.outputs.outcome).toBe("failed");
    expect(writes(run.requests)).toEqual([]);
    expectError(run, "agent", "timeout_seconds");
    expect(run.took).toBe(60);
  });
});

describe("a create that is refused although the name is not listed", () => {
  const quoted = "Your plan allows 3 deployments; ::error::delete one first";
  const refused = answer("POST ^/v2/deployments$", 409, {
    body: { detail: "Your plan allows 3 deployments;\n::error::delete one first." },
    times: "always",
  });

  test("is an error with the platform's message, after one more look at the list", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault(refused);

    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBe(0);
    expect(requestLines(run.requests)).toEqual([
      "GET /v2/deployments 200",
      "POST /v2/deployments 409",
      "GET /v2/deployments 200",
    ]);
    expectError(run, quoted, "If the name is taken, choose a different name.");
    expect(run.errors[0]).not.toContain("delete_tracing_project");
    expect(run.summary).toContain("Your plan allows 3 deployments");
  });

  test("is an error that names delete_tracing_project", async () => {
    const { deploy, emulator } = await startScenario({ platform: "langsmith" });
    emulator.addFault({ ...refused, body: { detail: "agent already exists" } });

    const run = await deploy();

    expectError(
      run,
      "tracing project of a deleted deployment",
      "already exists",
      "delete_tracing_project: true",
    );
    expect(run.infos.filter((line) => line.startsWith("Integration "))).toHaveLength(1);
  });
});

describe("a deployment that is given by its id and is being deleted", () => {
  test.each<[string, Inputs]>([
    ["a deploy", {}],
    ["a dry run", { dry_run: "true" }],
  ])("is an error of %s before anything is sent", async (_what, inputs) => {
    const { deleting, deploy } = await startScenario({ statusSeconds: 0 });
    const { id } = await deleting(600);

    const run = await deploy({ deployment_id: id, name: "", ...inputs });

    expect(run.outputs.outcome).toBe("failed");
    expect(writes(run.requests)).toEqual([]);
    expectError(run, id, "is being deleted", "deploy the agent again by its name");
  });
});
