import { describe, expect, test } from "@jest/globals";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import { expectError, startScenario } from "../../support/scenario.ts";
import { startAwakeAgent, startAwakeAgentWith } from "./support.ts";

const alone = { serving_check: "off" };
const checked = { ...alone, health_check_path: "/health" };

test("a 2xx response passes the health check", async () => {
  const agent = await startAwakeAgentWith(204);
  const { deploy } = await startScenario();

  const run = await deploy({ custom_url: agent.url, ...checked });

  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_url: agent.url });
  expect(run.infos).toContainEqual(expect.stringMatching(/The health check passed.*\/health.*204/));
  expect(agent.requests.map(({ headers }) => Object.keys(headers).sort())).toEqual([
    ["accept", "accept-encoding", "connection", "host", "user-agent"],
  ]);
});

test("the path is below that of the deployment's URL, and keeps its query", async () => {
  const agent = await startAwakeAgentWith(200);
  const { deploy } = await startScenario();

  await deploy({ custom_url: `${agent.url}/base/`, ...alone, health_check_path: "/@ok/?deep=1&x=%2e" });

  expect(agent.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /base/ok",
    "GET /base/@ok/?deep=1&x=%2e",
  ]);
});

test.each([200, 403])("a key in the query of the path is sent, but shown nowhere (%d)", async (status) => {
  const agent = await startAwakeAgent(({ url }, response) => {
    response.writeHead(status).end(`${url} ${decodeURIComponent(url ?? "")}`);
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({
    custom_url: agent.url,
    ...alone,
    health_check_path: "/health?key=key%2Dof-the-agent&user=me",
    health_check_timeout_seconds: "1",
  });

  expect(agent.requests[0]?.url).toBe("/health?key=key%2Dof-the-agent&user=me");
  const shown = [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
  expect(shown).toContain("GET /health");
  expect(shown).not.toContain("of-the-agent");
});

test("an agent that becomes healthy is waited for, and each new response is logged", async () => {
  const agent = await startAwakeAgentWith(502, 503, 503, 200);
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({ custom_url: agent.url, ...checked });

  expect(run.outputs.outcome).toBe("deployed");
  expect(agent.requests).toHaveLength(4);
  expect(run.infos.filter((line) => line.includes("words of the agent"))).toEqual([
    expect.stringMatching(/^GET \/health is not healthy yet, received 502/),
    expect.stringMatching(/\/health.*503/),
  ]);
  expect(run.took).toBeGreaterThan(3);
});

test("a URL that the platform itself shows is requested", async () => {
  const { deploy } = await startScenario({ platform: "langsmith" });

  const run = await deploy({ ...checked, health_check_path: "/ok" });

  expect(run.outputs.outcome).toBe("deployed");
  // The first one wakes it.
  expect(run.requests.filter(({ path }) => path === "/live/agent/ok")).toHaveLength(2);
});

describe("the step fails", () => {
  test("if no response is 2xx within a minute, and the error quotes the last one", async () => {
    const agent = await startAwakeAgentWith(404, 503);
    const { deploy } = await startScenario({ statusSeconds: 0 });

    const run = await deploy({ custom_url: agent.url, ...checked });

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expectError(run, "1 min", "/health", "503", "words of the agent", "health_check_path");
    expect(run.summary).toContain("health check failed");
    expect(run.infos).toContainEqual(expect.stringMatching(/^\[1 min\] still running the health check/));
    expect(run.took).toBe(60);
    expect(agent.requests).toHaveLength(31);
  });

  test("after health_check_timeout_seconds, with one last request at the end", async () => {
    const options = { statusSeconds: 0, unhealthyRefs: ["main"] };
    const { deploy, emulator } = await startScenario({ platform: "langsmith", ...options });

    const run = await deploy({ ...alone, health_check_path: "/ok", health_check_timeout_seconds: "17.5" });

    expect(run.outputs.outcome).toBe("failed");
    // The server's log is read two seconds after the check.
    expect(run.took).toBe(19.5);
    const asked = emulator.requests.filter(({ path }) => path.startsWith("/live/"));
    expect(asked.at(-1)?.path).toBe("/live/agent/ok");
  });

  test("if the agent redirects, which is not followed", async () => {
    const other = await startAwakeAgentWith(200);
    const agent = await startAwakeAgent((_request, response) => {
      response.writeHead(302, { location: `${other.url}/login` }).end();
    });
    const { deploy } = await startScenario({ statusSeconds: 0 });

    const run = await deploy({ custom_url: agent.url, ...checked, health_check_timeout_seconds: "5" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, `${other.url}/login`);
    expect(other.requests).toEqual([]);
  });

  test.each([
    ["closes the connection", true, /\/health: the connection failed.*raise health_check_timeout_seconds/],
    [
      "never responds",
      false,
      /\/health: no complete response within 10 s\..* The path must respond within 10 s: read the log of the agent server\.$/,
    ],
  ])("if the agent %s", async (_what, closes, message) => {
    const passTime = holdTimeouts();
    const agent = await startAwakeAgent((request) => {
      if (closes) request.socket.destroy();
      else passTime(10_000);
    });
    const { deploy } = await startScenario({ statusSeconds: 0 });

    const run = await deploy({ custom_url: agent.url, ...checked, health_check_timeout_seconds: "1" });

    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toEqual([expect.stringMatching(message)]);
    expect(agent.requests).toHaveLength(2);
  });
});

test("user info, query and fragment of the deployment's URL are neither shown nor sent", async () => {
  const agent = await startAwakeAgentWith(200);
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const custom_url = `${agent.url.replace("//", "//me:of-the-user@")}/agents?token=of-the-query#of-the-end`;

  const run = await deploy({ custom_url, health_check_path: "/health" });

  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_url: `${agent.url}/agents` });
  expect(`${run.log}${run.summary}${JSON.stringify(run.outputs)}`).not.toMatch(/of-the-/);
  expect(agent.requests.map(({ url }) => url)).toEqual(["/agents/ok", "/agents/info", "/agents/health"]);
  expect(agent.requests[0]?.headers).not.toHaveProperty("authorization");
});
