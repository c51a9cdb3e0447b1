import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { defaultCreate, startScenario, writes } from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$", times: "always" } as const;

test("a name on page 3 of the list is found", async () => {
  const { deploy, elsewhere, existing } = await startScenario({ statusSeconds: 0 });
  for (let n = 0; n < 200; n++)
    await elsewhere("POST /v2/deployments", { ...defaultCreate, name: `agent-${n}` });
  const { id } = await existing("agent");
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
  const pages = run.requests.filter(({ path }) => path === "/v2/deployments");
  expect(pages.map(({ query }) => query)).toEqual(
    ["0", "100", "200"].map((offset) => ({ name_contains: ["agent"], limit: ["100"], offset: [offset] })),
  );
});

test("pages that are shorter than asked for don't end the search", async () => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing("agent");
  for (const [index, ids] of [["a", "b"], ["c", "d"], [id]].entries()) {
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments$", from: index + 1 },
      status: 200,
      body: { resources: ids.map((one) => ({ id: one, name: one === id ? "agent" : `x-${one}` })) },
    });
  }
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
  const pages = run.requests.filter(({ path }) => path === "/v2/deployments");
  expect(pages.map(({ query }) => query.offset)).toEqual([["0"], ["2"], ["4"]]);
});

test("a list that answers every page with the first one ends the search", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.misbehave({
    kind: "answer",
    match: list,
    status: 200,
    body: { resources: [{ id: "1", name: "agent-1" }], offset: 0 },
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(
    run.requests.filter(({ method, path }) => method === "GET" && path === "/v2/deployments"),
  ).toHaveLength(2);
});

test("a longer name that contains the name is another deployment", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  const longer = await existing("agent-2");
  const longest = await existing("my-agent");
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect([longer.id, longest.id]).not.toContain(run.outputs.deployment_id);
  expect(writes(run.requests).map(({ method }) => method)).toEqual(["POST"]);
});

describe("without a list endpoint the deployment is created, with a warning", () => {
  test.each([404, 405, 501])("%i", async (status) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "answer", match: list, status, body: { detail: "Not here" } });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(run.warnings).toHaveLength(1);
    expect(run.warnings[0]).toContain("deployment_id");
    expect(
      run.requests.filter(({ path, method }) => method === "GET" && path === "/v2/deployments"),
    ).toHaveLength(1);
  });
});

test("without a list endpoint a name that is taken is an error that names deployment_id", async () => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  emulator.misbehave({ kind: "answer", match: list, status: 404, body: { detail: "Not Found" } });
  const run = await deploy();
  expect(run.succeeded).toBe(false);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toMatch(/409: A deployment with the name 'agent' already exists\..*deployment_id/);
  expect(writes(run.requests)).toHaveLength(1);
  expect(run.warnings).toHaveLength(1);
});

describe("an answer to the list that didn't come from the API is an error that names control_plane_url", () => {
  const html = { "content-type": "text/html" };
  test.each<[string, Omit<Extract<RuleInput, { kind: "answer" }>, "kind" | "match">]>([
    ["404 with HTML", { status: 404, headers: html, body: "<html><h1>Not Found</h1></html>" }],
    ["404 without a body", { status: 404 }],
    ["405 with HTML", { status: 405, headers: html, body: "<html>no</html>" }],
    ["200 with HTML", { status: 200, headers: html, body: "<html>Welcome</html>" }],
    ["200 with other JSON", { status: 200, body: { items: [] } }],
    ["a redirect", { status: 302, headers: { location: "https://login.example.com/" } }],
  ])("%s", async (_what, answer) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ kind: "answer", match: list, ...answer });
    const run = await deploy();
    expect(run.succeeded).toBe(false);
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("control_plane_url");
    expect(run.requests).toHaveLength(1);
  });
});

test("a deployment of another repository is an error, not a target", async () => {
  const { deploy, existing } = await startScenario();
  await existing("agent", {
    source_config: { ...defaultCreate.source_config, repo_url: "https://github.com/someone/else" },
  });
  const run = await deploy();
  expect(run.succeeded).toBe(false);
  expect(writes(run.requests)).toEqual([]);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toMatch(
    /https:\/\/github\.com\/someone\/else.*not of https:\/\/github\.com\/octo-org\/octo-repo.*repo_url/,
  );
});

test("the other repository is a target by deployment_id", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing("agent", {
    source_config: { ...defaultCreate.source_config, repo_url: "https://github.com/someone/else" },
  });
  const run = await deploy({ deployment_id: id });
  expect(run.outputs.outcome).toBe("deployed");
});

describe("the same repository is one that is written", () => {
  test.each([
    "https://GitHub.com/Octo-Org/octo-repo",
    "https://github.com/octo-org/octo-repo/",
    "https://github.com/octo-org/octo-repo.git",
    "https://github.com/octo-org/octo-repo.git/",
  ])("%s", async (url) => {
    const { deploy, existing } = await startScenario({ statusSeconds: 0 });
    await existing("agent", { source_config: { ...defaultCreate.source_config, repo_url: url } });
    expect((await deploy()).outputs).toMatchObject({ outcome: "deployed", created: "false" });
  });
});

test("a deployment that vanishes between the list and its read is created", async () => {
  const { deploy, elsewhere, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: `^/v2/deployments/${id}$` },
    status: 404,
    body: { detail: "Not Found" },
  });
  emulator.misbehave({ kind: "slow_delete", seconds: 4 });
  await elsewhere(`DELETE /v2/deployments/${id}`);
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
});
