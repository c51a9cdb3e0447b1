import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { InputReader } from "../../../src/inputs/reader.ts";
import { text } from "../../../src/text/message.ts";
import { problem, reading } from "./support/reading.ts";

/** What a method makes of an input called `x`. */
function readX<Result>(value: string, read: (reader: InputReader) => Result) {
  const { result, problems } = reading({ x: value }, read);
  return { result, problems };
}

test("an input is found by its name in capitals", () => {
  const reader = new InputReader({ INPUT_TWO_WORDS: " v " });

  expect(reader.raw("two_words")).toBe(" v ");
  expect(reader.optional("two_words")).toBe("v");
  expect(reader.required("two_words")).toBe("v");
});

test.each([undefined, "", " \n\t"])("an input of %j is missing", (value) => {
  const reader = new InputReader({ INPUT_X: value });

  expect(reader.optional("x")).toBeUndefined();
  expect(reader.boolean("x")).toBeUndefined();
  expect(reader.jsonObject("x")).toBeUndefined();
  expect(reader.wholeNumber("x", 0)).toBeUndefined();
  expect(reader.pathSegment("x")).toBeUndefined();
  expect(reader.headerValue("x")).toBeUndefined();
  expect(reader.list("x")).toEqual([]);
  expect(reader.durationMs("x", 7)).toBe(7_000);
  expect(reader.oneOf("x", ["red", "blue"], "blue")).toBe("blue");
});

test.each<[string, (reader: InputReader) => unknown]>([
  ["input", (reader) => reader.required("x")],
  ["value for a header", (reader) => reader.requiredHeaderValue("x")],
])("a required %s must be set", (_what, read) => {
  expect(readX(" ", read)).toEqual({ result: "", problems: [problem("x", "is missing or empty")] });
});

type Read = (reader: InputReader) => unknown;
const asBoolean: Read = (reader) => reader.boolean("x");
const asSeconds: Read = (reader) => reader.durationMs("x", 7);
const asWholeNumber: Read = (reader) => reader.wholeNumber("x", 3);
const asColour: Read = (reader) => reader.oneOf("x", ["red", "blue", "green"], "green");
const asList: Read = (reader) => reader.list("x");
const asJsonObject: Read = (reader) => reader.jsonObject("x");
const asId: Read = (reader) => reader.pathSegment("x");
const asHeader: Read = (reader) => reader.requiredHeaderValue("x");

const json = '{"a": {"b": [1, null]}, "__proto__": {"c": 1}}';

describe.each<[string, Read, Record<string, unknown>]>([
  [
    "a boolean",
    asBoolean,
    { true: true, True: true, TRUE: true, " false\n": false, False: false, FALSE: false },
  ],
  [
    "seconds, in milliseconds,",
    asSeconds,
    { "1": 1000, "0.5": 500, " 30 ": 30_000, "2.01": 2010, "0.0001": 1, "86400": 86_400_000, "007": 7000 },
  ],
  ["a whole number", asWholeNumber, { "3": 3, "12": 12 }],
  ["a choice", asColour, { " blue\n": "blue" }],
  ["a list", asList, { " a, b\r\n\r\nc ,,\rd": ["a", "b", "c", "d"] }],
  ["a JSON object", asJsonObject, { [` ${json}\n`]: JSON.parse(json) }],
  ["an id", asId, { "id-1": "id-1", "...": "..." }],
  ["a value for a header", asHeader, { "!~\u0080\u00ff": "!~\u0080\u00ff" }],
])("reading %s", (_what, read, results) => {
  test.each(Object.entries(results))("is read from %j", (value, result) => {
    expect(readX(value, read)).toEqual({ result, problems: [] });
  });
});

