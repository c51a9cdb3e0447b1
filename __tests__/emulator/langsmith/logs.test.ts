// GET …/revisions/{id}/logs
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { call, violations } from "../support/client.ts";
import { useEmulator } from "../support/emulator.ts";
import { create, imageRequest, onRef, readRevision } from "../support/langsmith.ts";

const SHA = "a".repeat(40);
const emulator = await useEmulator({
  platform: "langsmith",
  commits: { main: SHA },
  failRefs: { unbuildable: "BUILD_FAILED", undeployable: "DEPLOY_FAILED", void: "CREATE_FAILED" },
});

const LineSchema = v.strictObject({ timestamp: v.string(), level: v.string(), message: v.string() });
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
  const buildStart = new Date(Date.parse(emulator.time()) + 3000).toISOString();
  const ids = await create(emulator);
  const lengths = [];
  for (let second = 0; second <= 6; second += 1) {
    const [build, deploy] = [await readLines(ids, "type=build"), await readLines(ids, "type=deploy")];
    lengths.push([build.length, deploy.length]);
    emulator.pass(1);
  }

  const lines = [...(await readLines(ids, "type=build")), ...(await readLines(ids, "type=deploy"))];
  const timestamps = lines.map(({ timestamp }) => timestamp);

  expect(lengths.map(String)).toEqual(["0,0", "0,0", "0,0", "5,0", "6,0", "6,3", "6,4"]);
  expect(lines[0]).toEqual({
    timestamp: buildStart,
    level: "INFO",
    message: `Checking out main at ${SHA}`,
  });
  expect(timestamps).toEqual(timestamps.toSorted());
});

test.each([
  ["unbuildable", "build", "deploy"],
  ["undeployable", "deploy", "build"],
])("the revision of an %s ref has the reason at the end of its %s log", async (ref, type, other) => {
  const ids = await create(emulator, onRef(ref));
  emulator.pass(60);

  const lines = await readLines(ids, `type=${type}`);

  const { status_message } = await readRevision(emulator, ids.id, ids.latest);
  expect(lines.at(-1)).toMatchObject({ level: "ERROR", message: status_message });
  expect(lines.length).toBeGreaterThan(1);
  expect(await readLines(ids, `type=${other}&level=error`)).toEqual([]);
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

  expect(forwards.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(forwards.flat()).toEqual(messages);
  expect(backwards.map(({ length }) => length)).toEqual([125, 125]);
  expect(backwards.flat()).toEqual(messages.toReversed());
  expect(await readAll("type=build&limit=1000")).toEqual([messages]);
  expect(await readAll("type=deploy")).toEqual([[]]);
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
    { timestamp: emulator.time(), level: "INFO", message: "plain" },
  ]);
});

test.each([
  ["", ["query.type"]],
  ["type=all", ["query.type"]],
  ["type=build&order=up&limit=0", ["query.limit", "query.order"]],
  ["type=build&limit=1001", ["query.limit"]],
  ["type=build&offset=20", ["query.offset"]],
  ["type=build&page=2", ["query.page"]],
])("a log with the query '%s' answers 422", async (query, places) => {
  const { id, latest } = await create(emulator);

  const response = await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}/logs?${query}`);

  expect(violations(response)).toEqual(places);
});
