// The vendor's own server for local use as both sides of a comparison: versions of a graph in which a thread waits.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { freePort } from "../support/listen.ts";
import { type Replacements, replaceIn, testComparison } from "./support/compare-versions.ts";

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

/** Starts the vendor's server with the graphs changed by these replacements, and returns its URL. */
async function serve(replacements: Replacements): Promise<string> {
  const own = join(folder, `version-${servers.length}`);
  await mkdir(own);
  await cp(join(folder, "package.json"), join(own, "package.json"));
  await symlink(join(folder, "node_modules"), join(own, "node_modules"));
  await writeFile(join(own, "agent.js"), replaceIn(graphs, replacements));
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

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vendor-compare-"));
  const filter = (path: string) => basename(path) !== "node_modules";
  await cp(join(root, "examples/langgraph"), folder, { recursive: true, filter });
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
}, 300_000);

afterAll(async () => {
  for (const { pid } of servers) if (pid !== undefined) process.kill(-pid, "SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

testComparison({
  serve,
  renamedNode: { '"approve"': '"review"' },
  newNode: {
    '.addNode("approve", wait)': '.addNode("approve", wait).addNode("more", wait)',
    '.addEdge("approve", END)': '.addEdge("approve", "more").addEdge("more", END)',
  },
  // Of the properties at the input's root, this server shows none as required.
  requiredInput: {
    "const Input = z.object({ question: z.string(), options });":
      "const Input = z.object({ question: z.string(), options: z.object({ tone: z.string(), size: z.string() }).optional() });",
  },
  requiredPath: "options.size",
  renamedKey: { "draft:": "text:" },
});
