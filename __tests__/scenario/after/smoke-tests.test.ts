import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  defaultCreate,
  expectError,
  type Inputs,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";
import { startAgent, startAwakeAgent } from "./support.ts";

const onLangsmith = { platform: "langsmith", statusSeconds: 0 } as const;

/** Two tests that the played agent passes. */
const greets = `
- name: greets
  graph: agent
  input: { messages: [{ role: user, content: hello }] }
  expect: { contains: hello, json: { /messages/1/type: ai } }
`;
const both = `${greets}
- { name: is well, request: GET /ok, expect: { json: { /ok: true } } }
`;

function testsOf(run: ScenarioRun): unknown {
  return JSON.parse(run.outputs.smoke_tests ?? "null");
}

/** A run against the played agent, after these faults. */
async function runWith(
  faults: readonly FaultRule[],
  inputs: Inputs = { smoke_tests: both },
  more: EmulatorOptions = {},
) {
  const scenario = await startScenario({ ...onLangsmith, faults, ...more });
  return { ...scenario, run: await scenario.deploy(inputs) };
}

test("tests that pass are sent one after the other, and reported in log, summary and output", async () => {
  const { run, emulator } = await runWith([]);

  expect(run.outputs.outcome).toBe("deployed");
  const sent = emulator.requests.filter(({ path }) => path.startsWith("/live/"));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    // It wakes a deployment that sleeps.
    "GET /live/agent/ok",
    "GET /live/agent/info",
    "GET /live/agent/info",
    "POST /live/agent/runs/wait",
    "GET /live/agent/ok",
  ]);
  expect(sent[3]?.body).toEqual({
    assistant_id: "agent",
    input: { messages: [{ role: "user", content: "hello" }] },
    on_completion: "delete",
  });
  expect(sent[3]?.headers).not.toHaveProperty("x-api-key");
  expect(testsOf(run)).toEqual([
    {
      name: "greets",
      passed: true,
      seconds: 0,
      message: expect.stringMatching(
        /^The smoke test "greets" passed after 0\.0 s \(POST \/runs\/wait, graph agent\)\.$/,
      ),
    },
    { name: "is well", passed: true, seconds: 0, message: expect.stringContaining("GET /ok") },
  ]);
  expect(run.infos).toContainEqual(expect.stringMatching(/^✅ The smoke test "greets" passed after 0\.0 s/));
  expect(run.infos.at(-1)).toContain("All 3 checks passed.");
  expect(run.summary).toMatch(
    /\| ✅ \| smoke test `greets` \| 0\.0 \|\n\| ✅ \| smoke test `is well` \| 0\.0 \|/,
  );
});

describe("before the first smoke test, a GET /ok wakes the deployment once,", () => {
  const inputs = {
    serving_check: "off",
    smoke_tests: "- { name: a, request: GET /a }\n- { name: b, request: GET /b }",
  };

  test.each([200, 302, 500])("and its response of %d does not matter", async (status) => {
    const agent = await startAgent(({ url }, response) => {
      response.writeHead(url === "/ok" ? status : 200).end();
    });
    const { deploy } = await startScenario({ statusSeconds: 0 });

    const run = await deploy({ ...inputs, custom_url: agent.url });

    expect(run.outputs.outcome).toBe("deployed");
    expect(agent.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /ok",
      "GET /a",
      "GET /b",
    ]);
    expect(run.log).not.toContain("/ok");
  });

  test("for at most a minute", async () => {
    const passTime = holdTimeouts();
    const agent = await startAgent(({ url }, response) => {
      if (url === "/ok") passTime(60_000);
      else response.end();
    });
    const { deploy } = await startScenario({ statusSeconds: 0 });

    const run = await deploy({ ...inputs, custom_url: agent.url, request_timeout_seconds: "5" });

    expect(run.outputs.outcome).toBe("deployed");
    expect(testsOf(run)).toMatchObject([{ passed: true }, { passed: true }]);
  });
});