const booleans = "true or false";
const seconds = "a number of seconds above 0 and up to 86400";
const colours = "red, blue or green";
describe.each<[string, Read, unknown, string, string[]]>([
  ["a boolean", asBoolean, undefined, booleans, ["yes", "no", "1", "0", "on", "true false", "null"]],
  ["a boolean", asBoolean, undefined, booleans, ["untrue", "truely", "falsehood", "unfalse"]],
  ["seconds", asSeconds, 7000, seconds, ["0", "0.0", "-1", "+1", "1e3", "1,5", ".5", "5.", "0x10", "30s"]],
  ["seconds", asSeconds, 7000, seconds, ["Infinity", "NaN", "86400.1", "1 2"]],
  ["a whole number", asWholeNumber, undefined, "a whole number of at least 3", ["2", "-3", "3.0", "3e1"]],
  ["a whole number", asWholeNumber, undefined, "a whole number of at least 3", ["x", "9007199254740993"]],
  ["a choice", asColour, "green", colours, ["Blue", "blu", "red, blue", "toString"]],
  ["one of two choices", (reader) => reader.oneOf("x", ["a", "b"], "b"), "b", "a or b", ["c"]],
])("refusing what is not %s", (_what, read, result, expected, values) => {
  test.each(values)("is not read from %s, and the message names the value", (value) => {
    expect(readX(value, read)).toEqual({
      result,
      problems: [problem("x", `must be ${expected}`, `"${value}"`)],
    });
  });
});

test.each(["[]", "1", "null", '"{}"', "{", "{}{}", "{} {}", "undefined", "{'a': 1}", "{a: 1}"])(
  "a JSON object is not read from %s, which is not quoted because it may hold a secret",
  (value) => {
    const problems = [expect.stringMatching(/^Input x must be a JSON object( \(line 1\))?\.$/)];

    expect(readX(value, asJsonObject)).toEqual({ result: undefined, problems });
  },
);

test("a JSON object with a mistake is named with its line", () => {
  expect(readX('\n{\n"a": x\n}', asJsonObject).problems).toEqual(["Input x must be a JSON object (line 3)."]);
});

test.each([".", ".."])("an id is not read from %s, which would lead to another path", (value) => {
  expect(readX(value, asId)).toEqual({ result: "", problems: [problem("x", 'must not be "." or ".."')] });
});

test.each(["a key", "a\r\nx-other: 1", "a\tb", "a\u0001", "\u0001a", "a\u007f", "a✓"])(
  "a value for a header is not read from %j, which is not quoted",
  (value) => {
    const text = "Input x contains a space, a line end or another character that a header can't contain.";

    expect(readX(value, asHeader).problems).toEqual([text]);
  },
);

test("seconds are rounded to whole milliseconds, at least one", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 86_400, noNaN: true }), (seconds) => {
      const text = seconds.toFixed(20);
      fc.pre(Number(text) > 0);
      const durationMs = new InputReader({ INPUT_X: text }).durationMs("x", 7);

      expect(Number.isInteger(durationMs)).toBe(true);
      expect(durationMs).toBeGreaterThanOrEqual(1);
      expect(Math.abs(durationMs - seconds * 1_000)).toBeLessThan(1.001);
    }),
  );
});

test("a reader reports every problem once, in the order in which it was found", () => {
  const { problems } = reading({ b: "maybe" }, (reader) => {
    reader.required("a");
    reader.boolean("b");
    reader.reject("c", text`is odd`);
    reader.reject("a", text`is odd`);
    reader.required("a");
  });

  expect(problems).toEqual([
    problem("a", "is missing or empty"),
    problem("b", "true or false", '"maybe"'),
    problem("c", "is odd"),
    problem("a", "is odd"),
  ]);
});

test("a reader logs every note once, in order, even if an input is invalid", () => {
  const { notes, problems } = reading({}, (reader) => {
    reader.addNote("warning", text`This may be a mistake.`);
    reader.addNote("notice", text`This is so.`);
    reader.addNote("warning", text`This may be a mistake.`);
    reader.required("a");
  });

  expect(problems).toHaveLength(1);
  expect(notes).toEqual([
    { kind: "warning", text: "This may be a mistake." },
    { kind: "notice", text: "This is so." },
  ]);
});

test("a quoted value is one short line", () => {
  const { problems } = readX(`::error::\r\n${"x".repeat(500)}`, (reader) => reader.boolean("x"));

  expect(problems).toEqual([expect.stringMatching(/not ": :error:: x{50,90}…"\.$/)]);
});
