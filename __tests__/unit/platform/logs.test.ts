import { expect, test } from "@jest/globals";
import { ApiClient } from "../../../src/http/api-client.ts";
import { singleAttempt } from "../../../src/http/retry.ts";
import { controlPlaneHints, hintsFor } from "../../../src/platform/hints.ts";
import { type LogEntry, type LogPage, type LogQuery, openLog } from "../../../src/platform/logs.ts";
import { routesBelow } from "../../../src/platform/routes.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const log = { deploymentId: "d", revisionId: "r", type: "build" } as const;

/** The page that is read from this response. */
async function pageOf(body: unknown, order: LogQuery["order"] = "desc"): Promise<LogPage> {
  const url = await serve((_, response) => void response.end(JSON.stringify(body)));
  const settings = { headers: {}, requestTimeoutMs: 5000, hintFor: hintsFor(controlPlaneHints, undefined) };
  const client = new ApiClient(settings, recordingContext({}), singleAttempt);
  return await openLog({ client, routes: routesBelow(new URL(url)) }, log)({ order, limit: 10 });
}

async function entriesOf(...logs: unknown[]): Promise<readonly LogEntry[]> {
  return (await pageOf({ logs })).entries;
}

const noon = Date.parse("2026-03-02T12:00:00Z");
const plain = { id: undefined, at: undefined, level: undefined };

test.each<[string, unknown, LogEntry]>([
  [
    "time, level and message",
    { timestamp: "2026-03-02T12:00:00Z", level: "ERROR", message: "x" },
    { id: undefined, at: noon, level: "ERROR", message: "x" },
  ],
  [
    "a time with microseconds and an offset",
    { timestamp: "2026-03-02T13:00:00.000999+01:00", message: "x" },
    { id: undefined, at: noon, level: undefined, message: "x" },
  ],
  [
    "a time in milliseconds since the epoch",
    { timestamp: noon, message: "x" },
    { id: undefined, at: noon, level: undefined, message: "x" },
  ],
  ["an id", { id: "e-1", message: "x" }, { ...plain, id: "e-1", message: "x" }],
  ["a number as id", { id: 0, message: "x" }, { ...plain, id: "0", message: "x" }],
  ["an empty id", { id: "", message: "x" }, { ...plain, message: "x" }],
  ["a message alone", { message: "x" }, { ...plain, message: "x" }],
  ["null as time and level", { timestamp: null, level: null, message: "x" }, { ...plain, message: "x" }],
  ["an unusable time and level", { timestamp: "soon", level: 3, message: "x" }, { ...plain, message: "x" }],
  ["a time beyond every calendar", { timestamp: 1e300, level: "", message: "x" }, { ...plain, message: "x" }],
  ["text", "plain", { ...plain, message: "plain" }],
  ["no message", { text: "x" }, { ...plain, message: '{"text":"x"}' }],
  ["a message that is no text", { message: { a: 1 } }, { ...plain, message: '{"message":{"a":1}}' }],
  ["null as message", { message: null }, { ...plain, message: "" }],
  ["null", null, { ...plain, message: "null" }],
  ["a list", ["a"], { ...plain, message: '["a"]' }],
])("an entry may have %s", async (_what, item, entry) => {
  expect(await entriesOf(item)).toEqual([entry]);
});

test.each([
  ["desc", "cba"],
  ["asc", "abc"],
] as const)("entries that were requested %s come oldest first", async (order, expected) => {
  const { entries } = await pageOf({ logs: [{ message: "a" }, { message: "b" }, { message: "c" }] }, order);

  expect(entries.map(({ message }) => message).join("")).toBe(expected);
});

test.each<[string, unknown, string | undefined]>([
  ["is the cursor that the platform shows", { logs: [], next_offset: "abc" }, "abc"],
  ["may be a number", { logs: [], next_offset: 0 }, "0"],
  ["is not known if it is null", { logs: [], next_offset: null }, undefined],
  ["is not known if it is empty", { logs: [], next_offset: "" }, undefined],
  ["is not known if it is something else", { logs: [], next_offset: { a: 1 } }, undefined],
  ["is not known if only a list of entries is shown", [], undefined],
])("the offset of the next page %s", async (_what, body, nextOffset) => {
  expect(await pageOf(body)).toEqual({ entries: [], nextOffset });
});
