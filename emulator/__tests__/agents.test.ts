// The responses of the simulated agents.
import { beforeAll, expect, test } from "@jest/globals";
import {
  call,
  create as createStandard,
  deployRef,
  createRequest as standardRequest,
} from "./support/client.ts";
import { useEmulator } from "./support/emulator.ts";
import { create, createRequest } from "./support/langsmith.ts";

const emulator = await useEmulator({ platform: "langsmith" });
const standard = await useEmulator({ agentKey: "agent-key", statusSeconds: 0 });

async function request(path: string, body?: unknown) {
  const response = await fetch(`${emulator.url}/live/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** A live deployment with two revisions. */
let live: { name: string; id: string; second: string };

beforeAll(async () => {
  const { name, ...others } = createRequest();
  const { id } = await create(emulator, { name, ...others });
  emulator.pass(6);
  const second = await deployRef(emulator, id, "next");
  emulator.pass(6);
  live = { name, id, second };
});

test("a deployment responds without credentials once a revision is live", async () => {
  const { name, ...others } = createRequest();
  expect((await request(`${name}/ok`)).status).toBe(404);
  await create(emulator, { name, ...others });
  expect((await request(`${name}/ok`)).status).toBe(503);

  emulator.pass(6);

  expect(await request(`${name}/ok`)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await request(`${name}/other`)).status).toBe(404);
});

test("a name with a slash is one segment of its deployment's URL", async () => {
  const { id } = await createStandard(standard, standardRequest({ name: "a/b c" }));

  const { body } = await call(standard, `GET /v2/deployments/${id}`);

  expect(body).toMatchObject({ url: `${standard.url}/live/a%2Fb%20c` });
  expect((await fetch(`${standard.url}/live/a%2Fb%20c/ok`)).status).toBe(200);
});

test("/info shows the revision of the control plane that responds, but not in the standard dialect", async () => {
  const { name, id, second } = live;
  const other = standardRequest();
  await createStandard(standard, other);

  const { body } = await request(`${name}/info`);
  const headers = { "X-Api-Key": "agent-key" };
  const shown = await (await fetch(`${standard.url}/live/${other.name}/info`, { headers })).text();

  const host = { project_id: id, host_revision_id: second, tenant_id: emulator.workspaceId };
  expect(body).toMatchObject({ version: expect.any(String), flags: { assistants: true }, host });
  expect(body.host.revision_id).not.toBe(second);
  expect(shown).toContain("version");
  expect(shown).not.toContain("host");
});

test("an agent with a key wants it for everything but /ok", async () => {
  const { name, ...others } = standardRequest();
  await createStandard(standard, { ...others, name });
  const status = async (path: string, headers = {}) =>
    (await fetch(`${standard.url}/live/${name}${path}`, { headers })).status;

  expect(await status("/ok")).toBe(200);
  expect(await status("/info")).toBe(403);
  expect(await status("/info", { "X-Api-Key": "wrong" })).toBe(401);
  expect(await status("/info", { "X-Api-Key": "agent-key" })).toBe(200);
});

test("the assistant of the graph is found by its graph, and a run by the id of either", async () => {
  const { name } = live;
  const search = async (body: object) => (await request(`${name}/assistants/search`, body)).body;
  const run = (body: object) => request(`${name}/runs/wait`, { input: { a: 1 }, ...body });
  const [{ assistant_id }] = await search({ graph_id: "agent" });

  expect(await search({})).toMatchObject([{ graph_id: "agent", metadata: { created_by: "system" } }]);
  expect([await search({ graph_id: "other" }), await search({ offset: 1 })]).toEqual([[], []]);
  const body = { a: 1, messages: [{ type: "ai", content: "You said: nothing" }] };
  for (const id of ["agent", assistant_id]) {
    expect(await run({ assistant_id: id, on_completion: "keep" })).toMatchObject({ status: 200, body });
  }
  expect((await run({ assistant_id: "other" })).status).toBe(404);
  expect((await run({})).status).toBe(422);
  expect((await run({ assistant_id: "agent", on_completion: "later" })).status).toBe(422);
});

test("the graph of an assistant shows its subgraphs if they are asked for, and nothing else has a graph", async () => {
  const nodes = ["write", "approve:ask"];
  emulator.addFault({ kind: "graphs", deployment: live.name, graphs: { one: { nodes } } });
  const [{ assistant_id }] = (await request(`${live.name}/assistants/search`, {})).body;
  const nodesOf = async (query: string) => {
    const { body } = await request(`${live.name}/assistants/${assistant_id}/graph${query}`);
    return body.nodes.map((node: { id: string }) => node.id);
  };

  expect(await nodesOf("")).toEqual(["__start__", "write", "approve", "__end__"]);
  expect(await nodesOf("?xray=true")).toEqual(["__start__", "write", "approve:ask", "__end__"]);
  for (const path of ["assistants/agent/schemas", "threads/1/state"]) {
    expect((await request(`${live.name}/${path}`)).status).toBe(404);
  }
});

test("threads are counted", async () => {
  const threads = [
    { thread_id: "1", next: ["approve"] },
    { thread_id: "2", status: "idle" as const, next: [] },
  ];
  emulator.addFault({ kind: "threads", deployment: live.name, threads });

  expect((await request(`${live.name}/threads/count`, { status: "interrupted" })).body).toBe(1);
});
