import { afterEach, describe, expect, test } from "@jest/globals";
import { type FaultRule, startEmulator } from "../../../emulator/index.ts";
import { type ConnectProxy, startProxy } from "../../support/connect-proxy.ts";
import { answer } from "../../support/faults.ts";
import { expectError, requestLines, startScenario, writes } from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$" };

describe("a read is retried", () => {
  test.each<[string, FaultRule]>([
    ["after a 5xx response", answer(list, 503, { times: 4 })],
    ["after a lost connection", { kind: "reset", match: { ...list, times: 4 } }],
    ["after half a response", { kind: "cut", match: { ...list, times: 4 } }],
  ])("%s, with growing delays", async (_what, fault) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(fault);

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(requestLines(run.requests).slice(4, 6)).toEqual([
      "GET /v2/deployments 200",
      "POST /v2/deployments 201",
    ]);
    // 0.75 of 0.5, 1, 2 and 4 seconds: the random part is in the middle here.
    expect(run.took).toBe(5.625);
  });

  test.each([
    ["40", 40, "in 40.0 s"],
    ["1500", 60, "in 60.0 s"],
  ])("when Retry-After of %s asks for it, after a minute at most", async (retryAfter, seconds, words) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(answer(list, 503, { headers: { "retry-after": retryAfter } }));

    const run = await deploy();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.took).toBe(seconds);
    expect(run.log).toContain(words);
  });
});

test.each(["POST", "PATCH"])("a write is retried after 429 (%s)", async (method) => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  if (method === "PATCH") await existing();
  const tooMany = { status: 429, headers: { "retry-after": "20" } };
  emulator.addFault({ kind: "answer", match: { method }, ...tooMany });

  const run = await deploy();

  expect(run.outputs.outcome).toBe("deployed");
  expect(writes(run.requests).map((request) => request.method)).toEqual([method, method]);
  expect(stored().revisions).toHaveLength(method === "PATCH" ? 2 : 1);
  expect(run.took).toBe(20);
});

test.each(["POST", "PATCH"])("the time until a write is accepted does not count (%s)", async (method) => {
  const { deploy, emulator, existing } = await startScenario();
  if (method === "PATCH") await existing();
  const tooMany = { status: 429, headers: { "retry-after": "60" } };
  emulator.addFault({ kind: "answer", match: { method, times: 2 }, ...tooMany });

  const run = await deploy({ timeout_seconds: "121" });

  expect(run.outputs).toMatchObject({ outcome: "deployed", duration_seconds: String(run.took - 120) });
});

test("without a connection every request is retried, and the error names control_plane_url", async () => {
  const closed = await startEmulator();
  await closed.close();
  const { deploy } = await startScenario();

  const run = await deploy({ control_plane_url: closed.url });

  expect(run.infos.filter((line) => line.includes("ECONNREFUSED"))).toHaveLength(4);
  expectError(run, "ECONNREFUSED", "control_plane_url");
});

describe("a proxy", () => {
  const host = "control-plane.invalid";
  const behindProxy = { control_plane_url: `http://${host}`, allow_http: "true" };
  let proxy: ConnectProxy | undefined;

  afterEach(async () => {
    delete process.env.HTTP_PROXY;
    await proxy?.close();
    proxy = undefined;
  });

  test.each([
    ["407 Proxy Authentication Required", 1, /407.*control_plane_url.*HTTP_PROXY.*password/],
    ["503 Service Unavailable", 5, /503.*control_plane_url.*HTTP_PROXY.*NO_PROXY/],
  ])(
    "that refuses with %s gets %i requests, and the error names what to check",
    async (refusal, attempts, message) => {
      proxy = await startProxy({}, refusal);
      process.env.HTTP_PROXY = proxy.url;
      const { deploy } = await startScenario();

      const run = await deploy(behindProxy);

      expect(run.outputs.outcome).toBe("failed");
      expect(run.errors).toEqual([expect.stringMatching(message)]);
      expect(proxy.tunnels).toEqual(Array(attempts).fill(`${host}:80`));
    },
  );
});
