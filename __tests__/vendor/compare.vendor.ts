// The vendor's own server for local use as both sides of a comparison: versions of a graph in which a thread waits.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { changesOf } from "../scenario/compare/support.ts";
import { freePort } from "../support/listen.ts";
import { type DeployRun, defaultCreate, expectError, startScenario } from "../support/scenario.ts";

/** npm installs the vendor's server. */
const installMs = 300_000;
const testMs = 60_000;

/** Two graphs, of which one waits for a person before it ends. */
const graphs = `
import { END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";

const options = z.object({ tone: z.string() }).optional();
const State = z.object({ question: z.string(), options, draft: z.string().optional() });
const Input = z.object({ question: z.string(), options });
const Output = z.object({ question: z.string() });
const wait = () => {
  interrupt("May I?");
  return {};
};
const graph = () =>
  new StateGraph({ state: State, input: Input, output: Output })
    .addNode("write", () => ({ draft: "A draft" }))
    .addNode("approve", wait)
    .addEdge(START, "write")
    .addEdge("write", "approve")
    .addEdge("approve", END)
    .compile();
export const waits = graph();
export const idle = graph();
`;
const config = {
  node_version: "22",
  dependencies: ["."],
  graphs: { waits: "./agent.js:waits", idle: "./agent.js:idle" },
};

let folder = "";
const servers: ChildProcess[] = [];
/** The URL of the version before, with a thread of the graph `waits` that waits at `approve`. */
let before = "";
let threadId = "";

/** Starts the vendor's server with the graphs changed by these replacements, and returns its URL. */
async function serveVersion(replacements: Readonly<Record<string, string>> = {}): Promise<string> {
  const own = join(folder, `version-${servers.length}`);
  await mkdir(own);
  await cp(join(folder, "package.json"), join(own, "package.json"));
  await symlink(join(folder, "node_modules"), join(own, "node_modules"));
  const code = Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The graphs have no ${from}`);
    return text.replaceAll(from, to);
  }, graphs);
  await writeFile(join(own, "agent.js"), code);
  await writeFile(join(own, "langgraph.json"), JSON.stringify(config));
  const port = await freePort();
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
  const env = { PATH: process.env.PATH, HOME: own, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
  servers.push(
    spawn(join(folder, "node_modules/.bin/langgraphjs"), args, {
      cwd: own,
      env,
      detached: true,
      stdio: "ignore",
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/ok`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await delay(200);
  return url;
}

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(before + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return Object(await response.json());
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vendor-compare-"));
  const filter = (path: string) => basename(path) !== "node_modules";
  await cp(join(root, "examples/langgraph"), folder, { recursive: true, filter });
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
  before = await serveVersion();
  threadId = String((await post("/threads", {})).thread_id);
  await post(`/threads/${threadId}/runs/wait`, { assistant_id: "waits", input: { question: "Why?" } });
}, installMs);

afterAll(async () => {
  for (const { pid } of servers) if (pid !== undefined) process.kill(-pid, "SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Deploys an agent that is this version, compared with the one before. */
async function compareWith(replacements: Readonly<Record<string, string>>): Promise<DeployRun> {
  const custom_url = await serveVersion(replacements);
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  await existing("my-agent", { source_config: { ...defaultCreate.source_config, custom_url: before } });
  return await deploy({ custom_url, compare_with: "my-agent" });
}

test(
  "a renamed node at which a thread waits breaks it, and one at which none waits is a note",
  async () => {
    const run = await compareWith({ '"approve"': '"review"' });

    expectError(run, "Node approve of graph waits is gone. 1 thread waits at it", threadId);
    expect(changesOf(run)).toMatchObject([
      { graph: "waits", kind: "node", breaking: true, path: "approve", threads: 1 },
      { graph: "idle", kind: "node", breaking: false, path: "approve", threads: 0 },
    ]);
  },
  testMs,
);

test(
  "a node that is new changes nothing, and everything was compared",
  async () => {
    const run = await compareWith({
      '.addNode("approve", wait)': '.addNode("approve", wait).addNode("more", wait)',
      '.addEdge("approve", END)': '.addEdge("approve", "more").addEdge("more", END)',
    });

    expect(run.outputs).toMatchObject({ outcome: "deployed", contract_changes: "[]" });
    expect(run.warnings).toEqual([]);
    expect(run.summary).toContain("✅ No breaking change.");
  },
  testMs,
);

// Of the properties at the input's root, this server shows none as required.
test(
  "a property of the input that is newly required breaks callers",
  async () => {
    const run = await compareWith({
      "const Input = z.object({ question: z.string(), options });":
        "const Input = z.object({ question: z.string(), options: z.object({ tone: z.string(), size: z.string() }).optional() });",
    });

    expectError(run, "2 breaking changes");
    expect(changesOf(run)).toMatchObject([
      { graph: "idle", kind: "input", breaking: true, path: "options.size", threads: 0 },
      { graph: "waits", kind: "input", breaking: true, path: "options.size", threads: 0 },
    ]);
  },
  testMs,
);

test(
  "a renamed key of the state breaks the threads that wait, and is a note without any",
  async () => {
    const run = await compareWith({ "draft:": "text:" });

    expectError(
      run,
      "State of graph waits: property draft is gone. 1 thread waits with this state",
      threadId,
    );
    expect(changesOf(run)).toMatchObject([
      { graph: "waits", kind: "state", breaking: true, path: "draft", threads: 1 },
      { graph: "idle", kind: "state", breaking: false, path: "draft", threads: 0 },
    ]);
  },
  testMs,
);
