import { expect } from "@jest/globals";
import { startProxy } from "../support/connect-proxy.ts";
import { runAction } from "../support/runner/run-action.ts";
import { defaultInputs, type Inputs } from "../support/scenario.ts";
import { type Servers, serverTest } from "./support/servers.ts";

/** Only the proxy knows these names: what bypasses it reaches nothing. */
const platformHost = "control-plane.invalid";
const gitHubHost = "api.github.invalid";

/** A test with a proxy to these hosts, which responds to every other one with `refusal`. */
function proxyTest(
  title: string,
  { gitHub = true, refusal }: { gitHub?: boolean; refusal?: string },
  play: (
    proxy: Awaited<ReturnType<typeof startProxy>>,
    deploy: (env: Inputs) => ReturnType<typeof runAction>,
    servers: Servers,
  ) => Promise<void>,
): void {
  serverTest(title, {}, async (servers) => {
    const { emulator, github, access } = servers;
    const hosts = { [platformHost]: emulator.url, ...(gitHub && { [gitHubHost]: github.url }) };
    const proxy = await startProxy(hosts, refusal);
    const inputs = { ...access, control_plane_url: `http://${platformHost}`, allow_http: "true" };
    const deploy = (env: Inputs) =>
      runAction({
        action: "deploy",
        inputs: { ...defaultInputs, ...inputs, environment: "production" },
        env: { ...github.env, GITHUB_API_URL: `http://${gitHubHost}`, ...env },
      });
    try {
      await play(proxy, deploy, servers);
    } finally {
      await proxy.close();
    }
  });
}

proxyTest(
  "the control plane and GitHub are reached through a proxy",
  {},
  async (proxy, deploy, { github }) => {
    const { host } = new URL(proxy.url);

    const run = await deploy({ http_proxy: `http://builder:p%40ss-of-proxy@${host}` });

    expect(run).toMatchObject({ exitCode: 0, stderr: "", outputs: { outcome: "deployed" } });
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${platformHost}:80`, `${gitHubHost}:80`]));
    expect([...proxy.credentials]).toEqual([`Basic ${btoa("builder:p@ss-of-proxy")}`]);
    expect(github.deployments().map(({ environment }) => environment)).toEqual(["production"]);
    expect(`${run.stdout}${run.summary}${JSON.stringify(run.outputs)}`).not.toContain("ss-of-proxy");
  },
);

proxyTest("a host in NO_PROXY is reached directly", {}, async (proxy, deploy, { github }) => {
  const run = await deploy({
    HTTP_PROXY: proxy.url,
    NO_PROXY: `localhost, ${gitHubHost}`,
    GITHUB_API_URL: github.url,
  });

  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(new Set(proxy.tunnels)).toEqual(new Set([`${platformHost}:80`]));
});

proxyTest(
  "a proxy that refuses GitHub alone is named in a warning",
  { gitHub: false, refusal: "407 Proxy Authentication Required" },
  async (proxy, deploy) => {
    const run = await deploy({ HTTP_PROXY: proxy.url });

    expect(run).toMatchObject({ exitCode: 0, stderr: "", outputs: { outcome: "deployed" } });
    expect(run.log.annotations[0]?.message).toMatch(/Proxy response \(407\) !== 200/);
  },
);
