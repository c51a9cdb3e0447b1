import { text } from "node:stream/consumers";
import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { expectError, type Inputs, startScenario } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";
import { startAgent, startAgentWith } from "../after/support.ts";
import { changesOf, startComparison, waitingAt } from "../compare/support.ts";

const tests = `
- { name: greets, graph: agent, input: { messages: [{ role: user, content: hello }] }, expect: { contains: hello, json: { /messages/1/type: ai } } }
- { name: responds, request: GET /ok }
`;

/** A running agent, and checks of it without a control plane. */
async function startCheck(faults: readonly FaultRule[] = [], agentKey?: string) {
  const { run, existing, emulator } = await startScenario({
    platform: "langsmith",
    statusSeconds: 0,
    agentKey,
  });
  await existing("agent");
  await existing("other");
  for (const fault of faults) emulator.addFault(fault);
  const url = `${emulator.url}/live/agent`;
  const other = `${emulator.url}/live/other`;
  const nothing = { control_plane_url: "", api_key: "", workspace_id: "", github_token: "" };
  const check = (inputs: Inputs) => run("check", { inputs: { ...nothing, deployment_url: url, ...inputs } });
  return { url, other, check };
}

test("an agent is asked what a deploy asks, and the result is shown in log, summary and outputs", async () => {
  const { url, check } = await startCheck();

  const run = await check({ health_check_path: "/ok", smoke_tests: tests });

  expect(run).toMatchObject({ succeeded: true, warnings: [], errors: [] });
  expect(Object.keys(run.outputs).toSorted()).toEqual([
    "message",
    "outcome",
    "server_version",
    "smoke_tests",
  ]);
  expect(run.outputs).toMatchObject({
    outcome: "passed",
    message: "The agent was checked. All 3 checks passed.",
  });
  expect(JSON.parse(run.outputs.smoke_tests ?? "")).toMatchObject([
    { name: "greets", passed: true },
    { name: "responds", passed: true },
  ]);
  expect(run.infos.at(-1)).toBe("The agent was checked. All 3 checks passed.");
  expect(run.summary).toBe(`## ✅ Check \`${url}\`: passed

The agent was checked. All 3 checks passed.

| | Check | Seconds |
|:---|:---|---:|
| ✅ | health check \`/ok\` | 0.0 |
| ✅ | smoke test \`greets\` | 0.0 |
| ✅ | smoke test \`responds\` | 0.0 |

| Agent server | \`${run.outputs.server_version}\` |
|:---|:---|
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

`);
  expect(run.github).toEqual([]);
});

test("a failed check fails the step, with an annotation and what was sent, expected and received", async () => {
  const { url, other, check } = await startCheck([{ kind: "run", ends: "error", message: "No model key" }]);

  const run = await check({ health_check_path: "/ok", smoke_tests: tests, compare_with_url: other });

  expectError(run, 'The agent did not pass its checks. The smoke test "greets" failed:', "No model key");
  expect(run.annotations).toEqual([{ title: `Check ${url}: smoke test failed` }]);
  expect(run.outputs.outcome).toBe("failed");
  expect(run.summary).toContain(`## ❌ Check \`${url}\`: failed (smoke test failed)`);
  expect(run.summary).toContain("❌ smoke test <code>greets</code>");
  expect(run.summary).toMatch(/\| ⏭️ \| comparison .*: skipped \(an earlier check failed\) \|/);
});

describe("an agent that requires a key", () => {
  test.each<[string, Inputs, string]>([
    ["a smoke test", { smoke_tests: "- { name: a, request: GET /info }" }, ""],
    ["a smoke test", { smoke_tests: "- { name: a, request: GET /info }" }, "X-Api-Key: wrong"],
    ["a health check", { health_check_path: "/info", health_check_timeout_seconds: "1" }, ""],
    ["a comparison", { compare_with_url: "" }, ""],
  ])("fails %s with %j, and the error names agent_headers", async (_what, inputs, agent_headers) => {
    const { other, check } = await startCheck([], "key-of-the-agent");
    const compared = "compare_with_url" in inputs ? { compare_with_url: other } : inputs;

    const run = await check({ ...compared, agent_headers });

    expectError(run, agent_headers === "" ? "403" : "401", "Set agent_headers to a header with a key");
  });

  test("passes with it, and gets no other credential", async () => {
    const { other, check } = await startCheck([], "key-of-the-agent");

    const run = await check({
      agent_headers: "X-Api-Key: key-of-the-agent",
      smoke_tests: tests,
      compare_with_url: other,
    });

    expect(run.outputs).toMatchObject({ outcome: "passed", contract_changes: "[]" });
    expect(run.masks).toEqual(["key-of-the-agent"]);
    expect(run.requests.length).toBeGreaterThan(5);
    for (const { headers } of run.requests) {
      expect(Object.keys(headers)).not.toContain("authorization");
      expect(Object.keys(headers)).not.toContain("x-tenant-id");
    }
  });
});

