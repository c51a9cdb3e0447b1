// The played agents of the emulator beside the vendor's own server for local use: the same requests to both.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { create, createRequest } from "../../emulator/__tests__/support/langsmith.ts";
import { startEmulator } from "../../emulator/index.ts";
import { root } from "../../scripts/support/run.ts";
import { readSmokeTests } from "../../src/inputs/smoke-tests.ts";
import { freePort } from "../support/listen.ts";
import { expectError, type ScenarioRun, startScenario } from "../support/scenario.ts";
import { reading } from "../unit/inputs/support/reading.ts";

/** npm installs the vendor's server. */
const installMs = 300_000;

/** A graph that repeats what it is told, one that fails, and one that is interrupted. */
const graphs = `
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const graphOf = (node) =>
  new StateGraph(MessagesAnnotation).addNode("node", node).addEdge(START, "node").addEdge("node", END).compile();

export const agent = graphOf(({ messages }) => ({
  messages: [{ role: "assistant", content: "You said: " + messages.at(-1).content }],
}));
export const broken = graphOf(() => {
  throw new Error("No model key");
});
export const paused = graphOf(() => {
  interrupt("May I?");
});
`;
const config = {
  node_version: "22",
  dependencies: ["."],
  graphs: {
    agent: "./agent.js:agent",
    broken: "./agent.js:broken",
    paused: "./agent.js:paused",
  },
};

let folder = "";
let server: ChildProcess | undefined;
/** The vendor's server. */
let vendor = "";
/** The played agent; the same with runs that fail, and with runs that are interrupted. */
const played = new Map<string, string>();
const closings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vendor-agents-"));
  const filter = (path: string) => basename(path) !== "node_modules";
  await cp(join(root, "examples/langgraph"), folder, { recursive: true, filter });
  await writeFile(join(folder, "agent.js"), graphs);
  await writeFile(join(folder, "langgraph.json"), JSON.stringify(config));
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
  const port = await freePort();
  vendor = `http://127.0.0.1:${port}`;
  const args = [
    "dev",
    "--no-browser",
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    "--config",
    "langgraph.json",
  ];
  const env = { PATH: process.env.PATH, HOME: folder, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
  server = spawn(join(folder, "node_modules/.bin/langgraphjs"), args, {
    cwd: folder,
    env,
    detached: true,
    stdio: "ignore",
  });
  while (
    !(await fetch(`${vendor}/ok`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await delay(200);
}, installMs);

beforeAll(async () => {
  for (const ends of ["", "error", "interrupted"] as const) {
    const faults = ends === "" ? [] : [{ kind: "run", ends, message: "No model key" } as const];
    const emulator = await startEmulator({ platform: "langsmith", statusSeconds: 0, faults });
    closings.push(() => emulator.close());
    const { name, ...others } = createRequest();
    await create(emulator, { name, ...others });
    played.set(ends, `${emulator.url}/live/${name}`);
  }
});

afterAll(async () => {
  for (const close of closings) await close();
  if (server?.pid !== undefined) process.kill(-server.pid, "SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function ask(url: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text.trimStart().startsWith("<") ? text : JSON.parse(text || "null");
  return { status: response.status, body: json };
}

/** The response of the vendor's server, and that of the played agent. */
async function askBoth(path: string, body?: unknown, { graph = "agent", ends = "" } = {}) {
  const bodyFor = (id: string) => (body === undefined ? undefined : { assistant_id: id, ...Object(body) });
  return [
    await ask(vendor, path, bodyFor(graph)),
    await ask(played.get(ends) ?? "", path, bodyFor("agent")),
  ] as const;
}

const hello = { input: { messages: [{ role: "user", content: "hello" }] }, on_completion: "delete" };

test("/ok is the same", async () => {
  const [theirs, ours] = await askBoth("/ok");

  expect(ours).toEqual(theirs);
});

test("/info has the same fields, and the revision besides", async () => {
  const [theirs, ours] = await askBoth("/info");

  const { host, ...others } = Object(ours.body);
  expect(host).toHaveProperty("host_revision_id");
  expect(Object.keys(others).sort()).toEqual(Object.keys(Object(theirs.body)).sort());
  expect(Object.keys(others.flags).sort()).toEqual(Object.keys(Object(theirs.body).flags).sort());
});

test("the assistant of a graph has the same id and fields", async () => {
  const search = { graph_id: "agent", limit: 5, offset: 0 };
  const theirs = await ask(vendor, "/assistants/search", search);
  const ours = await ask(played.get("") ?? "", "/assistants/search", search);

  const [[their], [our]] = [Object(theirs.body), Object(ours.body)];
  expect(our.assistant_id).toBe(their.assistant_id);
  expect(their).toMatchObject({ graph_id: our.graph_id, metadata: our.metadata, version: our.version });
  expect(Object.keys(their)).toEqual(expect.arrayContaining(Object.keys(our)));
});

test("a run responds with the final state", async () => {
  const [theirs, ours] = await askBoth("/runs/wait", hello);

  for (const { status, body } of [theirs, ours]) {
    expect(status).toBe(200);
    expect(Object(body).messages).toHaveLength(2);
    expect(Object(body).messages[1]).toMatchObject({ type: "ai", content: "You said: hello" });
  }
});

describe("a run that does not end well", () => {
  test("responds with 200 and __error__", async () => {
    const both = await askBoth("/runs/wait", hello, { graph: "broken", ends: "error" });

    for (const { status, body } of both) {
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { __error__: { error: expect.any(String), message: expect.stringContaining("No model key") } },
      });
    }
  });

  test("responds with 200 and __interrupt__, if the server keeps its thread", async () => {
    const kept = { ...hello, on_completion: "keep" };
    const both = await askBoth("/runs/wait", kept, { graph: "paused", ends: "interrupted" });

    for (const { status, body } of both) {
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { __interrupt__: [{ value: expect.any(String) }] },
      });
    }
  });

  test("responds with an error of the client for a graph that is missing", async () => {
    const run = { ...hello, assistant_id: "missing" };
    const both = [await askRaw(vendor, run), await askRaw(played.get("") ?? "", run)];

    for (const status of both) expect([404, 422]).toContain(status);
  });
});

