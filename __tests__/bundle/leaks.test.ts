import { describe, expect } from "@jest/globals";
import {
  apiKey,
  deployCanaries,
  deploymentSecrets,
  githubToken,
  leaksIn,
  secretsInput,
} from "../security/support/canaries.ts";
import { actionsLogin } from "../support/github/github-stand-in.ts";
import { type ActionRun, runAction } from "../support/runner/run-action.ts";
import { repositoryInputs } from "../support/scenario.ts";
import { type Servers, serverTest } from "./support/servers.ts";

const options = {
  emulator: { apiKey },
  github: { tokens: { [githubToken]: { login: actionsLogin } } },
};

/** Runs the root action in debug mode. `code` runs in its process too. */
function runDeploy(servers: Servers, code = ""): Promise<ActionRun> {
  const imported = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  return runAction({
    action: "deploy",
    token: githubToken,
    inputs: { ...servers.access, ...repositoryInputs, secrets: secretsInput, name: "agent" },
    env: { ...servers.github.env, RUNNER_DEBUG: "1", NODE_OPTIONS: code === "" ? "" : imported },
  });
}

/** What the step printed, without its masks. */
function printed({ stdout, stderr }: ActionRun): string {
  return `${stdout}\n${stderr}`.replaceAll(/^::add-mask::.*$/gm, "");
}

/** No secret is in what the step printed and wrote, or in what it sent to GitHub. */
function expectNoLeak(run: ActionRun, { github }: Servers): void {
  const { outputs, state, summary, exportedEnvironment, log } = run;
  const written = Object.values({ ...outputs, ...state, ...exportedEnvironment });
  const annotations = log.annotations.flatMap(({ message, title = "" }) => [message, title]);
  const sent = github.requests.map(({ path, query, body }) => JSON.stringify([path, query, body]));
  const texts = [printed(run), ...log.lines, ...log.debug, ...annotations, ...written, summary, ...sent];
  expect(leaksIn(texts.join("\n"), deployCanaries)).toEqual([]);
}

/** All masks come before anything else is printed, and hide every line of every secret. A crash may repeat them. */
function expectMasksFirst({ stdout, stderr, log }: ActionRun): void {
  const lines = stdout.split("\n");
  const firstOther = lines.findIndex((line) => !line.startsWith("::add-mask::"));
  const [first, rest] = [lines.slice(0, firstOther), lines.slice(firstOther)];
  expect(rest.filter((line) => line.startsWith("::add-mask::") && !first.includes(line))).toEqual([]);
  expect(stderr).toBe("");
  const masked = [apiKey, githubToken, ...Object.values(deploymentSecrets)]
    .flatMap((value) => value.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line.length >= 4);
  for (const line of masked) expect(log.masked(`<${line}>`)).toBe("<***>");
}

serverTest("secrets are masked before anything else is printed", options, async (servers) => {
  const run = await runDeploy(servers);

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.log.debug).toContainEqual(expect.stringMatching(/^POST \/v2\/deployments 201 \d+ ms$/));
  expectMasksFirst(run);
  expectNoLeak(run, servers);
  expect(Object.keys(run.jobOutputs)).toEqual(Object.keys(run.outputs));
});

describe("no secret is visible after", () => {
  const hexadecimal = Buffer.from(deploymentSecrets.PLAIN ?? "").toString("hex");
  const text = JSON.stringify([apiKey, githubToken, hexadecimal].join(" and "));

  for (const [what, code] of [
    [
      "a bug in the action",
      // The first call reads the address of GitHub, before there is a run.
      `const canParse = URL.canParse; let calls = 0; URL.canParse = (text) => { if (calls++ > 0) throw ${text}; return canParse(text); };`,
    ],
    [
      "a bug in the report",
      `const round = Math.round; Math.round = (n) => { if (n > 0) throw new Error(${text}); return round(n); };`,
    ],
  ] as const) {
    serverTest(what, options, async (servers) => {
      const run = await runDeploy(servers, code);

      expect(run.exitCode).toBe(1);
      expect(run.stdout).toContain("Internal error");
      expectMasksFirst(run);
      expectNoLeak(run, servers);
    });
  }

  serverTest("a failure to write the summary", options, async (servers) => {
    const code = `import fs from "node:fs"; const append = fs.appendFileSync;
fs.appendFileSync = (path, data) => { if (path.endsWith("summary")) throw new Error(${text}); append(path, data); };`;

    const run = await runDeploy(servers, code);

    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain("GITHUB_STEP_SUMMARY");
    expectNoLeak(run, servers);
  });

  for (const [what, statement] of [
    ["an exception that nobody catches", `throw new Error(${text})`],
    ["a rejection that nobody handles", `Promise.reject(new Error(${text}))`],
    ["a rejection without an Error", `Promise.reject(${text})`],
  ]) {
    serverTest(String(what), options, async (servers) => {
      // It comes during the first request. The run itself succeeds.
      const code = `import net from "node:net"; const { connect } = net;
net.connect = (...options) => { net.connect = connect; setImmediate(() => { ${statement}; }); return connect(...options); };`;

      const run = await runDeploy(servers, code);

      expect(run).toMatchObject({ exitCode: 1, outputs: { outcome: "deployed" } });
      expect(run.stdout).toContain("::error title=Internal error::Internal error: ");
      expectMasksFirst(run);
      expectNoLeak(run, servers);
    });
  }
});
