// The vendor's own server for local use, deployed on the emulator: the LangGraph agent in examples/.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { endOf, readDeployment, until } from "../../emulator/__tests__/run/support/running.ts";
import { call } from "../../emulator/__tests__/support/client.ts";
import { useEmulator } from "../../emulator/__tests__/support/emulator.ts";
import { create, createRequest } from "../../emulator/__tests__/support/langsmith.ts";
import { askInChat } from "../../scripts/demo/agent-client.ts";
import { AgentRepository } from "../../scripts/demo/agent-repository.ts";
import { processesWith } from "./support/processes.ts";

/** npm installs the vendor's server. */
const installMs = 300_000;

const emulator = await useEmulator({
  platform: "langsmith",
  now: Date.now,
  run: { probeMs: 2000, restartMs: 10 },
});

let folder = "";
let id = "";
let revisionId = "";
let url = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vendor-run-"));
  const repository = await AgentRepository.create("langgraph", join(folder, "agent"));
  const source_config = { repo_url: repository.url };
  const created = await create(emulator, createRequest({ source_config }));
  id = created.id;
  revisionId = created.latest;
  const status = await endOf(emulator, id, revisionId);
  if (status !== "DEPLOYED") throw new Error(`The example ended as ${status}`);
  url = (await readDeployment(emulator, id)).url ?? "";
}, installMs);

afterAll(() => rm(folder, { recursive: true, force: true }));

function processes() {
  return processesWith(`LANGSMITH_HOST_REVISION_ID=${revisionId}`);
}

/** The process that starts the server when files change, and the server, which is its child. */
function watcherAndServer() {
  const all = processes();
  const watcher = all.find(({ command }) => / watch /.test(command));
  const server = all.find(({ parent }) => parent === watcher?.pid);
  if (watcher === undefined || server === undefined) {
    throw new Error(`Not the processes that were expected: ${all.map(({ command }) => command).join("; ")}`);
  }
  return { watcher, server };
}

const ask = () => askInChat(url, "What is the capital of Kenya?");

test("a graph runs behind the deployment's URL", async () => {
  expect(await ask()).toBe("Nairobi");
});

test("a server that was killed is started again, although the process that watches it lives", async () => {
  const { watcher, server } = watcherAndServer();
  const isRunning = (pid: number) => processes().some((one) => one.pid === pid);

  process.kill(server.pid, "SIGKILL");
  await until(
    () => isRunning(server.pid),
    (value) => !value,
  );
  const answers = await ask().catch(String);
  const hasWatcher = isRunning(watcher.pid);
  await until(() => ask().then(Boolean, () => false), Boolean);

  expect({ answers, hasWatcher }).toEqual({ answers: expect.stringContaining("502"), hasWatcher: true });
  expect(isRunning(watcher.pid)).toBe(false);
}, 60_000);

test("no process of the server is left once its deployment was deleted", async () => {
  expect(processes().length).toBeGreaterThan(1);

  await call(emulator, `DELETE /v2/deployments/${id}`);

  await until(
    () => processes(),
    ({ length }) => length === 0,
  );
}, 30_000);