describe("two running agents", () => {
  async function compare(inputs: Inputs = {}) {
    const { emulator, existing, run } = await startComparison({ threads: waitingAt("approve") });
    await existing("staging", {
      source_revision_config: { repo_ref: "next", app_config_path: "app.json", image_uri: null },
    });
    const urlOf = (name: string) => `${emulator.url}/live/${name}`;
    const urls = { deployment_url: `${urlOf("staging")}/`, compare_with_url: urlOf("my-agent") };
    return { run: await run("check", { inputs: { ...urls, ...inputs } }), ...urls };
  }

  test("are compared, and a breaking change fails the step", async () => {
    const { run, compare_with_url } = await compare();

    expectError(run, `The comparison with "${compare_with_url}" failed: 1 breaking change.`, "approve");
    expect(changesOf(run)).toMatchObject([{ kind: "node", path: "approve", breaking: true, threads: 1 }]);
    expect(run.summary).toContain(`### Compared with \`${compare_with_url}\``);
  });

  test("are compared, and with breaking_changes: warn a breaking change is a warning", async () => {
    const { run } = await compare({ breaking_changes: "warn" });

    expect(run.outputs.outcome).toBe("passed");
    expect(run.warnings).toEqual([expect.stringContaining("1 breaking change")]);
    expect(run.infos.join()).not.toContain("1 breaking change");
    expect(run.summary).toMatch(/The agent was checked\. The comparison [^|]*: 1 breaking change\. /);
    expect(run.summary).toContain("passed, with a warning");
  });
});

test("agent servers that list at most 100 graphs at once, and select no parts of threads, are compared", async () => {
  // As Aegra 0.11 does: https://github.com/aegra/aegra
  const refused = { detail: [{ loc: ["body", "limit"], msg: "Input should be less than or equal to 100" }] };
  const ids = Array.from({ length: 101 }, (_, index) => `graph-${index}`);
  const serveGraphs = (graphs: readonly string[]) =>
    serve(async (request, response) => {
      const body = JSON.parse((await text(request)) || "{}");
      const isRefused =
        body.select !== undefined || (request.url === "/assistants/search" && body.limit > 100);
      const found = graphs.slice(body.offset, body.offset + body.limit);
      const listed = found.map((id) => ({
        assistant_id: id,
        graph_id: id,
        metadata: { created_by: "system" },
      }));
      const lists = { "/assistants/search": listed, "/threads/search": [] };
      const [, list = request.url?.endsWith("/schemas") ? {} : { nodes: [{ id: "answer" }] }] =
        Object.entries(lists).find(([path]) => path === request.url) ?? [];
      response.writeHead(isRefused ? 422 : 200).end(JSON.stringify(isRefused ? refused : list));
    });
  const { check } = await startCheck();

  const run = await check({
    deployment_url: await serveGraphs(ids.slice(0, 100)),
    compare_with_url: await serveGraphs(ids),
  });

  expectError(run, "1 breaking change", "Graph graph-100 is missing");
  expect(run.outputs.contract_changes).toContain('{"graph":"graph-100","kind":"graph","breaking":true');
});

test("an agent that sleeps is woken, and a health check waits for it", async () => {
  const agent = await startAgentWith(503, 503, 200);
  const { check } = await startCheck();

  const run = await check({ deployment_url: agent.url, health_check_path: "/health?deep=1" });

  expect(run.outputs.outcome).toBe("passed");
  expect(agent.requests.map(({ url }) => url)).toEqual(["/ok", "/health?deep=1", "/health?deep=1", "/info"]);
});

describe("an agent that can't be reached fails", () => {
  const nobody = "http://127.0.0.1:1";
  const health = { health_check_path: "/ok", health_check_timeout_seconds: "1" };

  test.each<[string, Inputs, string[]]>([
    [
      "the smoke tests, and the error names deployment_url",
      { deployment_url: nobody, smoke_tests: tests },
      [
        "did not pass its checks",
        "Check that the agent is running, and deployment_url. This runner must be able to reach 127.0.0.1:1",
      ],
    ],
    [
      "the health check, and the error names deployment_url",
      { deployment_url: nobody, ...health },
      ["Check that the agent is running, and deployment_url."],
    ],
    [
      "the comparison, and the error names deployment_url",
      { deployment_url: nobody },
      [
        "The new version could not be read",
        "Check that the agent is running, and deployment_url. This runner",
      ],
    ],
    [
      "the comparison with it, and the error names compare_with_url",
      { compare_with_url: nobody },
      [
        "The agent to compare with could not be read",
        "Check that the agent is running, and compare_with_url. This runner",
      ],
    ],
  ])("%s", async (_what, inputs, words) => {
    const { url, check } = await startCheck();
    const asks = "smoke_tests" in inputs || "health_check_path" in inputs;

    const run = await check({ ...(!asks && { compare_with_url: url }), ...inputs });

    expectError(run, "ECONNREFUSED", ...words);
    expect(run.outputs.server_version === undefined).toBe("deployment_url" in inputs);
  });
});