describe("a run of a graph fails its test, and the step, if it", () => {
  test.each<[string, FaultRule, string]>([
    ["ends as an error", { kind: "run", ends: "error", message: "No model key" }, "No model key"],
    ["is interrupted", { kind: "run", ends: "interrupted" }, "__interrupt__"],
    ["has no such graph", { kind: "run", ends: "missing" }, "404"],
  ])("a run of a graph fails its test if it %s", async (_what, fault, fact) => {
    const { run } = await runWith([fault]);

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expectError(run, 'did not pass its checks. The smoke test "greets" failed:', fact);
    expect(testsOf(run)).toMatchObject([
      { name: "greets", passed: false, message: expect.stringContaining(fact) },
      { name: "is well", passed: true },
    ]);
    expect(run.infos).toContainEqual(expect.stringMatching(/^❌ The smoke test "greets" failed/));
    expect(run.infos).toContain("Request:  POST /runs/wait, graph agent");
    expect(run.summary).toMatch(/\| ❌ \| smoke test `greets` \| 0\.0 \|/);
    expect(run.summary).toContain("<details open><summary>❌ smoke test <code>greets</code></summary>");
    expect(run.summary).toContain("Expected: ");
    expect(run.log).toContain("End of the deploy log");
  });
});

test("a run that pauses, or does not although it should, is explained", async () => {
  const waits = "- { name: greets, graph: agent, input: {}, expect: { interrupted: true } }";

  const { run: paused } = await runWith([{ kind: "run", ends: "interrupted" }]);
  const { run: ended } = await runWith([], { smoke_tests: waits });

  expectError(paused, "a node waits for a person", "set expect: { interrupted: true } in the test");
  expectError(ended, "The run ended without a pause.", "remove interrupted: true from the test");
});

test("a value of JSON that a response does not have is said to be missing", async () => {
  const agent = await startAwakeAgent((_request, response) => response.end('{"answer":"hello"}'));
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const inputs = { custom_url: agent.url, serving_check: "off" };

  const smoke_tests = "- { name: greets, request: GET /, expect: { json: { /answers: hello } } }";
  const run = await deploy({ ...inputs, smoke_tests });

  expectError(run, 'expected "hello" at /answers, received ');
  expect(run.summary).toContain('Received: nothing at /answers in {"answer":"hello"}\n');
});

