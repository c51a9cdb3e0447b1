import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  expectError,
  type Inputs,
  type ScenarioRun,
  shownBy,
  startScenario,
} from "../../support/scenario.ts";
import { checkAgent, inTurn, startAgent, startWithAgent } from "./support.ts";

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
async function runWith(faults: readonly FaultRule[], inputs: Inputs = { smoke_tests: both }) {
  const scenario = await startScenario({ ...onLangsmith, faults });
  return { ...scenario, run: await scenario.deploy(inputs) };
}

test("tests that pass are sent one after the other, and reported in log and output", async () => {
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
  const [first, second] = [
    'The smoke test "greets" passed after 0.0 s (POST /runs/wait, graph agent).',
    'The smoke test "is well" passed after 0.0 s (GET /ok).',
  ];
  expect(testsOf(run)).toEqual([
    { name: "greets", passed: true, seconds: 0, message: first },
    { name: "is well", passed: true, seconds: 0, message: second },
  ]);
  expect(run.infos).toEqual(expect.arrayContaining([`✅ ${first}`, `✅ ${second}`]));
  expect(run.infos.at(-1)).toContain("All 3 checks passed.");
});

describe("before the first smoke test, a GET /ok wakes the deployment once,", () => {
  const smoke_tests = "- { name: a, request: GET /a }\n- { name: b, request: GET /b }";
  const inputs = { serving_check: "off", smoke_tests };

  test.each([302, 500])("and its response of %d does not matter", async (status) => {
    const agent = await startAgent(inTurn(status, 200));
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

test.each<[string, FaultRule, string]>([
  ["ends as an error", { kind: "run", ends: "error", message: "No model key" }, "No model key"],
  ["is interrupted", { kind: "run", ends: "interrupted" }, "__interrupt__"],
  ["has no such graph", { kind: "run", ends: "missing" }, "404"],
])("a run of a graph fails its test, and the step, if it %s", async (_what, fault, fact) => {
  const { run } = await runWith([fault]);

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
  expectError(run, 'did not pass its checks. The smoke test "greets" failed:', fact);
  expect(testsOf(run)).toMatchObject([
    { name: "greets", passed: false, message: expect.stringContaining(fact) },
    { name: "is well", passed: true },
  ]);
  expect(run.infos).toContainEqual(expect.stringMatching(/^❌ The smoke test "greets" failed/));
  expect(run.infos).toContain("Request:  POST /runs/wait, graph agent");
  expect(run.log).toContain("End of the deploy log");
});

test("expect.interrupted decides whether a run has to pause, and the error says how to change that", async () => {
  const pauses = { kind: "run", ends: "interrupted" } as const;
  const must = { smoke_tests: "- { name: asks, graph: agent, input: {}, expect: { interrupted: true } }" };

  const { run: paused } = await runWith([pauses]);
  const { run: ended } = await runWith([], must);
  const { run: passed } = await runWith([pauses], must);

  expectError(paused, "a node waits for a person", "set expect: { interrupted: true } in the test");
  expectError(ended, "The run ended without a pause.", "remove interrupted: true from the test");
  expect(passed.outputs.outcome).toBe("deployed");
});

test("failed tests are one annotation, which names six, and ten blocks, of which the first is open", async () => {
  const names = ["t0", "<b> & `@octo` #1", ...Array.from({ length: 10 }, (_, index) => `t${index + 2}`)];
  const smoke_tests = JSON.stringify(names.map((name) => ({ name, request: "GET /" })));

  const run = await checkAgent(inTurn(500), { smoke_tests });

  expectError(run, "but did not pass its checks.", '"t0" failed:', '"t5", 6 more.');
  expectError(run, "Check that the agent is running, and read its log");
  expect(run.log).toContain('"t11" failed');
  const blocks = run.summary.split("<details").slice(1);
  expect(blocks).toHaveLength(10);
  expect(blocks.slice(0, 3).map((block) => block.split("\n")[0])).toEqual([
    " open><summary>❌ smoke test <code>t0</code></summary>",
    "><summary>❌ smoke test <code>&#60;b&#62; &#38; `@octo` #1</code></summary>",
    "><summary>❌ smoke test <code>t2</code></summary>",
  ]);
});

describe("of a long response,", () => {
  const long = "Where am I? ".repeat(200);
  const ai = (content: unknown) => ({
    messages: [
      { type: "human", content: long },
      { type: "ai", content },
    ],
  });
  const alone = (message: object) => ({ messages: [message] });
  const parts = [{ type: "text", text: "You are in Rome." }];

  test.each<[string, unknown, string]>([
    ["the last message", ai("You are in Rome."), 'the last message "You are in Rome."'],
    ["the parts of that", ai(parts), `the last message "${JSON.stringify(parts)}"`],
    ["all if that is blank", alone({ type: "ai", content: " " }), '{"messages":[{'],
    ["that of a person too", alone({ role: "user", content: "a question" }), 'the last message "a question"'],
    ["its start if it has no messages", { answer: "Rome", long }, '{"answer":"Rome"'],
  ])("log, summary and annotation show %s", async (_what, body, received) => {
    const smoke_tests = "- { name: a, graph: agent, input: {}, expect: { contains: [Paris, France] } }";

    const run = await checkAgent((_, response) => response.end(JSON.stringify(body)), { smoke_tests });

    expectError(run, `expected a response that contains "Paris", received ${received}`, "in the job summary");
    expect(run.infos).toContainEqual(expect.stringContaining(`Received: ${received}`));
    expect(run.summary).toContain(`Received: ${received}`);
    const [, shown = ""] = /received (.*)\. This revision stays live\./.exec(run.errors.join()) ?? [];
    expect(shown.length).toBeLessThan(175);
    expect(shown.includes("…")).toBe(received.startsWith('{"answer"'));
  });
});

test("a response that is too large fails with advice of its own", async () => {
  const smoke_tests = "- { name: reads, request: GET / }";

  const run = await checkAgent((_, response) => response.end("x".repeat(64_000_001)), { smoke_tests });

  expectError(run, "the body is larger than 64 MB", "Request something whose response is smaller.");
  expect(run.errors[0]).not.toMatch(/may have ended|base URL/);
});

test.each([
  ["passes if enough do", "pass: 3", null],
  ["fails if fewer do", "pass: 4", "4 must"],
  ["fails without pass if one does", "", "5 must"],
])("a test that is repeated is done as often as it says, and %s", async (_what, pass, must) => {
  const { agent, deploy } = await startWithAgent(inTurn(200, 500, 200, 500, 200));

  const run = await deploy({ smoke_tests: `- { name: often, request: GET /x, repeat: 5, ${pass} }` });

  expect(agent.requests).toHaveLength(5);
  expect(run.outputs.outcome).toBe(must === null ? "deployed" : "failed");
  expect(run.infos).toContainEqual(expect.stringContaining("3 of 5 passed"));
  if (must !== null) expectError(run, "3 of 5 passed", must, "500", "words of the agent");
});

const match = { path: "/runs/wait$", times: "always" } as const;
const gzip = { body: "\u001f\u008b", headers: { "content-encoding": "gzip" } };

test.each<[string, FaultRule, string]>([
  ["a lost connection", { kind: "reset", match }, "the connection failed"],
  ["a response that breaks off", { kind: "cut", match }, "the connection failed"],
  ["503", answer(match, 503), "503"],
  ["a redirect", answer(match, 302, { headers: { location: "/other" } }), "redirect to /other"],
  [
    "a gzip bomb, which is not unpacked",
    answer(match, 200, gzip),
    "expected the final state of the run, as JSON",
  ],
  ["HTML", answer(match, 200, { body: "<html>Hello</html>" }), "received <html>"],
])("a request is sent once if it ends with %s", async (_what, fault, reason) => {
  const { run, emulator } = await runWith([fault]);

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, reason);
  expect(emulator.requests.filter((one) => one.path.endsWith("/runs/wait"))).toHaveLength(1);
  expect(testsOf(run)).toMatchObject([{ passed: false }, { passed: true }]);
});

test("responses of 1xx before the real one are no response, and a change of protocol fails", async () => {
  const run = await checkAgent(
    (request, response) => {
      if (request.url === "/early") {
        response.writeProcessing();
        response.writeEarlyHints({ link: "</x>; rel=preload" });
        response.end("{}");
      } else
        request.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
    },
    { smoke_tests: "- { name: early, request: GET /early }\n- { name: switch, request: GET /switch }" },
  );

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

    const reason =
      "expected a response, received none: POST /live/agent/runs/wait: no complete response within 0.2 s.";
    expectError(run, `smoke test "slow" failed: ${reason}`);
  },
);

test("max_seconds is a minute by default, longer than request_timeout_seconds", async () => {
  const passTime = holdTimeouts();
  const waited: number[] = [];
  const { deploy } = await startWithAgent((_request, response) => {
    for (const ms of [30_000, 29_000]) {
      passTime(ms);
      waited.push(ms);
    }
    response.end('{"a": 1}');
  });

  const smoke_tests = "- { name: slow, graph: agent, input: {} }";
  const run = await deploy({ smoke_tests, request_timeout_seconds: "5" });

  expect(waited).toHaveLength(2);
  expect(run.outputs.outcome).toBe("deployed");
});

test("what another test's response repeats of a test's headers is shown nowhere, but plain words are", async () => {
  const run = await checkAgent(
    (_request, response) => response.writeHead(401).end("token-of-the-test of text/plain"),
    {
      smoke_tests: `- { name: own, request: GET /a, headers: { X-Key: token-of-the-test, Accept: text/plain } }
- { name: other, request: GET /b }`,
    },
  );

  expect(testsOf(run)).toHaveLength(2);
  expect(shownBy(run)).not.toContain("token-of-the-test");
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
  expect(shownBy(run)).toContain("***");
  expect(shownBy(run)).not.toMatch(/key-of-the-agent|from-the-input|from-the-test|token-of-the-test/);
});

test("a key in the query of a test's path is sent, but shown nowhere", async () => {
  const { agent, deploy } = await startWithAgent(({ url }, response) => response.end(`you asked for ${url}`));

  const run = await deploy({
    smoke_tests: `- { name: passes, request: "GET /a?key=key-of-the-agent" }
- { name: fails, request: "GET /b?key=key-of-the-agent", expect: { contains: other } }`,
  });

  expect(agent.requests.map(({ url }) => url)).toEqual([
    "/a?key=key-of-the-agent",
    "/b?key=key-of-the-agent",
  ]);
  expect(testsOf(run)).toMatchObject([
    { passed: true, message: expect.stringContaining("(GET /a)") },
    { passed: false },
  ]);
  expect(shownBy(run)).not.toMatch(/key-of-the-agent/);
  expect(run.summary).toContain("Request:  GET /b\n");
});

test("a secret of the run in an expectation is shown nowhere, whatever its form", async () => {
  const secret = 'secret "of" the./run';
  const expected = [
    { contains: `the ${secret}` },
    { matches: secret },
    { json: { "/a": secret } },
    { json: { "/a": [{ [secret]: [secret] }] } },
  ];
  const tests = [
    ...expected.map((expect, index) => ({ name: `t${index}`, request: "GET /a", expect })),
    { name: `named ${secret}`, request: "GET /a", expect: { contains: "missing" } },
  ];

  const run = await checkAgent(
    (_request, response) => response.end(JSON.stringify({ a: "another value", [secret]: 1 })),
    { secrets: `TOKEN=${secret}`, smoke_tests: JSON.stringify(tests) },
  );

  expect(testsOf(run)).toHaveLength(5);
  expect(run.succeeded).toBe(false);
  expect(shownBy(run)).toContain("***");
  expect(shownBy(run)).not.toMatch(/of.{1,6}the.{1,6}run/);
});

test("a response that is nested too deeply is searched as text", async () => {
  const nested = `${"[".repeat(10_000)}"yes"${"]".repeat(10_000)}`;
  const tests = ["yes", "no"].map((contains) => ({ name: contains, request: "GET /", expect: { contains } }));

  const run = await checkAgent((_request, response) => response.end(nested), {
    smoke_tests: JSON.stringify(tests),
  });

  expect(testsOf(run)).toMatchObject([{ passed: true }, { passed: false }]);
  expectError(run, 'The smoke test "no" failed: expected a response that contains "no", received [[[[');
});
