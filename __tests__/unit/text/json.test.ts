import { describe, expect, test } from "@jest/globals";
import { parseJson, parseJsonObject } from "../../../src/text/json.ts";

test.each([
  ["null", null],
  ['{"a": [1]}', { a: [1] }],
  ["nonsense", undefined],
  ["", undefined],
])("%j is parsed as %j", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test("a byte order mark before it doesn't matter", () => {
  expect(parseJson('\ufeff{"a": 1}')).toEqual({ a: 1 });
  expect(parseJsonObject('\ufeff{"a": 1}')).toEqual({ a: 1 });
});

describe("what is nested deeper than anything sensible is not JSON: whoever walks it would run out of stack", () => {
  test.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("%s", (_what, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    expect(parseJson(nested(100))).toBeDefined();
    expect(parseJson(nested(101))).toBeUndefined();
    expect(parseJson(`{"id": "x", "other": ${nested(200_000)}}`)).toBeUndefined();
  });
});