test("each failed test is named by its block, of which the first is open", async () => {
  const statuses: Record<string, number> = { "/a": 500, "/b": 401, "/c": 500, "/d": 403 };
  const agent = await startAwakeAgent(({ url = "" }, response) => {
    response.writeHead(statuses[url] ?? 200).end();
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const names = { "/a": "a", "/b": "<b> & `@octo` #1", "/c": "c", "/d": "d" };
  const smoke_tests = JSON.stringify(
    Object.entries(names).map(([path, name]) => ({ name, request: `GET ${path}` })),
  );

  const run = await deploy({ custom_url: agent.url, serving_check: "off", smoke_tests });

  expectError(run, "Check that the agent is running, and read its log");
  const [, ...blocks] = run.summary.split("<details");
  expect(blocks.slice(0, 4).map((block) => block.split("\n")[0])).toEqual([
    " open><summary>❌ smoke test <code>a</code></summary>",
    "><summary>❌ smoke test <code>&#60;b&#62; &#38; `@octo` #1</code></summary>",
    "><summary>❌ smoke test <code>c</code></summary>",
    "><summary>❌ smoke test <code>d</code></summary>",
  ]);
});

describe("of a long response,", () => {
  async function runWithResponse(body: string) {
    const agent = await startAwakeAgent((_request, response) => response.end(body));
    const { deploy } = await startScenario({ statusSeconds: 0 });
    return await deploy({
      custom_url: agent.url,
      serving_check: "off",
      smoke_tests: "- { name: asks, graph: agent, input: {}, expect: { contains: [Paris, France] } }",
    });
  }
  const long = "Where am I? ".repeat(200);

  test("log, summary and annotation show the last message of the agent", async () => {
    const last = { content: "You are in Rome.", additional_kwargs: { x: "y".repeat(30) }, type: "ai" };

    const run = await runWithResponse(JSON.stringify({ messages: [{ type: "human", content: long }, last] }));

    const received = 'the last message "You are in Rome."';
    expectError(run, `expected a response that contains "Paris", received ${received}`, "in the job summary");
    expect(run.infos).toContain(`Received: ${received}`);
    expect(run.summary).toContain(`Received: ${received}`);
  });

  test.each([
    { type: "human", content: "a question" },
    { role: "user", content: "a question" },
    { type: "ai", content: " " },
  ])("all of it is shown if the agent's last message says nothing of its own: %j", async (last) => {
    const run = await runWithResponse(JSON.stringify({ messages: [last] }));

    expectError(run, 'received {"messages":[{');
  });

  test("the parts of the agent's last message are shown", async () => {
    const last = { type: "ai", content: [{ type: "text", text: "You are in Rome." }] };

    const run = await runWithResponse(JSON.stringify({ messages: [{ type: "human", content: long }, last] }));

    expectError(run, 'received the last message "[{"type":"text","text":"You are in Rome."}]"');
  });

  test("the annotation shows the first 150 characters if it has no messages", async () => {
    const run = await runWithResponse(JSON.stringify({ answer: "Rome", long }));

    expectError(run, 'received {"answer":"Rome"');
    const received =
      /received (.*)\. This revision stays live\. What to do next: Compare the expected/.exec(
        run.errors.join(),
      )?.[1] ?? "";
    expect(received).toContain("…");
    expect(received.length).toBeLessThan(175);
  });
});

test("an interrupted run passes if it has to be interrupted", async () => {
  const paused = `
- { name: asks, graph: agent, input: {}, expect: { interrupted: true } }
`;
  const { run } = await runWith([{ kind: "run", ends: "interrupted" }], { smoke_tests: paused });

  expect(run.outputs.outcome).toBe("deployed");
});

test("a response that is too large fails with advice of its own", async () => {
  const agent = await startAwakeAgent((_request, response) => response.end("x".repeat(64_000_001)));
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const inputs = { custom_url: agent.url, serving_check: "off", health_check_path: "" };

  const run = await deploy({ ...inputs, smoke_tests: "- { name: reads, request: GET / }" });

  expectError(run, "the body is larger than 64 MB", "Request something whose response is smaller.");
  expect(run.errors[0]).not.toMatch(/may have ended|base URL/);
});

test("several failed tests are one annotation with a hint, which names six of them", async () => {
  const many = Array.from({ length: 12 }, (_, index) => `- { name: t${index}, request: GET /missing }`).join(
    "\n",
  );
  const { run } = await runWith([], { smoke_tests: many });

  expectError(run, "but did not pass its checks.", '"t0" failed:', '"t5", 6 more.', "smoke_tests");
  for (const shown of [run.log, run.summary]) expect(shown).toContain("t11");
});

test("after a failed test the earlier revision is deployed again, if asked for", async () => {
  const scenario = await startScenario({
    ...onLangsmith,
    faults: [{ kind: "run", ends: "error", repo_ref: "bad" }],
  });
  const source_revision_config = { ...defaultCreate.source_revision_config, repo_ref: "good" };
  const { revisionId } = await scenario.existing("agent", { source_revision_config });

  const run = await scenario.deploy({ repo_ref: "bad", smoke_tests: greets, rollback_on_failure: "true" });

  expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: revisionId });
  expect(testsOf(run)).toMatchObject([{ name: "greets", passed: false }]);
  expectError(run, "smoke test", "Rolled back");
});

describe("a test that is repeated", () => {
  /** An agent that responds to every second request with 500. */
  async function flaky(lines: string) {
    let count = 0;
    const agent = await startAwakeAgent((_request, response) => {
      count += 1;
      response.writeHead(count % 2 === 0 ? 500 : 200).end("words of the agent");
    });
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const smoke_tests = `- { name: often, request: GET /x, repeat: 5, ${lines} }`;
    const run = await deploy({ custom_url: agent.url, serving_check: "off", smoke_tests });
    return { run, agent };
  }

  test("is done as often as it says, and passes if enough do", async () => {
    const { run, agent } = await flaky("pass: 3");

    expect(run.outputs.outcome).toBe("deployed");
    expect(agent.requests).toHaveLength(5);
    expect(run.infos).toContainEqual(expect.stringContaining("3 of 5 passed"));
  });

  test.each(["pass: 4", ""])("is done as often even if it fails (%s)", async (lines) => {
    const { run, agent } = await flaky(lines);

    expect(agent.requests).toHaveLength(5);
    expectError(run, "3 of 5 passed", lines === "" ? "5 must" : "4 must", "500", "words of the agent");
  });
});

