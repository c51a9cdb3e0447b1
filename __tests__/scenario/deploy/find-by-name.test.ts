import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  defaultCreate,
  expectError,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$", times: "always" } as const;
const repository = (url: string) => ({
  source_config: { ...defaultCreate.source_config, repo_url: url },
});
const others = repository("https://github.com/someone/else");

/** The queries of the pages that were read. */
function pages({ requests }: ScenarioRun) {
  return requests
    .filter(({ method, path }) => method === "GET" && path === "/v2/deployments")
    .map(({ query }) => query);
}

test("a name is found on the third page", async () => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing("agent");
  const full = (page: number) =>
    Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}`, name: `agent-${page}-${index}` }));
  for (const [index, resources] of [full(1), full(2), [{ id, name: "agent" }], []].entries()) {
    const match = { method: "GET", path: list.path, from: index + 1 };
    emulator.addFault(answer(match, 200, { body: { resources } }));
  }

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
  expect(pages(run)).toEqual(
    ["0", "100", "200", "201"].map((offset) => ({
      name_contains: ["agent"],
      limit: ["100"],
      offset: [offset],
    })),
  );
});

test.each([1, 20])("a name is found behind a page of %i, although 100 were asked for", async (size) => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing("agent");
  const small = Array.from({ length: size }, (_, index) => ({
    id: `other-${index}`,
    name: `agent-${index}`,
  }));
  for (const [index, resources] of [small, [{ id, name: "agent" }], []].entries()) {
    emulator.addFault(answer({ ...list, times: 1, from: index + 1 }, 200, { body: { resources } }));
  }

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
  expect(pages(run).map(({ offset }) => offset)).toEqual([["0"], [String(size)], [String(size + 1)]]);
});

test("a list that repeats its page is complete", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.addFault(answer(list, 200, { body: { resources: [{ id: "other", name: "agent-2" }] } }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
});

test("a name that contains the searched one is another deployment", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  const longer = [await existing("agent-2"), await existing("my-agent")];

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(longer.map(({ id }) => id)).not.toContain(run.outputs.deployment_id);
  expect(writes(run.requests).map(({ method }) => method)).toEqual(["POST"]);
});

describe("on a control plane without a list", () => {
  test.each([404, 405, 501])("(%i) the deployment is created, with a warning", async (status) => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(answer(list, status, { body: { detail: "Not here" } }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(run.warnings).toContainEqual(expect.stringContaining("deployment_id"));
    expect(pages(run)).toHaveLength(1);
  });

  test("a name that is taken is an error after one create, and the warning before names deployment_id", async () => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    await existing();
    emulator.addFault(answer(list, 404, { body: { detail: "Not Found" } }));

    const run = await deploy();

    expectError(run, "409", "'agent' already exists");
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.warnings).toContainEqual(expect.stringContaining("deployment_id"));
  });
});

describe("a list that did not come from the API is an error that names control_plane_url:", () => {
  const html = { "content-type": "text/html" };
  test.each<[string, Omit<Extract<FaultRule, { kind: "answer" }>, "kind" | "match">]>([
    ["404 with HTML", { status: 404, headers: html, body: "<html><h1>Not Found</h1></html>" }],
    ["200 with other JSON", { status: 200, body: { items: [] } }],
    ["a redirect", { status: 302, headers: { location: "https://login.example.com/" } }],
  ])("a list that is %s is an error", async (_what, response) => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault({ kind: "answer", match: list, ...response });

    const run = await deploy();

    expectError(run, "control_plane_url");
    expect(run.requests).toHaveLength(1);
  });
});

describe("a deployment of another repository", () => {
  test("is not updated if it was found by name", async () => {
    const { deploy, existing } = await startScenario();
    await existing("agent", others);

    const run = await deploy();

    expect(writes(run.requests)).toEqual([]);
    expectError(run, "github.com/someone/else", "github.com/octo-org/octo-repo", "repo_url");
  });

  test("is updated if deployment_id names it, and a ref is given: one of the same name is not this run's", async () => {
    const { deploy, existing } = await startScenario({ statusSeconds: 0 });
    const { id: deployment_id } = await existing("agent", others);

    const refused = await deploy({ deployment_id });
    const run = await deploy({ deployment_id, repo_ref: "main" });

    expect(writes(refused.requests)).toEqual([]);
    expectError(refused, "repo_ref is required", "github.com/someone/else", "Correct deployment_id");
    expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id });
  });
});
