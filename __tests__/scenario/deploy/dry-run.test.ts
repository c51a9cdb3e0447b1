import { expect, test } from "@jest/globals";
import { defaultCreate, startScenario, writes } from "../../support/scenario.ts";

test("dry_run shows the create request and sends nothing that changes anything", async () => {
  const { deploy, emulator } = await startScenario();
  const run = await deploy({ dry_run: "true", secrets: "TOKEN=not-to-be-seen" });
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toEqual({ outcome: "planned", created: "false", duration_seconds: "0" });
  expect(writes(run.requests)).toEqual([]);
  expect(emulator.deployments()).toEqual([]);
  const shown = run.log.slice(run.log.indexOf("{"), run.log.lastIndexOf("}") + 1);
  expect(JSON.parse(shown)).toEqual({ ...defaultCreate, secrets: ["TOKEN (value not shown)"] });
  expect(run.log + run.summary).not.toContain("not-to-be-seen");
  expect(run.summary).toContain("✅ Deployment `agent`: planned");
  expect(run.summary).not.toContain("by this run");
});

test("dry_run shows the update request, and what it would update", async () => {
  const { deploy, existing, held } = await startScenario();
  const { id } = await existing();
  const run = await deploy({
    dry_run: "true",
    integration_id: "",
    app_config_path: "",
    build_on_push: "false",
  });
  expect(run.outputs).toMatchObject({ outcome: "planned", created: "false", deployment_id: id });
  expect(run.outputs).not.toHaveProperty("revision_id");
  expect(writes(run.requests)).toEqual([]);
  expect(held().revisions).toHaveLength(1);
  const shown = run.log.slice(run.log.indexOf("{"), run.log.lastIndexOf("}") + 1);
  expect(JSON.parse(shown)).toEqual({
    source_config: { build_on_push: false },
    source_revision_config: { repo_ref: "main" },
  });
});

test("dry_run finds what would go wrong", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ dry_run: "true", integration_id: "" });
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors[0]).toContain("integration_id");
});
