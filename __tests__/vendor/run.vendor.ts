// The vendor's own server for local use, deployed on the emulator: the LangGraph agent in examples/.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { deploy, endOf, readDeployment, until } from "../../emulator/__tests__/run/support/running.ts";
import { call } from "../../emulator/__tests__/support/client.ts";
import { useEmulator } from "../../emulator/__tests__/support/emulator.ts";
import { create, createRequest, readRevision } from "../../emulator/__tests__/support/langsmith.ts";
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
let repository: AgentRepository;
let id = "";
let revisionId = "";
let url = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vendor-run-"));
  repository = await AgentRepository.create("langgraph", join(folder, "agent"));
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

/** The id of the server's process, which programs of the vendor have started. */
function serverProcess(): number {
  const all = processes().filter(({ command }) => command.includes("entrypoint"));
  const server = all.find(({ parent }) => all.some(({ pid }) => pid === parent));
  if (server === undefined) {
    throw new Error(`Not the processes that were expected: ${all.map(({ command }) => command).join("; ")}`);
  }
  return server.pid;
}

const ask = () => askInChat(url, "What is the capital of Kenya?");

test("a graph runs behind the deployment's URL", async () => {
  expect(await ask()).toBe("Nairobi");
});

test("a server that was killed is started again", async () => {
  const killed = serverProcess();

  process.kill(killed, "SIGKILL");
  await until(
    () => processes().some(({ pid }) => pid === killed),
    (value) => !value,
  );
  await until(() => ask().then(Boolean, () => false), Boolean);

  expect(serverProcess()).not.toBe(killed);
}, 60_000);

test("a graph that does not load fails its revision with the reason, long before the agent would have to be ready", async () => {
  const broken = 'throw new Error("MODEL_API_KEY is not set");\nexport const graph';
  await repository.edit("agent.js", { "export const graph": broken }, "Break the graph");

  const revision = await deploy(emulator, id);
  await endOf(emulator, id, revision);

  expect(await readRevision(emulator, id, revision)).toMatchObject({
    status: "DEPLOY_FAILED",
    status_message: expect.stringMatching(/^The agent ended with code .* MODEL_API_KEY is not set/),
  });
  expect(await ask()).toBe("Nairobi");
}, 60_000);

test("no process of the server is left once its deployment was deleted", async () => {
  expect(processes().length).toBeGreaterThan(1);

  await call(emulator, `DELETE /v2/deployments/${id}`);

  await until(
    () => processes(),
    ({ length }) => length === 0,
  );
}, 30_000);
