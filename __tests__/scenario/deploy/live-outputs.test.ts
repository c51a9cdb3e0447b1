import { expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { defaultCreate, pushToMain, startScenario } from "../../support/scenario.ts";

const langsmith = { platform: "langsmith", statusSeconds: 0 } as const;

test("the outputs name the deployment, the live revision and the commit that was built", async () => {
  const { deploy } = await startScenario({ ...langsmith, commits: { main: pushToMain.GITHUB_SHA ?? "" } });

  const { outputs } = await deploy();

  expect(outputs).toMatchObject({
    outcome: "deployed",
    name: "agent",
    live_revision_id: outputs.revision_id,
    commit_sha: pushToMain.GITHUB_SHA,
  });
  // No page is known on any host but the vendor's cloud.
  expect(outputs).not.toHaveProperty("platform_url");
});

test("the name is written before the first response, and that of a deployment_id as soon as it is read", async () => {
  const { emulator, existing, requested, startDeploy } = await startScenario(langsmith);
  const { id } = await existing();

  const hang: FaultRule = { kind: "hang", match: { method: "GET" } };
  emulator.addFault(hang);
  const byName = startDeploy();
  await requested("GET");
  expect(byName.context.recorded.outputs).toMatchObject({ name: "agent" });
  byName.cancel();
  await byName.ended;
  const { outputs } = await startDeploy({ name: "", deployment_id: id, dry_run: "true" }).ended;

  expect(outputs).toMatchObject({ outcome: "planned", name: "agent" });
});

test("live_revision_id is what the read before the write showed if the write is refused", async () => {
  const { deploy, emulator, existing } = await startScenario(langsmith);
  const { revisionId } = await existing();
  emulator.addFault(answer("POST /revisions$", 403));

  const { outputs } = await deploy();

  expect(outputs).toMatchObject({ outcome: "failed", live_revision_id: revisionId });
});

test.each<"reset" | "hang">(["reset", "hang"])(
  "live_revision_id is empty after a write that may have made a revision live (%s)",
  async (kind) => {
    const { emulator, existing, requested, startDeploy } = await startScenario(langsmith);
    await existing();
    emulator.addFault({ kind, match: { method: "POST", path: "/revisions$" }, applied: true });

    const running = startDeploy();
    await requested("POST", /\/revisions$/);
    if (kind === "hang") running.cancel();
    const { outputs } = await running.ended;

    expect(outputs).toMatchObject({
      outcome: kind === "hang" ? "cancelled" : "failed",
      live_revision_id: "",
    });
  },
);

test("live_revision_id is empty if the live revision could not be read at the end", async () => {
  const { deploy, emulator, existing } = await startScenario({
    ...langsmith,
    failRefs: { main: "BUILD_FAILED" },
  });
  const { id } = await existing("agent", {
    source_revision_config: { ...defaultCreate.source_revision_config, repo_ref: "good" },
  });
  // The first read finds the deployment.
  emulator.addFault(answer(`GET /v2/deployments/${id}$`, 503, { from: 3, times: "always" }));

  const { outputs } = await deploy({ name: "", deployment_id: id });

  expect(outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
  expect(outputs.live_revision_id ?? "").toBe("");
});
