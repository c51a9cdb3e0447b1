import { expect, test } from "@jest/globals";
import { ApiClient } from "../../../src/http/api-client.ts";
import { urlTag } from "../../../src/platform/api.ts";
import { controlPlaneHints, hintsFor } from "../../../src/platform/hints.ts";
import { type LogEntry, type LogPage, type LogQuery, openLog } from "../../../src/platform/logs.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const log = { deploymentId: "d", revisionId: "r", type: "build" } as const;

/** The page that is read from this response. */
async function pageOf(body: unknown, order: LogQuery["order"] = "desc"): Promise<LogPage> {
  const url = await serve((_, response) => void response.end(JSON.stringify(body)));
  const settings = {
    headers: {},
    requestTimeoutMs: 5000,
    retryMs: 0,
    hintFor: hintsFor(controlPlaneHints, undefined),
  };
  const client = new ApiClient(settings, recordingContext({}));
  return await openLog({ client, url: urlTag(new URL(url)) }, log)({ order, limit: 10 });
}

async function entriesOf(...logs: unknown[]): Promise<readonly LogEntry[]> {
  return (await pageOf({ logs })).entries;
}

const noon = Date.parse("2026-03-02T12:00:00Z");
const untimed = { at: Number.NaN };

test.each<[string, unknown, LogEntry]>([
  [
    "time, level and message",
    { timestamp: "2026-03-02T12:00:00Z", level: "ERROR", message: "x" },
    { at: noon, level: "ERROR", message: "x" },
  ],
  [
    "a time with microseconds and an offset",
    { timestamp: "2026-03-02T13:00:00.000999+01:00", message: "x" },
    { at: noon, message: "x" },
  ],
  ["a time in milliseconds since the epoch", { timestamp: noon, message: "x" }, { at: noon, message: "x" }],
  ["a message alone", { message: "x" }, { ...untimed, message: "x" }],
  ["null as time and level", { timestamp: null, level: null, message: "x" }, { ...untimed, message: "x" }],
  ["an unusable time and level", { timestamp: "soon", level: 3, message: "x" }, { ...untimed, message: "x" }],
  ["null as message", { message: null }, { ...untimed, message: "" }],
  ["another shape", { text: "x" }, { ...untimed, message: '{"text":"x"}' }],
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
