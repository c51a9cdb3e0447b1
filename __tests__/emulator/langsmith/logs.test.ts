// GET …/revisions/{id}/logs (platform-field-notes, "Endpoints beyond platform-api").
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { call, complaints, type Target } from "../support/client.ts";
import { create, createRequest, imageRequest, withLangsmith } from "../support/langsmith.ts";

const LineSchema = v.strictObject({ timestamp: v.string(), level: v.string(), message: v.string() });
const PageSchema = v.strictObject({ logs: v.array(v.unknown()), next_offset: v.nullable(v.string()) });

async function page(target: Target, { id, latest }: { id: string; latest: string }, query: string) {
  const { body } = await call(target, `GET /v2/deployments/${id}/revisions/${latest}/logs?${query}`);
  return v.parse(PageSchema, body);
}

async function lines(target: Target, of: { id: string; latest: string }, query: string) {
  return v.parse(v.array(LineSchema), (await page(target, of, query)).logs);
}

const onRef = (ref: string) =>
  createRequest({ source_revision_config: { ...createRequest().source_revision_config, repo_ref: ref } });

test("a log grows with the revision's life, stage by stage, each line with its time", () =>
  withLangsmith({ commits: { main: "a".repeat(40) } }, async ({ emulator, pass }) => {
    const of = await create(emulator);
    const lengths = [];
    for (let second = 0; second <= 6; second += 1) {
      const build = await lines(emulator, of, "type=build");
      const deploy = await lines(emulator, of, "type=deploy");
      lengths.push([build.length, deploy.length]);
      pass(1);
    }
    expect(lengths).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [5, 0],
      [6, 0],
      [6, 3],
      [6, 4],
    ]);
    const [first] = await lines(emulator, of, "type=build");
    expect(first).toEqual({
      timestamp: "2026-03-02T09:00:03.000Z",
      level: "INFO",
      message: `Checking out main at ${"a".repeat(40)}`,
    });
    const all = [...(await lines(emulator, of, "type=build")), ...(await lines(emulator, of, "type=deploy"))];
    expect(all.map(({ timestamp }) => timestamp)).toEqual(all.map(({ timestamp }) => timestamp).sort());
  }));

test.each([
  ["BUILD_FAILED", "build", "deploy"],
  ["DEPLOY_FAILED", "deploy", "build"],
])("the log of a %s ends with the reason", (status, type, other) =>
  withLangsmith({ failRefs: { main: status } }, async ({ emulator, pass }) => {
    const of = await create(emulator);
    pass(60);
    const { body } = await call(emulator, `GET /v2/deployments/${of.id}/revisions/${of.latest}`);
    const { status_message } = v.parse(v.looseObject({ status_message: v.string() }), body);
    const failed = await lines(emulator, of, `type=${type}`);
    expect(failed.at(-1)).toMatchObject({ level: "ERROR", message: status_message });
    expect(failed.length).toBeGreaterThan(1);
    const { logs } = await page(emulator, of, `type=${other}&level=error`);
    expect(logs).toEqual([]);
  }),
);

test("an image has nothing to tell of its build, and a failed creation nothing at all", () =>
  withLangsmith({ failRefs: { void: "CREATE_FAILED" } }, async ({ emulator, pass }) => {
    const image = await create(emulator, imageRequest());
    const failed = await create(emulator, { ...onRef("void"), name: "failed" });
    pass(60);
    expect(await lines(emulator, image, "type=build")).toEqual([]);
    expect((await lines(emulator, image, "type=deploy"))[0]?.message).toContain("registry.example/agent:1");
    for (const type of ["build", "deploy"]) expect(await lines(emulator, failed, `type=${type}`)).toEqual([]);
  }));

test("pages follow each other by the cursor, in both directions", () =>
  withLangsmith({}, async ({ emulator }) => {
    const messages = Array.from({ length: 250 }, (_, number) => `line ${number}`);
    emulator.misbehave({ kind: "logs", type: "build", lines: messages });
    const of = await create(emulator);
    const read = async (query: string) => {
      const pages: string[][] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { logs, next_offset } = await page(emulator, of, `${query}${cursor && `&offset=${cursor}`}`);
        pages.push(v.parse(v.array(LineSchema), logs).map(({ message }) => message));
        cursor = next_offset;
      }
      return pages;
    };
    const forwards = await read("type=build");
    expect(forwards.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(forwards.flat()).toEqual(messages);
    const backwards = await read("type=build&order=desc&limit=125");
    expect(backwards.map(({ length }) => length)).toEqual([125, 125]);
    expect(backwards.flat()).toEqual(messages.toReversed());
    expect(await read("type=build&limit=1000")).toEqual([messages]);
    expect(await read("type=deploy")).toEqual([[]]);
  }));

test("a rule's lines are given out as they are, whatever their shape, for one ref or for all", () =>
  withLangsmith({}, async ({ emulator }) => {
    const odd = [7, null, ["a"], { text: "no message" }, { timestamp: 1, level: "WARN", message: "odd" }];
    emulator.misbehave({ kind: "logs", type: "deploy", repo_ref: "odd", lines: odd });
    emulator.misbehave({ kind: "logs", type: "deploy", lines: ["plain"] });
    const one = await create(emulator, onRef("odd"));
    const other = await create(emulator, createRequest({ name: "other" }));
    expect((await page(emulator, one, "type=deploy")).logs).toEqual(odd);
    expect((await page(emulator, one, "type=deploy&level=warn")).logs).toEqual([odd[4]]);
    expect((await page(emulator, other, "type=deploy")).logs).toEqual([
      { timestamp: "2026-03-02T09:00:00.000Z", level: "INFO", message: "plain" },
    ]);
  }));

test.each([
  ["", ["query.type"]],
  ["type=all", ["query.type"]],
  ["type=build&order=up&limit=0", ["query.limit", "query.order"]],
  ["type=build&limit=1001", ["query.limit"]],
  ["type=build&offset=20", ["query.offset"]],
  ["type=build&page=2", ["query.page"]],
])("the query '%s' answers 422", (query, places) =>
  withLangsmith({}, async ({ emulator }) => {
    const { id, latest } = await create(emulator);
    const answer = await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}/logs?${query}`);
    expect(complaints(answer)).toEqual(places);
  }),
);
