import { expect, test } from "@jest/globals";
import * as v from "valibot";
import {
  type LogEntry,
  LogPageSchema,
  type LogQuery,
  toLogPage,
} from "../../../src/platform/revision-log.ts";

function pageOf(body: unknown, order: LogQuery["order"] = "desc") {
  return toLogPage(v.parse(LogPageSchema, body), order);
}

function entriesOf(...logs: unknown[]): readonly LogEntry[] {
  return pageOf({ logs }).entries;
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
  ["null as message", { message: null, stream: "stdout" }, { ...plain, message: "" }],
  ["only a level", { level: "INFO" }, { ...plain, level: "INFO", message: "" }],
  ["null", null, { ...plain, message: "" }],
  ["a list", ["a"], { ...plain, message: '["a"]' }],
])("an entry may have %s", (_what, item, entry) => {
  expect(entriesOf(item)).toEqual([entry]);
});

/** A page of entries that are named a, b, c, … and were written at these seconds. */
function ordered(seconds: readonly (number | undefined)[], order: LogQuery["order"]): string {
  const items = seconds.map((second, index) => ({
    message: String.fromCharCode(97 + index),
    ...(second !== undefined && { timestamp: noon + second * 1000 }),
  }));
  return pageOf({ logs: items }, order)
    .entries.map(({ message }) => message)
    .join("");
}

test.each<[string, (number | undefined)[], string]>([
  ["that is empty", [], ""],
  ["newest first", [3, 2, 1], "cba"],
  ["oldest first, although the newest were requested first", [1, 2, 3], "abc"],
  ["in no order", [2, 3, 1], "cab"],
  ["newest first with the same times", [2, 2, 1, 1], "dcba"],
  ["oldest first with the same times", [1, 1, 2, 2], "abcd"],
  ["of a single time", [1, 1, 1], "cba"],
  ["without times", [undefined, undefined, undefined], "cba"],
  ["newest first with a missing time", [3, undefined, 1], "cba"],
  ["oldest first with a missing time", [1, undefined, 3], "abc"],
])("entries of a page %s come oldest first", (_what, seconds, expected) => {
  expect(ordered(seconds, "desc")).toBe(expected);
});

test.each<[string, (number | undefined)[], string]>([
  ["oldest first", [1, 2, 3], "abc"],
  ["newest first, although the oldest were requested first", [3, 2, 1], "cba"],
  ["oldest first with the same times", [1, 1, 2, 2], "abcd"],
  ["newest first with a missing time", [3, undefined, 1], "cba"],
  ["of a single time", [1, 1, 1], "abc"],
  ["without times", [undefined, undefined], "ab"],
])("entries of a page %s come oldest first if these were requested first", (_what, seconds, expected) => {
  expect(ordered(seconds, "asc")).toBe(expected);
});

test.each<[string, unknown, string | undefined]>([
  ["is the cursor that the platform shows", { logs: [], next_offset: "abc" }, "abc"],
  ["may be a number", { logs: [], next_offset: 0 }, "0"],
  ["is not known if it is null", { logs: [], next_offset: null }, undefined],
  ["is not known if it is empty", { logs: [], next_offset: "" }, undefined],
  ["is not known if it is something else", { logs: [], next_offset: { a: 1 } }, undefined],
  ["is not known if only a list of entries is shown", [], undefined],
])("the offset of the next page %s", (_what, body, nextOffset) => {
  expect(pageOf(body)).toEqual({ entries: [], nextOffset });
});

test("a page of a hundred thousand entries is read", () => {
  const entries = pageOf({
    logs: Array.from({ length: 100_000 }, (_, index) => ({ message: `line ${index}` })),
  }).entries;

  expect(entries.at(-1)?.message).toBe("line 0");
});