describe("a request is sent once, however it ends:", () => {
  const match = { path: "/runs/wait$", times: "always" } as const;
  test.each<[string, FaultRule, RegExp]>([
    ["a lost connection", { kind: "reset", match }, /the connection failed/],
    ["a response that breaks off", { kind: "cut", match }, /the connection failed/],
    ["503", answer(match, 503), /503/],
    ["a redirect", answer(match, 302, { headers: { location: "/other" } }), /redirect to \/other/],
    [
      "a gzip bomb, which is never unpacked",
      answer(match, 200, { body: "\u001f\u008b", headers: { "content-encoding": "gzip" } }),
      /expected the final state of the run, as JSON/,
    ],
    ["HTML", answer(match, 200, { body: "<html>Hello</html>" }), /received <html>/],
  ])("a request is sent once if it ends with %s", async (_what, fault, reason) => {
    const { run, emulator } = await runWith([fault]);

    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors[0]).toMatch(reason);
    expect(emulator.requests.filter((one) => one.path.endsWith("/runs/wait"))).toHaveLength(1);
    expect(testsOf(run)).toMatchObject([{ passed: false }, { passed: true }]);
  });
});

test("responses of 1xx before the real one are no response, and a change of protocol fails", async () => {
  const agent = await startAgent((request, response) => {
    if (request.url === "/early") {
      response.writeProcessing();
      response.writeEarlyHints({ link: "</x>; rel=preload" });
      response.end("{}");
    } else
      request.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    smoke_tests: "- { name: early, request: GET /early }\n- { name: switch, request: GET /switch }",
  });

  expect(testsOf(run)).toMatchObject([
    { passed: true },
    { passed: false, message: expect.stringContaining("bad upgrade") },
  ]);
});

test.each<[string, FaultRule]>([
  ["is silent", { kind: "hang", match: { path: "/runs/wait$" } }],
  ["trickles white space", { kind: "whitespace", match: { path: "/runs/wait$" }, milliseconds: 20 }],
])(
  "an agent that %s is given up after max_seconds, whatever request_timeout_seconds is",
  async (_what, fault) => {
    const smoke_tests = "- { name: slow, graph: agent, input: {}, expect: { max_seconds: 0.2 } }";
    const { run } = await runWith([fault], { smoke_tests, request_timeout_seconds: "30" });

    expectError(
      run,
      'smoke test "slow" failed: expected a response, received none: POST /live/agent/runs/wait: no complete response within 0.2 s.',
    );
  },
);

test("max_seconds is a minute by default, longer than request_timeout_seconds", async () => {
  const passTime = holdTimeouts();
  const waited: number[] = [];
  const agent = await startAwakeAgent((_request, response) => {
    for (const ms of [30_000, 29_000]) {
      passTime(ms);
      waited.push(ms);
    }
    response.end('{"a": 1}');
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    smoke_tests: "- { name: slow, graph: agent, input: {} }",
    request_timeout_seconds: "5",
  });

  expect(waited).toHaveLength(2);
  expect(run.outputs.outcome).toBe("deployed");
});

describe("nothing is sent and nothing judged", () => {
  test.each<[string, Inputs, string, EmulatorOptions]>([
    [
      "after a health check that failed",
      { health_check_path: "/ok", health_check_timeout_seconds: "1" },
      "failed",
      { unhealthyRefs: ["main"] },
    ],
    [
      "after a serving check that failed",
      { serving_check: "require", health_check_timeout_seconds: "1" },
      "failed",
      { faults: [answer("/info$", 404, { times: "always" })] },
    ],
  ])("smoke tests are not run %s", async (_when, inputs, outcome, options) => {
    const { run, emulator } = await runWith([], { smoke_tests: both, ...inputs }, options);

    expect(run.outputs.outcome).toBe(outcome);
    expect(run.outputs).not.toHaveProperty("smoke_tests");
    expect(emulator.requests.filter(({ path }) => path.endsWith("/runs/wait"))).toEqual([]);
  });

  test("without the input, and the output is empty", async () => {
    const { run } = await runWith([], {});

    expect(run.outputs).not.toHaveProperty("smoke_tests");
    expect(run.log).not.toContain("moke test");
  });
});

test("an unknown key in smoke_tests is an input error before anything is sent", async () => {
  const { run } = await runWith([], { smoke_tests: "- { name: x, request: GET /, expct: 1 }" });

  expect(run.errors[0]).toMatch(/item 1 \("x"\): expct/);
  expect(run.requests).toEqual([]);
});

