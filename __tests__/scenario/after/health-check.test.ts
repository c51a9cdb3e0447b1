import { describe, expect, test } from "@jest/globals";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import { expectError, shownBy } from "../../support/scenario.ts";
import { checkAgent, inTurn, startAgent, startWithAgent } from "./support.ts";

const checked = { health_check_path: "/health" };

test("a 2xx response passes the health check", async () => {
  const { agent, deploy } = await startWithAgent(inTurn(204));

  const run = await deploy(checked);

  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_url: agent.url });
  expect(run.infos).toContainEqual(expect.stringMatching(/The health check passed.*\/health.*204/));
  expect(agent.requests.map(({ headers }) => Object.keys(headers).sort())).toEqual([
    ["accept", "accept-encoding", "connection", "host", "user-agent"],
  ]);
});

test("the path is below that of the deployment's URL, and keeps its query", async () => {
  const { agent, deploy } = await startWithAgent(inTurn(200));

  await deploy({ custom_url: `${agent.url}/base/`, health_check_path: "/@ok/?deep=1&x=%2e" });

  expect(agent.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /base/ok",
    "GET /base/@ok/?deep=1&x=%2e",
  ]);
});

test.each([200, 403])("a key in the query of the path is sent, but shown nowhere (%d)", async (status) => {
  const { agent, deploy } = await startWithAgent(({ url }, response) => {
    response.writeHead(status).end(`${url} ${decodeURIComponent(url ?? "")}`);
  });

  const health_check_path = "/health?key=key%2Dof-the-agent&user=me";
  const run = await deploy({ health_check_path, health_check_timeout_seconds: "1" });

  expect(agent.requests[0]?.url).toBe(health_check_path);
  expect(shownBy(run)).toContain("GET /health");
  expect(shownBy(run)).not.toContain("of-the-agent");
});

test("an agent that becomes healthy is waited for, and each new response is logged", async () => {
  const { agent, deploy } = await startWithAgent(inTurn(502, 503, 503, 200));

  const run = await deploy(checked);

  expect(run.outputs.outcome).toBe("deployed");
  expect(agent.requests).toHaveLength(4);
  expect(run.infos.filter((line) => line.includes("words of the agent"))).toEqual([
    expect.stringMatching(/^GET \/health is not healthy yet, received 502/),
    expect.stringMatching(/\/health.*503/),
  ]);
  expect(run.took).toBeGreaterThan(3);
});

describe("the step fails", () => {
  test("if no response is 2xx within a minute, and the error quotes the last one", async () => {
    const { agent, deploy } = await startWithAgent(inTurn(404, 503));

    const run = await deploy(checked);

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expectError(run, "1 min", "/health", "503", "words of the agent", "health_check_path");
    expect(run.infos).toContainEqual(expect.stringMatching(/^\[1 min\] still running the health check/));
    expect(run.took).toBe(60);
    expect(agent.requests).toHaveLength(31);
  });

  test("after health_check_timeout_seconds, with one last request at the end", async () => {
    const asked: number[] = [];
    const { clock, deploy } = await startWithAgent((_, response) => {
      asked.push(clock.elapsed());
      response.writeHead(503).end();
    });

    const run = await deploy({ ...checked, health_check_timeout_seconds: "17.5" });

    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBe(17.5);
    expect(asked).toHaveLength(10);
    expect(asked.at(-1)).toBe(17_500);
  });

  test("if the agent redirects, which is not followed", async () => {
    const other = await startAgent(inTurn(200));

    const run = await checkAgent(
      (_request, response) => response.writeHead(302, { location: `${other.url}/login` }).end(),
      { ...checked, health_check_timeout_seconds: "5" },
    );

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, `${other.url}/login`);
    expect(other.requests).toEqual([]);
  });

  const slow = "must respond within 10 s: read the log of the agent server.";
  test.each([
    ["closes the connection", true, ["/health: the connection failed", "raise health_check_timeout_seconds"]],
    ["never responds", false, ["/health: no complete response within 10 s.", slow]],
  ])("if the agent %s", async (_what, closes, facts) => {
    const passTime = holdTimeouts();
    const { agent, deploy } = await startWithAgent((request) => {
      if (closes) request.socket.destroy();
      else passTime(10_000);
    });

    const run = await deploy({ ...checked, health_check_timeout_seconds: "1" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, ...facts);
    expect(agent.requests).toHaveLength(2);
  });
});

test("user info, query and fragment of the deployment's URL are neither shown nor sent", async () => {
  const { agent, deploy } = await startWithAgent(inTurn(200));
  const custom_url = `${agent.url.replace("//", "//me:of-the-user@")}/agents?token=of-the-query#of-the-end`;

  const run = await deploy({ ...checked, custom_url, serving_check: "auto" });

  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_url: `${agent.url}/agents` });
  expect(shownBy(run)).not.toMatch(/of-the-/);
  expect(agent.requests.map(({ url }) => url)).toEqual(["/agents/ok", "/agents/info", "/agents/health"]);
  expect(agent.requests[0]?.headers).not.toHaveProperty("authorization");
});
