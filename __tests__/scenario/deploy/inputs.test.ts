import { describe, expect, test } from "@jest/globals";
import { startScenario } from "../../support/scenario.ts";

test("everything that is wrong is told at once, an annotation each, before the first request", async () => {
  const { deploy, emulator } = await startScenario();
  const run = await deploy({
    control_plane_url: "http://agents.example.com",
    api_key: "",
    workspace_id: "a b",
    name: "",
    build_on_push: "yes",
    resource_spec: "[1]",
    wait: "1",
    timeout_seconds: "-1",
    poll_interval_seconds: "soon",
    request_timeout_seconds: "0",
    dry_run: "nope",
    allow_http: "on",
    secrets: "NO-GOOD=1\nA=1\nA=2",
    repo_url: "https://github.com/someone/else",
  });
  expect(run.succeeded).toBe(false);
  expect(run.requests).toEqual([]);
  expect(emulator.requests).toEqual([]);
  const named = run.errors.map((text) => /^Input (\w+) /.exec(text)?.[1]);
  expect([...named].sort()).toEqual([
    "allow_http",
    "api_key",
    "build_on_push",
    "control_plane_url",
    "dry_run",
    "name",
    "poll_interval_seconds",
    "repo_ref",
    "request_timeout_seconds",
    "resource_spec",
    "secrets",
    "secrets",
    "timeout_seconds",
    "wait",
    "workspace_id",
  ]);
  expect(run.errors.find((text) => text.includes("Input name"))).toContain("deployment_id");
  expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "0" });
  for (const error of run.errors) expect(run.summary.replaceAll("`", "")).toContain(error.slice(0, 20));
});

test("a single wrong input is one annotation with a hint", async () => {
  const { deploy, emulator } = await startScenario();
  const run = await deploy({ wait: "maybe" });
  expect(emulator.requests).toEqual([]);
  expect(run.errors).toEqual([
    'Input wait has to be true or false, not "maybe". Correct the step\'s "with:" block; the README describes each input.',
  ]);
});

test("a boolean is read as GitHub does", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ build_on_push: "True" });
  expect(run.requests.find(({ method }) => method === "POST")?.body).toMatchObject({
    source_config: { build_on_push: true },
  });
});

test("resource_spec has to be a JSON object", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ resource_spec: "{a: 1}" });
  expect(run.requests).toEqual([]);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("Input resource_spec has to be a JSON object.");
});

describe("a ref has to be given", () => {
  test("when repo_url is another repository", async () => {
    const { deploy } = await startScenario();
    const run = await deploy({ repo_url: "https://github.com/someone/else" });
    expect(run.requests).toEqual([]);
    expect(run.errors[0]).toContain("Input repo_ref has to be given, because repo_url is another repository");
  });

  test("when the run has no branch or tag", async () => {
    const { deploy } = await startScenario();
    const run = await deploy({}, { GITHUB_REF: "refs/pull/7/merge" });
    expect(run.requests).toEqual([]);
    expect(run.errors[0]).toContain("Input repo_ref has to be given");
  });

  test("but not when repo_url is this repository, spelled otherwise", async () => {
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({ repo_url: "https://GITHUB.com/octo-org/octo-repo.git" });
    expect(run.outputs.outcome).toBe("deployed");
  });
});

test("deployment_id .. is refused", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ deployment_id: ".." });
  expect(run.requests).toEqual([]);
  expect(run.errors[0]).toContain("Input deployment_id");
  // What is no id is no title either.
  expect(run.summary).toContain("## ❌ Deployment: failed\n");
});

test("a number of seconds with any decimals works", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({
    request_timeout_seconds: "2.0001",
    timeout_seconds: "60.00001",
    poll_interval_seconds: "0.0001",
  });
  expect(run.errors).toEqual([]);
  expect(run.outputs.outcome).toBe("deployed");
});

test("a payload file that isn't there doesn't matter here", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({}, { GITHUB_EVENT_PATH: "/nonexistent/event.json" });
  expect(run.outputs.outcome).toBe("deployed");
});
