import { describe, expect, test } from "@jest/globals";
import { mapStrings, parseJson, parseJsonObject } from "../../../src/text/json.ts";

test.each([
  ["null", null],
  ['{"a": [1]}', { a: [1] }],
  ['\ufeff{"a": 1}', { a: 1 }],
  ["nonsense", undefined],
  ["", undefined],
])("%j is parsed as %j", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each(["[]", "null", '"text"', "1", "{"])("%s is not an object", (text) => {
  expect(parseJsonObject(text)).toBeUndefined();
});

test("an object is parsed as one", () => {
  expect(parseJsonObject('\ufeff{"a": 1}')).toEqual({ a: 1 });
});

describe("JSON that is nested too deeply is rejected, because walking it could exhaust the stack:", () => {
  test.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("%s nested too deeply are rejected", (_what, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

    expect(parseJson(nested(1000))).toBeDefined();
    expect(parseJson(nested(1001))).toBeUndefined();
    expect(parseJson(`{"id": "x", "other": ${nested(200_000)}}`)).toBeUndefined();
  });
});

test("strings are changed at any depth, and names and other values stay", () => {
  const value = { a: "x", b: [1, null, true, { a: ["y"] }] };

  expect(mapStrings(value, (text) => `${text}!`)).toEqual({ a: "x!", b: [1, null, true, { a: ["y!"] }] });
});