async function askRaw(url: string, body: unknown): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/runs/wait`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.status;
}

test("smoke tests of the action judge the vendor's server rightly", async () => {
  const tests = ["agent", "broken", "missing"].map((graph) => ({
    name: graph,
    graph,
    input: hello.input,
    ...(graph === "agent" && {
      expect: { contains: "You said: hello", json: { "/messages/1/type": "ai" } },
    }),
  }));
  expect(reading({ smoke_tests: JSON.stringify(tests) }, readSmokeTests).problems).toEqual([]);
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run: ScenarioRun = await deploy({
    custom_url: vendor,
    health_check_path: "/ok",
    smoke_tests: JSON.stringify(tests),
  });

  expect(JSON.parse(run.outputs.smoke_tests ?? "")).toMatchObject([
    { name: "agent", passed: true },
    { name: "broken", passed: false, message: expect.stringContaining("No model key") },
    { name: "missing", passed: false },
  ]);
});

test("the check action asks the vendor's server without a control plane", async () => {
  const { run } = await startScenario();
  const smoke_tests = JSON.stringify([
    { name: "agent", graph: "agent", input: hello.input, expect: { contains: "You said: hello" } },
  ]);
  // An agent is not compared with itself under the same URL.
  const urls = { deployment_url: vendor, compare_with_url: vendor.replace("127.0.0.1", "localhost") };

  const passed = await run("check", { inputs: { ...urls, health_check_path: "/ok", smoke_tests } });
  const failed = await run("check", {
    inputs: { ...urls, smoke_tests: smoke_tests.replace("You said", "You sang") },
  });

  expect(passed.outputs).toMatchObject({ outcome: "passed", contract_changes: "[]" });
  expect(passed.outputs.server_version).toMatch(/^\d+\.\d+/);
  // The vendor's server does not describe graphs in JavaScript.
  expect(passed.summary).toContain(`Check \`${vendor}\`: passed, with a warning`);
  expectError(failed, "You sang: hello");
});
