import { afterEach, expect, test } from "@jest/globals";
import { type ConnectProxy, startProxy } from "../../support/connect-proxy.ts";
import { startScenario } from "../../support/scenario.ts";

const host = "control-plane.invalid";
const behindProxy = { control_plane_url: `http://${host}`, allow_http: "true" };
const password = "pass-of-proxy";

let proxy: ConnectProxy | undefined;

afterEach(async () => {
  delete process.env.HTTP_PROXY;
  await proxy?.close();
  proxy = undefined;
});

/** Sets HTTP_PROXY to a proxy that refuses every tunnel. */
async function refuseWith(refusal: string): Promise<ConnectProxy> {
  proxy = await startProxy({}, refusal);
  // Without a user: with one the toolkit calls what is deprecated.
  process.env.HTTP_PROXY = proxy.url;
  return proxy;
}

test("where the proxy wants another password that is said, and it isn't asked again", async () => {
  const { tunnels } = await refuseWith("407 Proxy Authentication Required");
  const { deploy } = await startScenario();
  const run = await deploy(behindProxy);
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors).toEqual([
    "GET /v2/deployments: the proxy refused the connection with 407: it wants another user or password. Check the user and password in HTTP_PROXY, where signs such as @, : and % have to be percent-encoded.",
  ]);
  expect(tunnels).toEqual([`${host}:80`]);
});

test("any other refusal is the proxy's too, and may pass", async () => {
  const { tunnels } = await refuseWith("503 Service Unavailable");
  const { deploy } = await startScenario();
  const run = await deploy(behindProxy);
  expect(run.errors).toEqual([
    "GET /v2/deployments: the proxy refused the connection with 503. Check control_plane_url, and that the proxy in HTTP_PROXY lets this runner reach its host; NO_PROXY names hosts that are asked directly.",
  ]);
  expect(tunnels).toHaveLength(5);
});

test("a proxy that can't be used is warned of, once, before anything is asked", async () => {
  process.env.HTTP_PROXY = `http://builder:100%${password}@127.0.0.1:1`;
  const { deploy } = await startScenario();
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([expect.stringMatching(/^HTTP_PROXY is set, but can't be used/)]);
  expect(run.log.split("\n")[0]).toBe(run.warnings[0]);
  expect(run.log + run.summary).not.toContain(password);
});
