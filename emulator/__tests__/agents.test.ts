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

const emulator = await useEmulator({
  platform: "langsmith",
  unhealthyRefs: ["sick"],
  failRefs: { broken: "DEPLOY_FAILED" },
});
const standard = await useEmulator({ agentKey: "agent-key", statusSeconds: 0 });

async function request(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${emulator.url}/live/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** A live deployment, and the revision that was live before. */
let live: { name: string; id: string; first: string; second: string };

beforeAll(async () => {
  const { name, ...others } = createRequest();
  const { id, latest: first } = await create(emulator, { name, ...others });
  emulator.pass(6);
  const second = await deployRef(emulator, id, "next");
  emulator.pass(6);
  live = { name, id, first, second };
});

const hello = { messages: [{ role: "user", content: "hello" }] };
const run = (input: unknown, others = {}) => ({ assistant_id: "agent", input, ...others });

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

test("a revision of an unhealthy ref responds with 503 until an earlier one is redeployed", async () => {
  const deployment = createRequest();
  const { id, latest: first } = await create(emulator, deployment);
  emulator.pass(6);
  const sick = await deployRef(emulator, id, "sick");
  expect((await request(`${deployment.name}/ok`)).status).toBe(200);

  emulator.pass(6);
  const { body } = await call(emulator, `GET /v2/deployments/${id}`);
  expect(body).toMatchObject({ active_revision_id: sick });
  expect((await request(`${deployment.name}/ok`)).status).toBe(503);

  await call(emulator, `POST /v2/deployments/${id}/revisions/${first}/redeploy`);
  emulator.pass(4);
  expect((await request(`${deployment.name}/ok`)).status).toBe(200);
});

test("/info shows the revision of the control plane that responds", async () => {
  const { name, id, second } = live;

  const { body } = await request(`${name}/info`);

  const host = { project_id: id, host_revision_id: second, tenant_id: emulator.workspaceId };
  expect(body).toMatchObject({ version: expect.any(String), flags: { assistants: true }, host });
  expect(body.host.revision_id).not.toBe(second);
});

test("with the fault old_revision the revision before responds, as often as the rule says", async () => {
  const { name, first, second } = live;
  emulator.addFault({ kind: "old_revision", match: { path: "/info$", times: 2 } });
  const shown = async () => (await request(`${name}/info`)).body.host.host_revision_id;

  expect([await shown(), await shown(), await shown()]).toEqual([first, first, second]);
});

test("the assistant of the graph is found by its graph", async () => {
  const { name } = live;
  const search = async (body: object) => (await request(`${name}/assistants/search`, body)).body;

  expect(await search({})).toMatchObject([{ graph_id: "agent", metadata: { created_by: "system" } }]);
  expect(await search({ graph_id: "agent" })).toHaveLength(1);
  expect(await search({ graph_id: "other" })).toEqual([]);
  expect(await search({ offset: 1 })).toEqual([]);
});

test("a run ends with the final state, for the id of the graph and of its assistant", async () => {
  const { name } = live;
  const [{ assistant_id }] = (await request(`${name}/assistants/search`, {})).body;
  const answer = { type: "ai", content: "You said: hello" };

  for (const id of ["agent", assistant_id]) {
    const { status, body } = await request(`${name}/runs/wait`, run(hello, { assistant_id: id }));
    expect({ status, body }).toEqual({ status: 200, body: { messages: [...hello.messages, answer] } });
  }
  const kept = await request(`${name}/runs/wait`, run({ a: 1 }, { on_completion: "keep" }));
  expect(kept.body).toEqual({ a: 1, messages: [{ type: "ai", content: "You said: nothing" }] });
});

test.each<[string, object, number]>([
  ["another graph", run(hello, { assistant_id: "other" }), 404],
  ["no graph", { input: hello }, 422],
  ["an unknown on_completion", run(hello, { on_completion: "later" }), 422],
])("a run of %s is refused", async (_what, body, status) => {
  expect((await request(`${live.name}/runs/wait`, body)).status).toBe(status);
});

test("in the standard dialect /info does not show the revision", async () => {
  const { name } = standardRequest();
  await createStandard(standard, standardRequest({ name }));

  const headers = { "X-Api-Key": "agent-key" };
  const text = await (await fetch(`${standard.url}/live/${name}/info`, { headers })).text();

  expect(text).toContain("version");
  expect(text).not.toContain("host");
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

test("the fault delay sends the real response, and whitespace begins one that never ends", async () => {
  const { name } = live;
  emulator.addFault({ kind: "delay", match: { path: "/ok$" }, milliseconds: 1 });
  emulator.addFault({ kind: "whitespace", match: { path: "/info$" }, milliseconds: 1 });

  expect((await request(`${name}/ok`)).status).toBe(200);
  const response = await fetch(`${emulator.url}/live/${name}/info`);
  const reader = response.body?.getReader();
  const chunks = [await reader?.read(), await reader?.read()];
  await reader?.cancel();
  for (const chunk of chunks) expect(chunk?.done).toBe(false);
  expect(Buffer.from(chunks[0]?.value ?? []).toString()).toMatch(/^\n+$/);
});

test("a rule sets the graphs of a ref, with their schemas and nodes", async () => {
  const { name, ...others } = createRequest();
  await create(emulator, { name, ...others });
  emulator.pass(6);
  const remove = emulator.addFault({
    kind: "graphs",
    graphs: { one: { nodes: ["write", "approve:ask"], input: { type: "object" } }, two: {} },
  });

  const { body: assistants } = await request(`${name}/assistants/search`, {});
  const [{ assistant_id: id }] = assistants;
  const schemas = await request(`${name}/assistants/${id}/schemas`);
  const graph = await request(`${name}/assistants/${id}/graph`);
  const xray = await request(`${name}/assistants/${id}/graph?xray=true`);
  remove();

  expect(assistants.map((one: { graph_id: string }) => one.graph_id)).toEqual(["one", "two"]);
  expect(schemas.body).toEqual({ graph_id: "one", input_schema: { type: "object" } });
  const ids = ({ body }: typeof graph) => body.nodes.map((node: { id: string }) => node.id);
  expect(ids(graph)).toEqual(["__start__", "write", "approve", "__end__"]);
  expect(ids(xray)).toEqual(["__start__", "write", "approve:ask", "__end__"]);
  expect((await request(`${name}/assistants/${id}/schemas`)).status).toBe(404);
});

test("a rule sets the threads of a deployment, which can be searched, counted and read", async () => {
  const threads = [
    { thread_id: "1", next: ["approve", "approve:ask"] },
    { thread_id: "2", status: "idle" as const, next: [] },
  ];
  const remove = emulator.addFault({ kind: "threads", deployment: live.name, threads });

  const interrupted = { status: "interrupted", limit: 10 };
  const found = await request(`${live.name}/threads/search`, interrupted);
  const count = await request(`${live.name}/threads/count`, interrupted);
  const state = await request(`${live.name}/threads/1/state?subgraphs=true`);
  remove();

  expect(found.body).toEqual([{ thread_id: "1", status: "interrupted", metadata: { graph_id: "agent" } }]);
  expect(count.body).toBe(1);
  expect(state.body).toMatchObject({
    next: ["approve"],
    tasks: [{ name: "approve", state: { next: ["ask"] } }],
    metadata: { graph_id: "agent" },
  });
  expect((await request(`${live.name}/threads/1/state`)).status).toBe(404);
});
