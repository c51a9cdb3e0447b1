// An agent in Python on the vendor's own server for local use: the action deploys the example to the emulator.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { until } from "../../emulator/__tests__/run/support/running.ts";
import { ask, askDuring, askForApproval } from "../../scripts/demo/agent-client.ts";
import { AgentRepository } from "../../scripts/demo/agent-repository.ts";
import { type EmulatorProcess, startEmulator } from "../../scripts/demo/emulator-process.ts";
import { greeting, Stage } from "../../scripts/demo/stage.ts";
import { root } from "../../scripts/support/run.ts";
import type { ActionRun } from "../support/runner/run-action.ts";
import { processesWith } from "./support/processes.ts";
import { uvFolder, vendorPython } from "./support/vendor-client.ts";

/** uv installs the vendor's server. */
const installMs = 300_000;

const folder = mkdtempSync(join(tmpdir(), "vendor-python-"));
const work = join(folder, "work");
const environments = join(work, "environments");
let emulator: EmulatorProcess;
let stage: Stage;
/** The deploy that created the deployment. */
let first: ActionRun;
let url = "";

const smokeTests = `
- name: answers
  graph: agent
  input: { question: "Who are you?" }
  expect: { contains: I am version, json: { /history/0: drafted } }
`;

beforeAll(async () => {
  mkdirSync(work);
  const repository = await AgentRepository.create("langgraph-python", join(folder, "agent"));
  const variables = { PATH: [uvFolder, process.env.PATH].join(delimiter) };
  emulator = await startEmulator({ workFolder: work, variables });
  const print = () => {};
  const options = {
    env: process.env,
    folder: join(folder, "output"),
    print,
    pollSeconds: 1,
    isOffline: false,
  };
  stage = new Stage(repository, emulator, options);
  const checks = { serving_check: "require", smoke_tests: smokeTests };
  first = await stage.deploy("1", { secrets: `GREETING=${greeting}`, ...checks });
  url = first.outputs.deployment_url ?? "";
}, installMs);

afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** The log of a revision's build or server. */
async function logOf({ outputs }: ActionRun, type: "build" | "deploy"): Promise<string> {
  const { deployment_id, revision_id } = outputs;
  const path = `/v2/deployments/${deployment_id}/revisions/${revision_id}/logs?type=${type}&limit=1000`;
  const headers = { "x-api-key": emulator.apiKey, "x-tenant-id": emulator.workspaceId };
  return await (await fetch(emulator.url + path, { headers })).text();
}

/** Deploys the example with its version replaced. */
async function deployVersion(version: number): Promise<ActionRun> {
  await stage.repository.edit("src/desk/__init__.py", { "VERSION = 1": `VERSION = ${version}` }, "Version");
  return await stage.deploy(`Version ${version}`, { serving_check: "require" });
}

function expectVersion(version: number): Promise<void> {
  const answer = `${greeting}! I am version ${version}. You asked: Who are you?`;
  return expect(ask(url)).resolves.toBe(answer);
}

test("an agent in Python is deployed with uv, is shown to respond, and passes its smoke test", async () => {
  expect(first).toMatchObject({ conclusion: "success", outputs: { outcome: "deployed", created: "true" } });
  expect(JSON.parse(first.outputs.smoke_tests ?? "")).toMatchObject([{ name: "answers", passed: true }]);
  expect(await logOf(first, "build")).toContain("Using Python 3.11");
  expect(await logOf(first, "build")).toMatch(/ and uv".*\+ langgraph-api==/);
  await expectVersion(1);
});

test("the tests of the example pass", async () => {
  const env = { PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1" };
  const cwd = join(root, "examples/langgraph-python");
  const args = ["-m", "unittest", "discover", "tests"];

  const { stderr } = await promisify(execFile)(vendorPython, args, { cwd, env });

  expect(stderr).toMatch(/Ran 6 tests .*OK/s);
});

test("a run that needs a person is interrupted, and continues with the decision", async () => {
  const approved = await askForApproval(url, "May I have a refund?");
  const refused = await askForApproval(url, "May I have money?");

  expect(approved.asks).toBe("May I send this?");
  expect(await approved.resume(true)).toContain("You asked: May I have a refund?");
  expect(await refused.resume(false)).toBe("I am sorry, I can't promise that.");
});

test("a revision with the same dependencies uses their environment again, and takes over without a failed request", async () => {
  // It throws if a request fails.
  const { result: run, answers } = await askDuring(url, deployVersion(2));

  expect(run.outputs).toMatchObject({ outcome: "deployed" });
  expect(answers.size).toBeGreaterThan(0);
  expect(await logOf(run, "build")).toContain("their environment is used again");
  expect(readdirSync(environments)).toHaveLength(1);
  await expectVersion(2);
}, 120_000);

test("a build that needs a missing package fails with the installer's log, and its environment is removed", async () => {
  const missing = { '"langgraph>=1.0,<2"': '"langgraph>=1.0,<2", "tabulate>=999"' };
  await stage.repository.edit("pyproject.toml", missing, "Missing");
  const run = await stage.deploy("Missing", {});
  await stage.repository.edit("pyproject.toml", {}, "Not missing");

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
  expect(run.summary).toContain("depends on tabulate>=999");
  await until(
    () => readdirSync(environments),
    ({ length }) => length === 1,
  );
  await expectVersion(2);
}, 120_000);

test("a graph that can't be imported fails with the server's log", async () => {
  await stage.repository.edit("src/desk/rules.py", { "def needs_approval": "def needs_nothing" }, "Broken");
  const run = await stage.deploy("Broken", {});
  await stage.repository.edit("src/desk/rules.py", {}, "Mended");

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOY_FAILED" });
  expect(run.summary).toContain("cannot import name 'needs_approval'");
  await expectVersion(2);
}, 120_000);

test("a version whose smoke test fails is rolled back", async () => {
  await stage.repository.edit("src/desk/graph.py", { GREETING: "WELCOME" }, "Another secret");
  const run = await stage.deploy("Welcome", { smoke_tests: smokeTests, rollback_on_failure: "true" });
  await stage.repository.edit("src/desk/graph.py", {}, "The right secret");

  const { previous_revision_id } = run.outputs;
  expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: previous_revision_id });
  expect(JSON.parse(run.outputs.smoke_tests ?? "")).toMatchObject([
    { passed: false, message: expect.stringContaining("WELCOME") },
  ]);
  await expectVersion(2);
}, 120_000);

test("a server that is killed is started again", async () => {
  const run = await deployVersion(3);
  const servers = () => processesWith(`LANGSMITH_HOST_REVISION_ID=${run.outputs.revision_id}`);
  const before = servers().map(({ pid }) => pid);
  expect(before.length).toBeGreaterThan(0);

  for (const pid of before) process.kill(pid, "SIGKILL");
  await until(
    () => ask(url).catch(String),
    (answer) => answer.includes("I am version 3."),
  );

  expect(servers().some(({ pid }) => before.includes(pid))).toBe(false);
}, 120_000);
