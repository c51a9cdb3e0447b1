// Questions to agents on the emulator's page.
import { expect, test } from "@jest/globals";
import { call, create, createRequest } from "../support/client.ts";
import { useEmulator } from "../support/emulator.ts";
import { openPage, textOf, textsOf } from "../support/page.ts";

const emulator = await useEmulator({ statusSeconds: 0, agentKey: "agent-canary" });
const page = await openPage(emulator);

/** Asks the agent of a deployment; returns the page with the answer. */
async function ask(id: string, form: { graph?: string; path?: string; input?: string }): Promise<string> {
  const place = await page.submit(`/page/deployments/${id}/ask`, { graph: "", path: "", input: "", ...form });
  expect(place).toBe(`/page/deployments/${id}#ask`);
  return (await page.get(`/page/deployments/${id}`)).html;
}

test("a graph is asked with the input, its answer stands beside it with the time, and the form keeps both", async () => {
  const { id } = await create(emulator);
  const input = '{ "messages": [{ "role": "user", "content": "<b>Hello</b>" }] }';

  const html = await ask(id, { graph: "agent", input });

  expect(textsOf(html, "summary")[0]).toMatch(/^agent 200 after \d+ (ms|s)$/);
  expect(textsOf(html, "pre")[1]).toContain('"content": "You said: <b>Hello</b>"');
  expect(html).not.toContain("<b>Hello");
  expect(textsOf(html, "textarea")).toEqual([input]);
  expect(textsOf(html, "label")).toEqual(["Graph", "or path", "Input as JSON"]);
  expect(html).not.toContain("canary");
});

test("a path is asked with GET, or with the input with POST", async () => {
  const { id } = await create(emulator);

  expect(textsOf(await ask(id, { path: "/ok" }), "summary")[0]).toMatch(/^\/ok 200 after/);
  const html = await ask(id, { path: "/assistants/search", input: '{ "limit": 1 }' });
  expect(textsOf(html, "pre")[1]).toContain('"graph_id": "agent"');
  expect(textsOf(html, "summary").slice(0, 2)).toEqual([
    expect.stringMatching(/^\/assistants\/search 200 after/),
    expect.stringMatching(/^\/ok 200 after/),
  ]);
  expect(emulator.requests.slice(-2).map(({ method }) => method)).toEqual(["GET", "POST"]);
});

test("a refusal, an input that is not JSON, and a path of another host are shown as what they are", async () => {
  const { id } = await create(emulator);

  expect(textsOf(await ask(id, { graph: "nobody" }), "summary")[0]).toMatch(/^nobody 404 after/);
  const broken = await ask(id, { graph: "agent", input: "{ broken" });
  expect(textsOf(broken, "summary")[0]).toMatch(/^agent No response after/);
  expect(textsOf(broken, "pre")[1]).toMatch(/^The input is not JSON: /);
  expect(textsOf(broken, "textarea")).toEqual(["{ broken"]);
  const before = emulator.requests.length;
  const elsewhere = await ask(id, { path: "@attacker.example/" });
  expect(textOf(elsewhere)).toContain("The path has to start with a slash.");
  expect(emulator.requests).toHaveLength(before);
});

test("the last ten questions are kept, and those of other deployments stand elsewhere", async () => {
  const { id } = await create(emulator);
  const other = await create(emulator);
  for (let number = 1; number <= 12; number += 1) await ask(id, { path: `/number-${number}` });

  const html = (await page.get(`/page/deployments/${id}`)).html;

  const asked = textsOf(html, "summary").flatMap((text) => /^\/number-(\d+)/.exec(text)?.[1] ?? []);
  expect(asked).toEqual(["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"]);
  expect((await page.get(`/page/deployments/${other.id}`)).html).not.toContain("/number-");
});

test("an answer without end is cut, and a redirect is not followed", async () => {
  const { id } = await create(emulator);
  emulator.addFault({ kind: "huge", match: { path: "/runs/wait$" }, bytes: 50_000_000_000 });
  emulator.addFault({
    kind: "answer",
    match: { path: "/moved$" },
    status: 307,
    headers: { location: "/ok" },
  });

  const huge = await ask(id, { graph: "agent" });
  const moved = await ask(id, { path: "/moved" });

  expect(huge.length).toBeLessThan(200_000);
  expect(textsOf(moved, "summary")[0]).toMatch(/^\/moved 307 after/);
});

test("without a live revision there is no form, and what was asked meanwhile says so", async () => {
  const pending = createRequest({ source_revision_config: { repo_ref: "never" } });
  emulator.addFault({ kind: "statuses", repo_ref: "never", sequence: [{ status: "BUILDING" }] });
  const { id } = await create(emulator, pending);

  const { html } = await page.get(`/page/deployments/${id}`);
  expect(textOf(html)).toContain("No revision is live yet.");
  expect(html).not.toContain("<textarea");
  await page.submit(`/page/deployments/${id}/ask`, { graph: "agent", path: "", input: "" });
  await call(emulator, `PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "main" } });
  expect(textOf((await page.get(`/page/deployments/${id}`)).html)).toContain("No revision is live.");
});
