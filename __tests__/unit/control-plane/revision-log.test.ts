import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { type LogEntry, LogPageSchema, toLogPage } from "../../../src/platform/revision-log.ts";

function entryOf(item: unknown): LogEntry | undefined {
  return toLogPage(v.parse(LogPageSchema, { logs: [item] })).entries[0];
}

const noon = Date.parse("2026-03-02T12:00:00Z");

test.each<[string, unknown, Partial<LogEntry>]>([
  [
    "all that is known of one",
    { timestamp: "2026-03-02T12:00:00Z", level: "ERROR", message: "x" },
    { at: noon, level: "ERROR", message: "x" },
  ],
  [
    "microseconds and an offset",
    { timestamp: "2026-03-02T13:00:00.000999+01:00", message: "x" },
    { at: noon },
  ],
  ["milliseconds since the epoch", { timestamp: noon, message: "x" }, { at: noon }],
  ["a message alone", { message: "x" }, { at: undefined, level: undefined, message: "x" }],
  [
    "nulls",
    { timestamp: null, level: null, message: "x" },
    { at: undefined, level: undefined, message: "x" },
  ],
  [
    "times and levels that are none",
    { timestamp: "soon", level: 3, message: "x" },
    { at: undefined, level: undefined, message: "x" },
  ],
  [
    "a time that no calendar has",
    { timestamp: 1e300, level: "", message: "x" },
    { at: undefined, level: undefined, message: "x" },
  ],
  ["a text", "plain", { at: undefined, level: undefined, message: "plain" }],
  [
    "an object without a message",
    { text: "x", timestamp: noon },
    { at: undefined, message: `{"text":"x","timestamp":${noon}}` },
  ],
  ["a message that is no text", { message: { a: 1 } }, { message: '{"message":{"a":1}}' }],
  ["null", null, { message: "null" }],
  ["a list", ["a"], { message: '["a"]' }],
])("an item can be %s", (_what, item, entry) => {
  expect(entryOf(item)).toMatchObject(entry);
});

test("an item nested deeper than anyone can spell is an item all the same", () => {
  const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
  expect(entryOf(deep)?.message).toBe("(an entry that can't be shown)");
});

test.each([
  ["cursor", "cursor"],
  [null, undefined],
  ["", undefined],
  [7, undefined],
  [undefined, undefined],
])("next_offset %j leads to %j", (next_offset, next) => {
  expect(toLogPage(v.parse(LogPageSchema, { logs: [], next_offset })).next).toBe(next);
});
