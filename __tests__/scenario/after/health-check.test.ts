import { describe, expect, test } from "@jest/globals";
import type { DeploymentSnapshot } from "../../../emulator/deployments/control-plane.ts";
import { type DeployRun, startScenario } from "../../support/scenario.ts";
import { cancel, langsmith, startApp, startAppAnswering } from "./support.ts";

const checked = { health_check_path: "/ok" };

test("without health_check_path nothing is asked", async () => {
  const app = await startAppAnswering(200);
  const { deploy } = await startScenario();
  const run = await deploy({ custom_url: app.url, health_check_timeout_seconds: "5" });
  expect(run.outputs.outcome).toBe("deployed");
  expect(app.requests).toEqual([]);
});

test("a deployment that answers 2xx is deployed", async () => {
  const app = await startAppAnswering(204);
  const { deploy } = await startScenario();
  const run = await deploy({ custom_url: app.url, ...checked });
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_url: app.url });
  expect(run.infos.at(-1)).toContain("It is well: GET /ok was answered with 204.");
  expect(app.requests).toHaveLength(1);
});

test("it is asked below the URL's own path, and with the query that was given", async () => {
  const app = await startAppAnswering(200);
  const { deploy } = await startScenario();
  const run = await deploy({ custom_url: `${app.url}/base/`, health_check_path: "/@ok/?deep=1&x=%2e" });
  expect(app.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /base/@ok/?deep=1&x=%2e"]);
  expect(run.infos.at(-1)).toContain("It is well: GET /base/@ok/?deep=1&x=%2e was answered with 200.");
});

test("nothing of the run's credentials is sent", async () => {
  const app = await startAppAnswering(200);
  const { deploy, emulator } = await startScenario();
  await deploy({
    custom_url: app.url.replace("//", "//user:password@"),
    ...checked,
    github_token: "token-of-github",
    secrets: "TOKEN=value-of-the-secret",
  });
  const [request] = app.requests;
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual(["accept", "connection", "host", "user-agent"]);
  const sent = JSON.stringify([request?.url, request?.rawHeaders]);
  for (const secret of [emulator.apiKey, emulator.workspaceId, "token-of-github", "value-of", "password"]) {
    expect(sent).not.toContain(secret);
  }
});

test("one that is well after a while is waited for", async () => {
  const app = await startAppAnswering(502, 503, 503, 200);
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ custom_url: app.url, ...checked });
  expect(run.outputs.outcome).toBe("deployed");
  expect(app.requests).toHaveLength(4);
  expect(run.infos.filter((line) => line.startsWith("Not well yet"))).toEqual([
    "Not well yet: GET /ok was answered with 502: words of the app",
    "Not well yet: GET /ok was answered with 503: words of the app",
  ]);
  expect(run.took).toBeGreaterThan(3);
});

test("what the platform itself serves is asked, too", async () => {
  const { deploy } = await startScenario({ platform: "langsmith" });
  const run = await deploy({ ...langsmith, ...checked });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.requests.filter(({ path }) => path === "/live/agent/ok")).toHaveLength(1);
});

describe("one that isn't well within the time fails the step", () => {
  test("with what it answered last", async () => {
    const app = await startAppAnswering(404, 503);
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({ custom_url: app.url, ...checked });
    expect(run.succeeded).toBe(false);
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain(
      "within 1 min it didn't answer 2xx. Last: GET /ok was answered with 503: words of the app. Check health_check_path",
    );
    expect(run.summary).toContain("didn't answer");
    expect(run.took).toBe(60);
    expect(app.requests.length).toBeLessThan(25);
  });

  test("after health_check_timeout_seconds, with one last look at the end", async () => {
    const { deploy, emulator } = await startScenario({
      platform: "langsmith",
      statusSeconds: 0,
      unhealthyRefs: ["main"],
    });
    const run = await deploy({ ...langsmith, ...checked, health_check_timeout_seconds: "17.5" });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBe(17.5);
    expect(emulator.requests.at(-1)?.path).toBe("/live/agent/ok");
    expect(run.errors[0]).toContain("within 18 s");
  });

  test("a redirect is none, and isn't followed", async () => {
    const other = await startAppAnswering(200);
    const app = await startApp((_request, response) => {
      response.writeHead(302, { location: `${other.url}/login` }).end();
    });
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({ custom_url: app.url, ...checked });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors[0]).toContain(`a redirect to ${other.url}/login, which is not followed`);
    expect(other.requests).toEqual([]);
  });

  test("a connection that fails is told as such", async () => {
    const app = await startApp((request) => request.socket.destroy());
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({ custom_url: app.url, ...checked, health_check_timeout_seconds: "5" });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors[0]).toContain("Last: GET /ok: the connection failed:");
  });

  test("an app that never answers is asked again, and given up in the end", async () => {
    const app = await startApp(() => {});
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({ custom_url: app.url, ...checked, health_check_timeout_seconds: "1" });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors[0]).toContain("Last: GET /ok: no whole answer within 1 s.");
    expect(app.requests).toHaveLength(2);
  });
});

