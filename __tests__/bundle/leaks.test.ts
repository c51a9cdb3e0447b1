import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import {
  apiKey,
  deployCanaries,
  deploymentSecrets,
  echoesOf,
  githubToken,
  leaksIn,
  secretsInput,
} from "../leaks/support/canaries.ts";
import { actionsLogin, type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { type ActionRun, runAction } from "../support/runner/run-action.ts";

let emulator: Emulator;
let github: GitHubStandIn;

beforeEach(async () => {
  emulator = await startEmulator({ apiKey, statusSeconds: 0 });
  github = await startGitHub({
    files: { "app/config.json": "{}" },
    tokens: { [githubToken]: { login: actionsLogin } },
  });
  github.pullRequests.open({ number: 7 });
});

afterEach(async () => {
  await emulator.close();
  await github.close();
  expect(github.violations).toEqual([]);
});

const inputs = () => ({
  control_plane_url: emulator.url,
  api_key: apiKey,
  workspace_id: emulator.workspaceId,
  integration_id: "integration-1",
  app_config_path: "app/config.json",
  secrets: secretsInput,
});

/** Runs the root action as a process in which this code runs too. */
function runDeploy(given: Record<string, string> = {}, code = ""): Promise<ActionRun> {
  const imported = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  return runAction({
    action: "deploy",
    token: githubToken,
    inputs: { ...inputs(), name: "agent", ...given },
    env: { ...github.env, RUNNER_DEBUG: "1", NODE_OPTIONS: code === "" ? "" : imported },
  });
}

/** What the step printed, without the commands that mask. */
function printed({ stdout, stderr }: ActionRun): string {
  return `${stdout}\n${stderr}`.replaceAll(/^::add-mask::.*$/gm, "");
}

function expectNoLeak(run: ActionRun): void {
  const { outputs, state, summary, exportedEnvironment, log } = run;
  const written = [outputs, state, exportedEnvironment].flatMap((entries) => Object.values(entries));
  const told = log.annotations.flatMap(({ message, title = "" }) => [message, title]);
  const texts = [printed(run), ...log.lines, ...log.debug, ...told, ...written, summary];
  const sent = github.requests.map(({ path, query, body }) => JSON.stringify([path, query, body]));
  expect(leaksIn([...texts, ...sent].join("\n"), deployCanaries)).toEqual([]);
}

function expectMasksFirst({ stdout, stderr, log }: ActionRun): void {
  const lines = stdout.split("\n");
  const firstOther = lines.findIndex((line) => !line.startsWith("::add-mask::"));
  expect(lines.slice(firstOther).filter((line) => line.startsWith("::add-mask::"))).toEqual([]);
  expect(stderr).toBe("");
  for (const value of [apiKey, githubToken, ...Object.values(deploymentSecrets)]) {
    const worthy = value.split("\n").filter((line) => line.trim().length >= 4);
    for (const line of worthy) expect(log.masked(`<${line.trim()}>`)).toBe("<***>");
  }
}

test("secrets are masked before anything else is printed", async () => {
  const run = await runDeploy();
  expect(run.outputs.outcome).toBe("deployed");
  expectMasksFirst(run);
  expectNoLeak(run);
  expect(Object.keys(run.jobOutputs)).toEqual(Object.keys(run.outputs));
});

test("nothing gets out where the platform answers with all that it was sent", async () => {
  const detail = echoesOf(deployCanaries).map((text) => ({
    loc: ["body", text.slice(0, 60)],
    msg: text,
    type: "value_error",
  }));
  const match = { method: "POST", path: "^/v2/deployments$" };
  emulator.misbehave({ kind: "answer", match, status: 422, body: { detail } });
  const { event, env } = github.pullRequestRun(7, "opened");
  const run = await runAction({
    action: "preview",
    event,
    token: githubToken,
    inputs: inputs(),
    env: { ...env, RUNNER_DEBUG: "1" },
  });
  expect(run.conclusion).toBe("failure");
  expect(run.summary).toContain("***");
  expect(github.comments(7)).toHaveLength(1);
  expectMasksFirst(run);
  expectNoLeak(run);
});

describe("nothing gets out on a crash, be it", () => {
  const hexadecimal = Buffer.from(deploymentSecrets.PLAIN ?? "").toString("hex");
  const text = JSON.stringify([apiKey, githubToken, hexadecimal].join(" and "));

  test.each([
    [
      "a defect in the action",
      `URL.canParse = () => { throw new Error(${text}); };`,
      "This action has a defect",
    ],
    ["a defect that throws no error", `URL.canParse = () => { throw ${text}; };`, "This action has a defect"],
    [
      "a defect in the report",
      `const round = Math.round; Math.round = (n) => { if (n > 0) throw new Error(${text}); return round(n); };`,
      "couldn't be reported in full",
    ],
  ])("%s", async (_what, code, words) => {
    const run = await runDeploy({}, code);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain(words);
    expectMasksFirst(run);
    expectNoLeak(run);
  });

  test("a summary that can't be written, of which only the error's code is told", async () => {
    const code = `import fs from "node:fs"; fs.promises.appendFile = () => { throw new Error(${text}); };`;
    const run = await runDeploy({}, code);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain("GITHUB_STEP_SUMMARY can't be written: there is no job summary.");
    expectNoLeak(run);
  });

  test("an error that nobody catches, or a rejection that nobody handles", async () => {
    const codes = [
      `throw new Error(${text})`,
      `Promise.reject(new Error(${text}))`,
      `Promise.reject(${text})`,
    ];
    // They come while the first look hangs; apart from that each run goes well.
    emulator.misbehave({ kind: "hang", match: { method: "GET", times: codes.length } });
    const runs = codes.map((code, index) =>
      runDeploy(
        { name: `agent-${index}`, request_timeout_seconds: "1" },
        `setTimeout(() => { ${code}; }, 700);`,
      ),
    );
    for (const run of await Promise.all(runs)) {
      expect(run.outputs.outcome).toBe("deployed");
      expect(run.exitCode).toBe(1);
      expect(run.stdout).toContain("::error::This action has a defect: ");
      expectMasksFirst(run);
      expectNoLeak(run);
    }
  });
});

test("nothing of a malformed input gets out", async () => {
  const run = await runDeploy({
    secrets: `${secretsInput}\nDUPLICATE=canary-0099\nDUPLICATE=canary-0099\ncanary-0098`,
    control_plane_url: "https://user:canary-0097@agents.example.com",
    resource_spec: '{"canary-0096"',
  });
  expect(run.exitCode).toBe(1);
  expect(run.log.annotations.map(({ level }) => level)).toEqual(["error", "error", "error", "error"]);
  expectMasksFirst(run);
  expectNoLeak(run);
  expect(printed(run) + run.summary).not.toContain("canary");
});