test("what another test's response repeats of a test's headers is shown nowhere, but plain words are", async () => {
  const agent = await startAgent((_request, response) => {
    response.writeHead(401).end("token-of-the-test of text/plain");
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    smoke_tests: `- { name: own, request: GET /a, headers: { X-Key: token-of-the-test, Accept: text/plain } }
- { name: other, request: GET /b }`,
  });

  expect(testsOf(run)).toHaveLength(2);
  expect(`${run.log}${run.summary}`).not.toContain("token-of-the-test");
  expect(run.log).toContain("*** of text/plain");
  expect(run.log).toContain("Set agent_headers to a header with a key");
});

test("agent_headers are sent, a test's own headers win, and what an agent repeats of both is shown nowhere", async () => {
  const faults: FaultRule[] = [{ kind: "echo", match: { path: "/echo", times: "always" } }];
  const scenario = await startScenario({ ...onLangsmith, faults, agentKey: "key-of-the-agent" });

  const run = await scenario.deploy({
    agent_headers: "X-Api-Key: key-of-the-agent\nX-Both: from-the-input",
    smoke_tests: `${greets}
- name: echo
  request: GET /echo
  headers: { X-Both: from-the-test, Authorization: Bearer token-of-the-test }
  expect: { contains: nothing-like-it, json: { /headers/x-both: nothing-like-it } }
`,
  });

  expect(testsOf(run)).toMatchObject([{ passed: true }, { passed: false }]);
  const echo = scenario.emulator.requests.find(({ path }) => path.endsWith("/echo"));
  expect(echo?.headers["x-both"]).toBe("from-the-test");
  const shown = [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
  expect(shown).toContain("***");
  for (const secret of ["key-of-the-agent", "from-the-input", "from-the-test", "token-of-the-test"]) {
    expect(shown).not.toContain(secret);
  }
});

test("a key in the query of a test's path is sent, but shown nowhere", async () => {
  const agent = await startAgent(({ url }, response) => {
    response.end(`you asked for ${url}`);
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    smoke_tests: `- { name: passes, request: "GET /a?key=key-of-the-agent" }
- { name: fails, request: "GET /b?key=key-of-the-agent", expect: { contains: other } }`,
  });

  expect(agent.requests.map(({ url }) => url).slice(1)).toEqual([
    "/a?key=key-of-the-agent",
    "/b?key=key-of-the-agent",
  ]);
  expect(testsOf(run)).toMatchObject([
    { passed: true, message: expect.stringContaining("(GET /a)") },
    { passed: false },
  ]);
  const shown = [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
  expect(shown).not.toMatch(/key-of-the-agent/);
  expect(run.summary).toContain("Request:  GET /b\n");
});

test("a secret of the run in an expectation is shown nowhere, whatever its form", async () => {
  const secret = 'secret "of" the./run';
  const agent = await startAgent((_request, response) => {
    response.end(JSON.stringify({ a: "another value", [secret]: 1 }));
  });
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const expected = [
    { contains: `the ${secret}` },
    { matches: secret },
    { json: { "/a": secret } },
    { json: { "/a": [{ [secret]: [secret] }] } },
  ];

  const run = await deploy({
    custom_url: agent.url,
    serving_check: "off",
    secrets: `TOKEN=${secret}`,
    smoke_tests: JSON.stringify([
      ...expected.map((expect, index) => ({ name: `t${index}`, request: "GET /a", expect })),
      { name: `named ${secret}`, request: "GET /a", expect: { contains: "missing" } },
    ]),
  });

  expect(testsOf(run)).toHaveLength(5);
  expect(run.succeeded).toBe(false);
  const shown = [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
  expect(shown).toContain("***");
  expect(shown).not.toMatch(/of.{1,6}the.{1,6}run/);
});

test("a response that is nested too deeply fails its test", async () => {
  const agent = await startAgent((_request, response) =>
    response.end("[".repeat(100_000) + "]".repeat(100_000)),
  );
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const smoke_tests = "- { name: deep, request: GET /, expect: { contains: x } }";

  const run = await deploy({ custom_url: agent.url, smoke_tests });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, 'The smoke test "deep" failed: it ended with "Maximum call stack size exceeded".');
});