test("an answer whose body never ends is well by its status", async () => {
  const app = await startApp((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ custom_url: app.url, ...checked });
  expect(run.outputs.outcome).toBe("deployed");
  expect(app.requests).toHaveLength(1);
});

test("what an app answers stays text, of a bearable length", async () => {
  const app = await startApp((_request, response) => {
    response.writeHead(500).end(`::error::words\n##[error]more\u001b[31m ${"x".repeat(100_000)}`);
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ custom_url: app.url, ...checked, health_check_timeout_seconds: "1" });
  expect(run.errors[0]).toContain("words");
  for (const live of ["\n", "##[", "\u001b"]) expect(run.errors[0]).not.toContain(live);
  expect(run.errors[0]?.length).toBeLessThan(1200);
});

describe("without an address to ask the step fails at once", () => {
  test("where the platform doesn't tell the deployment's URL", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "hide", fields: ["url", "custom_url"] });
    const run = await deploy(checked);
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.errors).toEqual([expect.stringContaining("/ok (health_check_path) can't be asked for")]);
    expect(run.took).toBeLessThan(2);
  });

  test("where its URL is a plain http: one of another host", async () => {
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({ custom_url: "http://agents.invalid", ...checked });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toEqual([expect.stringContaining("set allow_http: true")]);
    expect(run.took).toBeLessThan(2);
  });
});

describe("nothing is asked", () => {
  test("where the revision failed", async () => {
    const app = await startAppAnswering(200);
    const { deploy } = await startScenario({ failRefs: { main: "BUILD_FAILED" } });
    const run = await deploy({ custom_url: app.url, ...checked });
    expect(run.errors[0]).toContain("BUILD_FAILED");
    expect(app.requests).toEqual([]);
  });

  test("in a dry run", async () => {
    const app = await startAppAnswering(200);
    const { deploy } = await startScenario();
    const run = await deploy({ custom_url: app.url, ...checked, dry_run: "true" });
    expect(run.outputs.outcome).toBe("planned");
    expect(app.requests).toEqual([]);
  });
});

describe("a cancel ends it at once, and tells that it wasn't known to be well", () => {
  function expectUnknown(run: DeployRun, { id, latest_revision_id }: DeploymentSnapshot): void {
    expect(run.outputs.outcome).toBe("cancelled");
    expect(run.errors[0]).toContain(
      `Revision ${latest_revision_id} of deployment ${id} is DEPLOYED. Whether it is well (health_check_path) wasn't known yet.`,
    );
  }

  test("before the first answer", async () => {
    const asked = Promise.withResolvers<void>();
    const app = await startApp(() => asked.resolve());
    const { held, start } = await startScenario({ statusSeconds: 0 });
    const deploying = start({ custom_url: app.url, ...checked });
    await asked.promise;
    cancel(deploying);
    expectUnknown(await deploying.ended, held());
  });

  test("between two", async () => {
    const app = await startAppAnswering(503);
    const { clock, held, start } = await startScenario({ statusSeconds: 0 });
    const deploying = start({ custom_url: app.url, ...checked });
    clock.at(5_000, () => cancel(deploying));
    const run = await deploying.ended;
    expect(run.took).toBe(5);
    expectUnknown(run, held());
  });
});

test("the log's signs of life tell what it waits for", async () => {
  const app = await startAppAnswering(503);
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ custom_url: app.url, ...checked, health_check_timeout_seconds: "90" });
  expect(run.infos).toContain(
    "[1 min] still checking the deployment's health: GET /ok was answered with 503: words of the app",
  );
});
