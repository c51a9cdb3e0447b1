import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { type ConnectProxy, startProxy } from "../support/connect-proxy.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { type ActionRun, runAction } from "../support/runner/run-action.ts";
import { defaultInputs } from "../support/scenario.ts";

// Names that only the proxy knows: what goes past it gets nowhere.
const platformHost = "control-plane.invalid";
const gitHubHost = "api.github.invalid";

let emulator: Emulator;
let github: GitHubStandIn;
let proxy: ConnectProxy;

beforeEach(async () => {
  emulator = await startEmulator({ statusSeconds: 0.05 });
  github = await startGitHub({ files: { "app/config.json": "{}" } });
  proxy = await startProxy({ [platformHost]: emulator.url, [gitHubHost]: github.url });
});

afterEach(async () => {
  await proxy.close();
  await emulator.close();
  await github.close();
  expect(github.violations).toEqual([]);
});

function deploy(
  env: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  return runAction({
    action: "deploy",
    inputs: {
      ...defaultInputs,
      control_plane_url: `http://${platformHost}`,
      allow_http: "true",
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      environment: "production",
      poll_interval_seconds: "0.1",
      ...inputs,
    },
    env: { ...github.env, GITHUB_API_URL: `http://${gitHubHost}`, ...env },
  });
}

test("behind a proxy the control plane and GitHub are both reached through it", async () => {
  const { host } = new URL(proxy.url);
  const run = await deploy({ http_proxy: `http://builder:p%40ss-of-proxy@${host}` });
  expect(run).toMatchObject({ exitCode: 0, stderr: "", outputs: { outcome: "deployed" } });
  expect(new Set(proxy.tunnels)).toEqual(new Set([`${platformHost}:80`, `${gitHubHost}:80`]));
  expect([...proxy.credentials]).toEqual([`Basic ${btoa("builder:p@ss-of-proxy")}`]);
  expect(github.deployments().map(({ environment }) => environment)).toEqual(["production"]);
  expect(`${run.stdout}${run.summary}${JSON.stringify(run.outputs)}`).not.toContain("ss-of-proxy");
});

test("what NO_PROXY names is asked directly", async () => {
  const run = await deploy({
    HTTP_PROXY: proxy.url,
    NO_PROXY: `localhost, ${gitHubHost}`,
    GITHUB_API_URL: github.url,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(new Set(proxy.tunnels)).toEqual(new Set([`${platformHost}:80`]));
});

test("where the proxy refuses GitHub alone, that is said of the proxy, and not tried again", async () => {
  await proxy.close();
  proxy = await startProxy({ [platformHost]: emulator.url }, "407 Proxy Authentication Required");
  const run = await deploy({ HTTP_PROXY: proxy.url });
  expect(run).toMatchObject({ exitCode: 0, stderr: "", outputs: { outcome: "deployed" } });
  const warnings = run.log.annotations.map(({ message }) => message);
  expect(warnings[0]).toMatch(
    /the proxy refused the connection with 407\. Check the user and password in HTTP_PROXY\./,
  );
  expect(run.log.lines.join("\n")).not.toContain("Trying again");
});
