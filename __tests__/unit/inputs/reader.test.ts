import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { InputReader } from "../../../src/inputs/reader.ts";
import { phrase, text } from "../../../src/text/message.ts";
import { IdSchema } from "../../../src/text/schemas.ts";
import { problem, reading } from "./support/reading.ts";

/** What a method makes of the input `label`. */
function readLabel<Result>(value: string, read: (reader: InputReader) => Result) {
  const { result, problems } = reading({ label: value }, read);
  return { result, problems };
}

test("an input is found by its name in capitals", () => {
  const reader = new InputReader({ INPUT_REPO_URL: " v " });

  expect(reader.raw("repo_url")).toBe(" v ");
  expect(reader.optional("repo_url")).toBe("v");
  expect(reader.required("repo_url")).toBe("v");
});

test.each([undefined, "", " \n\t"])("an input of %j is missing", (value) => {
  const reader = new InputReader({ INPUT_LABEL: value });

  expect(reader.optional("label")).toBeUndefined();
  expect(reader.boolean("label")).toBeUndefined();
  expect(reader.jsonObject("label")).toBeUndefined();
  expect(reader.wholeNumber("label", 0)).toBeUndefined();
  expect(reader.id("label", IdSchema)).toBeUndefined();
  expect(reader.headerValue("label")).toBeUndefined();
  expect(reader.list("label")).toEqual([]);
  expect(reader.durationMs("label", 7)).toBe(7_000);
  expect(reader.oneOf("label", ["red", "blue"], "blue")).toBe("blue");
});

test.each<[string, (reader: InputReader) => unknown]>([
  ["input", (reader) => reader.required("label")],
  ["value for a header", (reader) => reader.requiredHeaderValue("label")],
])("a required %s must be set", (_what, read) => {
  expect(readLabel(" ", read)).toEqual({ result: "", problems: [problem("label", "is missing or empty")] });
});

type Read = (reader: InputReader) => unknown;
const asBoolean: Read = (reader) => reader.boolean("label");
const asSeconds: Read = (reader) => reader.durationMs("label", 7);
const asWholeNumber: Read = (reader) => reader.wholeNumber("label", 3);
const asColour: Read = (reader) => reader.oneOf("label", ["red", "blue", "green"], "green");
const asList: Read = (reader) => reader.list("label");
const asJsonObject: Read = (reader) => reader.jsonObject("label");
const asId: Read = (reader) => reader.id("label", IdSchema);
const asHeader: Read = (reader) => reader.requiredHeaderValue("label");

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
    expect(readLabel(value, read)).toEqual({ result, problems: [] });
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
  ["a whole number", asWholeNumber, undefined, "a whole number of at least 3", ["2", "-3", "3.1", "3e1"]],
  ["a whole number", asWholeNumber, undefined, "a whole number of at least 3", ["label", "9007199254740993"]],
  ["a choice", asColour, "green", colours, ["Blue", "blu", "red, blue", "toString"]],
  ["one of two choices", (reader) => reader.oneOf("label", ["a", "b"], "b"), "b", "a or b", ["c"]],
])("refusing what is not %s", (_what, read, result, expected, values) => {
  test.each(values)("is not read from %s, and the message names the value", (value) => {
    expect(readLabel(value, read)).toEqual({
      result,
      problems: [problem("label", `must be ${expected}`, `"${value}"`)],
    });
  });
});

test.each(["[]", "1", "null", '"{}"', "{", "{}{}", "{} {}", "undefined", "{'a': 1}", "{a: 1}"])(
  "a JSON object is not read from %s, which is not quoted because it may hold a secret",
  (value) => {
    const problems = ["Input label must be a JSON object."];

    expect(readLabel(value, asJsonObject)).toEqual({ result: undefined, problems });
  },
);

test.each([".", "..", "a b"])("an id is not read from %j, which is none", (value) => {
  expect(readLabel(value, asId)).toEqual({
    result: undefined,
    problems: [problem("label", 'must be an ID: without spaces, and not "." or ".."')],
  });
});

test.each(["a key", "a\r\nx-other: 1", "a\tb", "a\u0001", "\u0001a", "a\u007f", "a✓"])(
  "a value for a header is not read from %j, which is not quoted",
  (value) => {
    const text = "Input label contains a space, a line end or another character that a header can't contain.";

    expect(readLabel(value, asHeader).problems).toEqual([text]);
  },
);

test("seconds are rounded to whole milliseconds, at least one", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 86_400, noNaN: true }), (seconds) => {
      const text = seconds.toFixed(20);
      fc.pre(Number(text) > 0);
      const durationMs = new InputReader({ INPUT_LABEL: text }).durationMs("label", 7);

      expect(Number.isInteger(durationMs)).toBe(true);
      expect(durationMs).toBeGreaterThanOrEqual(1);
      expect(Math.abs(durationMs - seconds * 1_000)).toBeLessThan(1.001);
    }),
  );
});

test("a reader reports every problem once, in the order in which it was found", () => {
  const { problems } = reading({ wait: "maybe" }, (reader) => {
    reader.required("name");
    reader.boolean("wait");
    reader.reject("label", phrase`is odd`);
    reader.reject("name", phrase`is odd`);
    reader.required("name");
  });

  expect(problems).toEqual([
    problem("name", "is missing or empty"),
    problem("wait", "true or false", '"maybe"'),
    problem("label", "is odd"),
    problem("name", "is odd"),
  ]);
});

test("a reader logs every note once, in order, even if an input is invalid", () => {
  const { notes, problems } = reading({}, (reader) => {
    reader.addNote("warning", text`This may be a mistake.`);
    reader.addNote("notice", text`This is so.`);
    reader.addNote("warning", text`This may be a mistake.`);
    reader.required("name");
  });

  expect(problems).toHaveLength(1);
  expect(notes).toEqual([
    { kind: "warning", text: "This may be a mistake." },
    { kind: "notice", text: "This is so." },
  ]);
});

test("a quoted value is one short line", () => {
  const { problems } = readLabel(`::error::\r\n${"x".repeat(500)}`, (reader) => reader.boolean("label"));

  expect(problems).toEqual([expect.stringMatching(/not ": :error:: x{50,90}…"\.$/)]);
});
