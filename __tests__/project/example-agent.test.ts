import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";

let agent: ChildProcessByStdio<null, Readable, Readable>;
let url = "";

beforeAll(async () => {
  const env = { PORT: "0", GREETING: "Hello", LANGSMITH_HOST_REVISION_ID: "revision-1" };
  const started = spawn(process.execPath, ["server.js"], {
    cwd: join(root, "examples/agent"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  agent = started;
  const [line] = await once(createInterface(started.stdout), "line");
  url = /http:\S+/.exec(String(line))?.[0] ?? "";
});

afterAll(async () => {
  const exited = once(agent, "exit");
  agent.kill();
  await exited;
});

async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, body && { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

test("the example's agent is healthy, and says its version and its revision", async () => {
  const healthy = [await ask("/ok"), await ask("/health")].map(({ status }) => status);
  const info = JSON.parse((await ask("/info")).text);

  expect(healthy).toEqual([200, 200]);
  expect(info).toEqual({ version: "1", host: { host_revision_id: "revision-1" } });
});

test("a run of the example's agent greets by the secret and says the version", async () => {
  const { text } = await ask("/runs/wait", { assistant_id: "agent", input: { question: "Who are you?" } });

  expect(JSON.parse(text)).toEqual({ question: "Who are you?", answer: "Hello! I am version 1." });
});

test("a run of the example's agent is streamed as server-sent events", async () => {
  const { text } = await ask("/runs/stream", { assistant_id: "agent", input: { question: "Who are you?" } });

  expect(text).toMatch(/^event: metadata\ndata: .*\n\nevent: values\n/);
  expect(text.trimEnd().split("\n").at(-1)).toContain("Hello! I am version 1.");
});

test("the example's agent does not serve other paths", async () => {
  expect((await ask("/other")).status).toBe(404);
});

test("a run of the example's agent that fails says so in its state and in the log", async () => {
  const logged = once(createInterface(agent.stderr), "line");

  const { text } = await ask("/runs/wait", { assistant_id: "agent" });

  expect(text).toContain("__error__");
  expect(await logged).toEqual([expect.stringMatching(/^The run failed: /)]);
});
