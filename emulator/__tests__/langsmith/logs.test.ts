// The logs of revisions, on both wires.
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { call, deploymentIn, violations } from "../support/client.ts";
import { useEmulator } from "../support/emulator.ts";
import { create, imageRequest, onRef, UNKNOWN_ID } from "../support/langsmith.ts";

const SHA = "a".repeat(40);
const emulator = await useEmulator({
  platform: "langsmith",
  commits: { main: SHA },
  failRefs: { unbuildable: "BUILD_FAILED", undeployable: "DEPLOY_FAILED", void: "CREATE_FAILED" },
});

const LineSchema = v.strictObject({
  id: v.string(),
  timestamp: v.number(),
  level: v.string(),
  message: v.string(),
});
const PageSchema = v.strictObject({ logs: v.array(v.unknown()), next_offset: v.nullable(v.string()) });
type Ids = Awaited<ReturnType<typeof create>>;

async function readPage({ id, latest }: Ids, query: string) {
  const { body } = await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}/logs?${query}`);
  return v.parse(PageSchema, body);
}

async function readLines(ids: Ids, query: string) {
  return v.parse(v.array(LineSchema), (await readPage(ids, query)).logs);
}

test("the logs of a revision grow with its statuses, each line with its time", async () => {
  const buildStart = Date.parse(emulator.time()) + 3000;
  const ids = await create(emulator);
  const lengths = [];
  for (let second = 0; second <= 6; second += 1) {
    const [build, deploy] = [await readLines(ids, "type=build"), await readLines(ids, "type=deploy")];
    lengths.push([build.length, deploy.length]);
    emulator.pass(1);
  }

  const lines = [...(await readLines(ids, "type=build")), ...(await readLines(ids, "type=deploy"))];
  const timestamps = lines.map(({ timestamp }) => timestamp);
  const entryIds = new Set(lines.map(({ id }) => id));

  expect(lengths.map(String)).toEqual(["0,0", "0,0", "0,0", "5,0", "6,0", "6,3", "6,4"]);
  expect(lines[0]).toMatchObject({
    timestamp: buildStart,
    level: "INFO",
    message: `Checking out main at ${SHA}`,
  });
  expect(entryIds.size).toBe(lines.length);
  expect(timestamps).toEqual(timestamps.toSorted());
});

test("an image has no build log, and a failed creation neither log", async () => {
  const image = await create(emulator, imageRequest());
  const failed = await create(emulator, onRef("void"));
  emulator.pass(60);

  expect(await readLines(image, "type=build")).toEqual([]);
  expect((await readLines(image, "type=deploy"))[0]?.message).toContain("registry.example/agent:1");
  for (const type of ["build", "deploy"]) expect(await readLines(failed, `type=${type}`)).toEqual([]);
});

test("the cursor leads through all pages in both orders", async () => {
  const messages = Array.from({ length: 250 }, (_, number) => `line ${number}`);
  emulator.addFault({ kind: "logs", type: "build", lines: messages });
  const ids = await create(emulator);
  emulator.pass(60);
  const readAll = async (query: string) => {
    const pages: string[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { logs, next_offset } = await readPage(ids, `${query}${cursor && `&offset=${cursor}`}`);
      pages.push(v.parse(v.array(LineSchema), logs).map(({ message }) => message));
      cursor = next_offset;
    }
    return pages;
  };

  const forwards = await readAll("type=build");
  const backwards = await readAll("type=build&order=desc&limit=125");

  expect(forwards.map(({ length }) => length)).toEqual([50, 50, 50, 50, 50]);
  expect(forwards.flat()).toEqual(messages);
  expect(backwards.map(({ length }) => length)).toEqual([125, 125]);
  expect(backwards.flat()).toEqual(messages.toReversed());
  expect(await readAll("type=build&limit=1000")).toEqual([messages]);
  expect(await readAll("type=deploy&query=nothing")).toEqual([[]]);
});

test("the lines of a fault rule are sent unchanged, in any shape, for one ref or for all", async () => {
  const odd = [7, null, ["a"], { text: "no message" }, { timestamp: 1, level: "WARN", message: "odd" }];
  emulator.addFault({ kind: "logs", type: "deploy", repo_ref: "odd", lines: odd });
  emulator.addFault({ kind: "logs", type: "deploy", lines: ["plain"] });
  const one = await create(emulator, onRef("odd"));
  const other = await create(emulator);

  expect((await readPage(one, "type=deploy")).logs).toEqual(odd);
  expect((await readPage(one, "type=deploy&level=warn")).logs).toEqual([odd[4]]);
  expect((await readPage(other, "type=deploy")).logs).toEqual([
    expect.objectContaining({ timestamp: Date.parse(emulator.time()), level: "INFO", message: "plain" }),
  ]);
});

test("while a revision is in progress, the cursor leads to the entries that come later", async () => {
  const ids = await create(emulator);
  const before = await readPage(ids, "type=build");
  emulator.pass(3);
  const building = await readPage(ids, `type=build&offset=${before.next_offset}`);
  const waiting = await readPage(ids, `type=build&offset=${building.next_offset}`);
  emulator.pass(60);
  const after = await readPage(ids, `type=build&offset=${waiting.next_offset}`);

  const lengths = [before, building, waiting, after].map(({ logs }) => logs.length);
  expect(lengths).toEqual([0, 5, 0, 1]);
  expect(after.next_offset).toBeNull();
  expect((await readPage(ids, "type=build&order=desc")).next_offset).toBeNull();
});

test("a new entry at the end doesn't move the cursor of the order desc", async () => {
  const ids = await create(emulator);
  emulator.pass(3);
  const newest = await readPage(ids, "type=build&order=desc&limit=2");
  emulator.pass(60);

  const older = await readPage(ids, `type=build&order=desc&offset=${newest.next_offset}`);

  const messages = [...newest.logs, ...older.logs].map((entry) => v.parse(LineSchema, entry).message);
  expect(messages).toHaveLength(5);
  expect(messages.at(-1)).toContain("Checking out");
});

test("entries are found by level, text and time", async () => {
  const ids = await create(emulator, onRef("unbuildable"));
  emulator.pass(60);
  const [first, ...others] = await readLines(ids, "type=build");
  const last = others.at(-1);
  const timeOf = (line: typeof first) => new Date(line?.timestamp ?? 0).toISOString();

  expect(await readLines(ids, "type=build&level=error")).toEqual([last]);
  expect(await readLines(ids, "type=build&query=CHECKING")).toEqual([first]);
  expect(await readLines(ids, `type=build&start_time=${timeOf(last)}`)).toEqual([last]);
  expect(await readLines(ids, `type=build&end_time=${timeOf(first)}&limit=1`)).toEqual([first]);
  expect(await readLines(ids, "type=build&query=nothing")).toEqual([]);
});

test("the older endpoints serve the same logs", async () => {
  const ids = await create(emulator);
  emulator.pass(60);
  const path = `/v1/projects/${ids.id}`;

  for (const type of ["build", "deploy"]) {
    const body = { order: "desc", limit: 2, level: null };
    const page = await call(emulator, `POST ${path}/revisions/${ids.latest}/${type}_logs`, body);
    expect(page).toMatchObject({ status: 200, body: await readPage(ids, `type=${type}&order=desc&limit=2`) });
  }
  const all = await call(emulator, `POST ${path}/revisions/${ids.latest}/build_logs`, {});
  expect(all.body).toEqual(await readPage(ids, "type=build"));
});

test("the deploy log of a deployment has the entries of all revisions, in order", async () => {
  const ids = await create(emulator, imageRequest());
  emulator.pass(60);
  const image = { source_revision_config: { image_uri: "registry.example/agent:2" } };
  const next = deploymentIn(await call(emulator, `PATCH /v2/deployments/${ids.id}`, image));
  emulator.pass(60);

  const { body } = await call(emulator, `POST /v1/projects/${ids.id}/deploy_logs`, { limit: 1000 });

  const logs = [...(await readLines(ids, "type=deploy")), ...(await readLines(next, "type=deploy"))];
  expect(body).toEqual({ logs, next_offset: null });
});

test("the older endpoints respond with 422, 404 and 403 like all others", async () => {
  const ids = await create(emulator);
  const line = `POST /v1/projects/${ids.id}/revisions/${ids.latest}/build_logs`;
  const workspace = await fetch(emulator.url + line.slice(5), {
    method: "POST",
    headers: { "X-Api-Key": emulator.apiKey },
  });

  const wrong = { order: "up", limit: "5", offset: "20", start_time: "today", page: 2 };
  expect(violations(await call(emulator, line, wrong))).toEqual(
    ["limit", "offset", "order", "page", "start_time"].map((field) => `body.${field}`),
  );
  expect((await call(emulator, line.replace(ids.latest, UNKNOWN_ID), {})).status).toBe(404);
  expect(violations(await call(emulator, line.replace(ids.id, "some-id"), {}))).toEqual(["path.project_id"]);
  expect(workspace.status).toBe(403);
  expect(await workspace.text()).toContain("requires workspace specification");
});

test.each([
  ["", ["query.type"]],
  ["type=all", ["query.type"]],
  ["type=build&order=up&limit=0", ["query.limit", "query.order"]],
  ["type=build&limit=1001", ["query.limit"]],
  ["type=build&offset=20", ["query.offset"]],
  ["type=build&page=2", ["query.page"]],
  ["type=build&start_time=today", ["query.start_time"]],
])("a log with the query '%s' gets 422", async (query, places) => {
  const { id, latest } = await create(emulator);

  const response = await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}/logs?${query}`);

  expect(violations(response)).toEqual(places);
});