describe("a URL that is not the agent's fails", () => {
  const page = "<!doctype html><title>Sign in</title>";
  const graphTest = "- { name: a, graph: agent, input: {} }";

  test.each<[string, number, Inputs, string]>([
    [
      "a request that gets a redirect",
      301,
      { smoke_tests: "- { name: a, request: GET /x }" },
      "deployment_url",
    ],
    ["a run that gets a page", 200, { smoke_tests: graphTest }, "deployment_url"],
    ["a run that gets a page and 404", 404, { smoke_tests: graphTest }, "deployment_url"],
    ["a comparison that gets a redirect", 301, { compare_with_url: "" }, "compare_with_url"],
    ["a comparison that gets a page", 200, { compare_with_url: "" }, "compare_with_url"],
  ])("%s, and the error names the input", async (_what, status, inputs, name) => {
    const wrong = await serve((_request, response) => {
      response.writeHead(status, { location: "https://login.example.com/" }).end(page);
    });
    const { check } = await startCheck();

    const run = await check({ ...inputs, [name]: wrong });

    expect(run.errors).toEqual([expect.stringMatching(`Check (that )?${name}(,| is its base URL)`)]);
  });
});

test("agents that report no schemas are compared without them, and the result says so", async () => {
  const { emulator, existing, run } = await startComparison({ before: { agent: {} } });
  await existing("staging");
  emulator.addFault({
    kind: "answer",
    match: { path: "/schemas$", times: "always" },
    status: 200,
    body: { graph_id: "agent" },
  });
  const urlOf = (name: string) => `${emulator.url}/live/${name}`;

  const compared = await run("check", {
    inputs: { deployment_url: urlOf("staging"), compare_with_url: urlOf("my-agent") },
  });

  expect(compared.outputs.outcome).toBe("passed");
  expect(compared.log).toContain("3 to check by hand");
  expect(compared.warnings).toEqual([
    expect.stringMatching(
      /Graph agent, input: the schema was not compared, because the agent to compare with does not report it/,
    ),
  ]);
});

test("a cancelled check ends at once", async () => {
  const agent = await startAgent(() => {});
  const { start, until } = await startScenario();
  const inputs = { deployment_url: agent.url, smoke_tests: "- { name: a, request: POST /x }" };

  const started = start("check", { inputs });
  await until(() => agent.requests.length > 0);
  started.cancel();
  const run = await started.ended;

  expectError(run, "The run was cancelled (SIGINT).");
  expect(run.outputs.outcome).toBe("cancelled");
});

describe("before anything is asked, an input error", () => {
  test.each<[string, Inputs, string]>([
    [
      "names the checks, if there is none",
      {},
      "At least one of the inputs health_check_path, smoke_tests and compare_with_url must be set.",
    ],
    ["asks for deployment_url", { deployment_url: "", smoke_tests: tests }, "deployment_url is missing"],
    [
      "refuses a plain http: URL",
      { deployment_url: "http://agent.example", smoke_tests: tests },
      "allow_http: true",
    ],
    [
      "refuses a query",
      { deployment_url: "https://agent.example/?key=1", smoke_tests: tests },
      "without user name",
    ],
    [
      "refuses a password",
      { compare_with_url: "https://a:b@agent.example" },
      "compare_with_url must be a URL",
    ],
  ])("%s", async (_what, inputs, words) => {
    const { check } = await startCheck();

    const run = await check(inputs);

    expectError(run, words);
    expect(run.requests).toEqual([]);
    expect(run.summary).toContain("## ❌ Check: failed");
  });
});

test("the output message names each of several wrong inputs", async () => {
  const { url, check } = await startCheck();
  const inputs = { health_check_path: "ok", health_check_timeout_seconds: "x" };

  const { message } = (await check({ deployment_url: url, ...inputs })).outputs;

  expect(message).toMatch(/^The inputs have 2 problems\. Input /);
  for (const input of Object.keys(inputs)) expect(message).toContain(`Input ${input} must be `);
});

test("outside of a workflow, the summary links to no run", async () => {
  const { url } = await startCheck();
  const { run } = await startScenario();

  const inputs = { deployment_url: url, health_check_path: "/ok" };
  const { summary } = await run("check", { inputs, env: { GITHUB_REPOSITORY: "", GITHUB_RUN_ID: "" } });

  expect(summary).toContain(": passed");
  expect(summary).not.toContain("actions/runs");
});
