/** What it costs to really run what is deployed: from a push to the live agent, and through the emulator's proxy. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type DeploymentSnapshot, type Emulator, startEmulator } from "../emulator/index.ts";
import { freePort } from "../emulator/runner/ports.ts";
import { ReverseProxy } from "../emulator/runner/reverse-proxy.ts";
import { root } from "../scripts/support/run.ts";
import { markdownTable, median } from "./support/table.ts";

const EXAMPLE = join(root, "examples/agent");
const PUSHES = 5;
const REQUESTS = 2000;
const CLIENTS = 20;

/** Two tables: what the time from a push to the live agent consists of, and what the proxy adds. */
export async function measureRunner(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    return `${await measurePush(folder)}\n\n${await measureProxy(join(folder, "repository"))}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): number {
  const began = performance.now();
  execFileSync(command, args, { cwd, stdio: "ignore" });
  return performance.now() - began;
}

function commitExample(repository: string): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@agents.example"];
  cpSync(EXAMPLE, repository, { recursive: true });
  run("git", ["init", "--quiet", "--initial-branch=main"], repository);
  run("git", ["add", "--all"], repository);
  run("git", [...identity, "commit", "--quiet", "--message", "Example"], repository);
}

/** The medians of several pushes, beside the same commands by hand, each in turn. */
async function measurePush(folder: string): Promise<string> {
  const repository = join(folder, "repository");
  commitExample(repository);
  const emulator = await startEmulator({ run: { workDir: join(folder, "work") } });
  try {
    const [live, byHand]: [number[], number[]] = [[], []];
    for (let push = 0; push < PUSHES; push += 1) {
      live.push(await timeToLive(emulator, repository, push));
      byHand.push(await timeByHand(folder, repository, push));
    }
    const [total, commands] = [median(live), median(byHand)];
    const row = (name: string, milliseconds: number) => [
      name,
      milliseconds.toFixed(0),
      `${Math.round((100 * milliseconds) / total)} %`,
    ];
    return markdownTable(
      ["from a push of examples/agent until it is live", "median, ms", "share"],
      [
        row("all of it", total),
        row("git, npm and the agent's own start, by hand", commands),
        row("the emulator's share", total - commands),
      ],
    );
  } finally {
    await emulator.close();
  }
}

async function timeToLive(emulator: Emulator, repository: string, push: number): Promise<number> {
  const began = performance.now();
  const path = push === 0 ? "" : `/${emulator.deployments()[0]?.id}`;
  const revision = { repo_ref: "main", app_config_path: "langgraph.json" };
  const body = push === 0 ? createRequest(repository, revision) : { source_revision_config: revision };
  const response = await fetch(`${emulator.url}/v2/deployments${path}`, {
    method: push === 0 ? "POST" : "PATCH",
    headers: {
      "Content-Type": "application/json",
      "X-Api-Key": emulator.apiKey,
      "X-Tenant-Id": emulator.workspaceId,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The emulator responded ${response.status}`);
  while (!isLive(emulator.deployments()[0])) await setTimeout(5);
  return performance.now() - began;
}

function isLive(deployment: DeploymentSnapshot | undefined): boolean {
  const latest = deployment?.revisions[0];
  if (latest?.status.includes("FAILED")) throw new Error(`The example ended as ${latest.status}`);
  return latest?.status === "DEPLOYED";
}

function createRequest(repository: string, revision: object) {
  return {
    name: "bench",
    source: "github",
    source_config: {
      integration_id: "integration",
      repo_url: repository,
      deployment_type: "dev",
      build_on_push: false,
      custom_url: null,
      resource_spec: null,
    },
    source_revision_config: { ...revision, image_uri: null },
    secrets: [],
  };
}

/** The same commands without the emulator. */
async function timeByHand(folder: string, repository: string, push: number): Promise<number> {
  const checkout = join(folder, `checkout-${push}`);
  const commands = run("git", ["clone", "--quiet", "--depth=1", `file://${repository}`, checkout], folder);
  const build = run("npm", ["install"], checkout);
  const started = await startExample(checkout);
  started.stop();
  return commands + build + started.milliseconds;
}

/** Starts the example as a deployment would, and waits until it responds. */
async function startExample(folder: string) {
  const port = await freePort();
  const began = performance.now();
  const env = { ...process.env, PORT: String(port), HOST: "127.0.0.1" };
  const child = spawn("npm", ["start"], { cwd: folder, env, stdio: "ignore", detached: true });
  while (!(await responds(port))) await setTimeout(5);
  const milliseconds = performance.now() - began;
  return { port, milliseconds, stop: () => void process.kill(-(child.pid ?? 0), "SIGTERM") };
}

async function responds(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/ok`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function measureProxy(folder: string): Promise<string> {
  const agent = await startExample(folder);
  const proxy = await ReverseProxy.open(0);
  try {
    await proxy.switchTo(agent.port);
    const rows = [];
    for (const [name, port] of [
      ["asked directly", agent.port],
      ["through the proxy", proxy.port],
    ] as const) {
      await sendRequests(port, 1, REQUESTS / 10);
      const alone = await sendRequests(port, 1, REQUESTS / 2);
      const together = await sendRequests(port, CLIENTS, REQUESTS);
      rows.push([name, median(alone.latencies).toFixed(2), (REQUESTS / together.seconds).toFixed(0)]);
    }
    return markdownTable(
      ["GET /ok", "median of one client, ms", `requests a second, ${CLIENTS} clients`],
      rows,
    );
  } finally {
    await proxy.close();
    agent.stop();
  }
}

/** So many requests, by clients that each keep one connection. */
async function sendRequests(port: number, clients: number, requests: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  const began = performance.now();
  const send = async () => {
    for (let sent = 0; sent < requests / clients; sent += 1) latencies.push(await timeRequest(port, agent));
  };
  await Promise.all(Array.from({ length: clients }, send));
  agent.destroy();
  return { latencies, seconds: (performance.now() - began) / 1000 };
}

async function timeRequest(port: number, agent: Agent): Promise<number> {
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path: "/ok", agent }, (response) => {
      response.resume().once("end", resolve);
    });
    request.once("error", reject);
  });
  return performance.now() - began;
}
