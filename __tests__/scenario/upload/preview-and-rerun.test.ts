import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, type Inputs, requestLines, startScenario, writes } from "../../support/scenario.ts";
import { gitIn } from "../../support/source-tree.ts";
import { deployedFiles, digestOfDeployed, useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith" } as const;
const upload: Inputs = { source_path: "." };

test("a preview deploys what is checked out, and is deleted when its pull request is closed", async () => {
  workspace.write({ "agent.py": "" });
  const scenario = await startScenario({ ...platform, statusSeconds: 0 });
  scenario.open();

  const opened = await scenario.preview("opened", { inputs: upload, env: workspace.env });
  const [deployment] = scenario.emulator.deployments();
  const files = deployment && (await deployedFiles(scenario.emulator, deployment));
  scenario.shut();
  const closed = await scenario.preview("closed", { inputs: upload, env: workspace.env });

  expect(opened.outputs).toMatchObject({
    outcome: "deployed",
    source_digest: expect.stringMatching(/^sha256:/),
  });
  expect(files).toEqual([["agent.py", "langgraph.json"]]);
  expect(closed.outputs.outcome).toBe("deleted");
  expect(scenario.emulator.deployments()).toEqual([]);
});

test("the record of a preview names its head, and the commit that was checked out in its payload", async () => {
  for (const command of ["init --quiet", "add .", "commit --quiet --message one"]) {
    gitIn(workspace.path, ...command.split(" "));
  }
  const scenario = await startScenario({ ...platform, statusSeconds: 0 });
  const { sha } = scenario.open();

  await scenario.preview("opened", { inputs: upload, env: workspace.env });

  const [record] = scenario.github.deployments();
  expect(record?.ref).toBe(sha);
  expect(record?.payload).toMatchObject({ commit_sha: gitIn(workspace.path, "rev-parse", "HEAD").trim() });
});

test("a rollback to an upload is not searched for if its response is lost: both revisions show one archive", async () => {
  const scenario = await startScenario({ ...platform, statusSeconds: 0 });
  await scenario.deploy(upload, workspace.env);
  workspace.write({ "agent.py": "" });
  await scenario.deploy(upload, workspace.env);
  scenario.emulator.addFault({ kind: "reset", match: { path: "/redeploy$" }, applied: true });

  const run = await scenario.run("rollback", { inputs: { name: "agent" } });

  expectError(run, "Could not confirm whether the rollback", "revision_id");
  expect(run.requests.at(-1)?.path).toMatch(/redeploy$/);
});

test("a preview whose pull request is closed during the upload is deleted, although it has no revision", async () => {
  const unavailable: FaultRule = answer("PUT", 503, { times: "always" });
  const scenario = await startScenario({ statusSeconds: 5, ...platform, faults: [unavailable] });
  scenario.open();

  const started = scenario.startPreview("opened", { inputs: upload, env: workspace.env });
  await scenario.until(() => scenario.emulator.requests.some(({ method }) => method === "PUT"));
  scenario.shut();
  const { outputs } = await started.ended;

  expect(outputs.outcome).toBe("deleted");
  expect(scenario.emulator.deployments()).toEqual([]);
});

test("a re-run watches the pending revision of the same files, and makes a new one of others", async () => {
  const inputs = { ...upload, name: "agent", environment: "staging", timeout_seconds: "10" };
  const env = () => ({ ...workspace.env, GITHUB_RUN_ID: "77" });
  const scenario = await startScenario({ ...platform, statusSeconds: 60 });

  const first = await scenario.run("deploy", { inputs, env: env() });
  const same = await scenario.run("deploy", { inputs, env: env() });
  workspace.write({ "fix.py": "" });
  const fixed = await scenario.run("deploy", { inputs, env: env() });

  expect(first.outputs.outcome).toBe("timed_out");
  expect(writes(same.requests)).toEqual([]);
  expect(same.outputs).toMatchObject({
    revision_id: first.outputs.revision_id,
    source_digest: first.outputs.source_digest,
  });
  expect(requestLines(writes(fixed.requests)).at(-1)).toMatch(/^PATCH .* 200$/);
  expect(fixed.outputs.revision_id).not.toBe(first.outputs.revision_id);
});

test("a re-run does not take a revision for its own that later shows another archive", async () => {
  const inputs = { ...upload, name: "agent", environment: "staging", timeout_seconds: "10" };
  const env = { ...workspace.env, GITHUB_RUN_ID: "77" };
  const scenario = await startScenario({ ...platform, statusSeconds: 60 });
  const first = await scenario.run("deploy", { inputs, env });
  const id = first.outputs.revision_id;
  const source_revision_config = { source_tarball_path: "another" };
  const body = { id, status: "DEPLOYED", source_revision_config };
  scenario.emulator.addFault(answer(`GET /revisions/${id}$`, 200, { body, from: 3, times: "always" }));

  const again = await scenario.run("deploy", { inputs: { ...inputs, timeout_seconds: "600" }, env });

  expect(first.outputs.outcome).toBe("timed_out");
  expect(writes(again.requests)).toEqual([]);
  expect(again.outputs.outcome).toBe("failed");
  expectError(again, "is not this run's", "different source");
});

test("a rollback to an upload deploys its revision again, without another upload", async () => {
  const { deploy, emulator, requested, stored } = await startScenario(platform);
  const good = await deploy({ source_path: "." }, workspace.env);
  workspace.write({ "bad.py": "" });
  const heal = emulator.addFault(answer("GET /ok$", 503, { times: "always" }));
  void requested("POST", /\/redeploy$/).then(heal);

  const checks = { health_check_path: "/ok", health_check_timeout_seconds: "5", rollback_on_failure: "true" };
  const run = await deploy({ source_path: ".", ...checks }, workspace.env);

  expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: good.outputs.revision_id });
  expect(requestLines(writes(run.requests)).filter((line) => line.startsWith("PUT"))).toHaveLength(1);
  expect(await deployedFiles(emulator, stored())).toEqual([
    ["langgraph.json"],
    ["bad.py", "langgraph.json"],
    ["langgraph.json"],
  ]);
});

test("an upload that is cut at its start, in the middle or near its end is repeated, and no part of an archive is ever deployed", async () => {
  workspace.write({ data: randomBytes(300_000).toString("latin1") });
  const { deploy, emulator, stored } = await startScenario(platform);
  await deploy({ source_path: "." }, workspace.env);

  for (const [index, bytes] of [0, 180_000, 360_000].entries()) {
    emulator.addFault({ kind: "reset", match: { method: "PUT" }, bytes });
    const run = await deploy({ source_path: ".", wait: "false" }, workspace.env);

    expect(run.outputs.outcome).toBe("started");
    expect(run.requests.filter(({ method }) => method === "PUT")).toHaveLength(2);
    expect(stored().revisions).toHaveLength(index + 2);
    expect(digestOfDeployed(emulator, stored())).toBe(run.outputs.source_digest);
  }
});

test("a run that is cancelled during the upload says what is left, and sends no update", async () => {
  const { startDeploy, emulator, requested, stored } = await startScenario(platform);
  emulator.addFault({ kind: "hang", match: { method: "PUT" } });

  const started = startDeploy({ source_path: "." }, workspace.env);
  await requested("PUT");
  started.cancel();
  const run = await started.ended;

  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.errors).toEqual([expect.stringContaining("The creation of ")]);
  expect(requestLines(run.requests).filter((line) => line.startsWith("PATCH"))).toEqual([]);
  expect(stored().revisions).toEqual([]);
});
