import { describe, expect, test } from "@jest/globals";
import {
  asObject,
  canonicalJson,
  hasString,
  isObject,
  lineOfMistake,
  lineOfValue,
  parseJson,
  parseJsonObject,
  resolvePointer,
  valuesAt,
  withoutIndentation,
  withoutUndefined,
} from "../../../src/text/json.ts";

test.each([
  ["null", null],
  ['{"a": [1]}', { a: [1] }],
  ["nonsense", undefined],
  ["", undefined],
])("%j is parsed as %j", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test("JSON of more than 500 levels is not parsed", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

  expect(parseJson(nested(500))).toBeDefined();
  expect(parseJson(nested(501))).toBeUndefined();
});

test.each(["[]", "null", '"text"', "1", "{"])("%s is not an object", (text) => {
  expect(parseJsonObject(text)).toBeUndefined();
});

test("an object is parsed as one", () => {
  expect(parseJsonObject('{"a": 1}')).toEqual({ a: 1 });
});

/** The document and the results of https://www.rfc-editor.org/rfc/rfc6901#section-5 */
const document: unknown = JSON.parse(
  '{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}',
);

const valueAt = (pointer: string, json = document) => resolvePointer(json, pointer);

test.each([
  ["", document],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/c%d", 2],
  ["/e^f", 3],
  ["/g|h", 4],
  ["/i\\j", 5],
  ['/k"l', 6],
  ["/ ", 7],
  ["/m~0n", 8],
])("%j leads to the value that RFC 6901 says", (pointer, value) => {
  expect(valueAt(pointer)).toEqual(value);
});

test("~01 stands for ~1, because / is decoded first", () => {
  expect(valueAt("/~01/~10", { "~1": { "/0": "found" } })).toBe("found");
});

test("a name may contain line ends and characters beyond the basic plane", () => {
  expect(valueAt("/a\nb/🔑", { "a\nb": { "🔑": "found" } })).toBe("found");
});

describe("nothing is", () => {
  test.each([
    ["/bar"],
    ["/foo/2"],
    ["/foo/-"],
    ["/foo/00"],
    ["/foo/01"],
    ["/foo/-1"],
    ["/foo/1.0"],
    ["/foo/length"],
    ["/foo/0/0"],
    ["/foo/0/length"],
    ["/toString"],
    ["/__proto__"],
    ["//x"],
  ])("at %j", (pointer) => {
    expect(valueAt(pointer)).toBeUndefined();
  });

  test("below null", () => {
    expect(valueAt("/a/b", { a: null })).toBeUndefined();
    expect(valueAt("/a", { a: null })).toBeNull();
  });
});

test("an own property of any name is found", () => {
  expect(valueAt("/__proto__/a", JSON.parse('{"__proto__": {"a": 1}}'))).toBe(1);
});

test.each([
  ["of JSON", '{\n  "a b": [\n    1.50,\r\n    "\\"x\\n  y"\n  ]\n}', '{ "a b": [ 1.50, "\\"x\\n  y" ] }'],
  ["of JSON in one line", '{ "a":  1 }', '{ "a":  1 }'],
  ["of another text", "{\n  no JSON", "{ no JSON"],
])("the indentation %s", (_what, text, shown) => {
  expect(withoutIndentation(text)).toBe(shown);
});

test.each([
  [{}, true],
  [[], false],
  [null, false],
  ["text", false],
])("whether %j is an object: %p", (value, expected) => {
  expect(isObject(value)).toBe(expected);
  expect(asObject(value)).toBe(expected ? value : undefined);
});

test.each([
  ["a text", 'say "hi"', true],
  ["a nested text", { a: [{ b: 'say "hi"' }] }, true],
  ["another text", { a: ["say hi"] }, false],
  ["one of several texts", { a: "say hi", b: 'say "hi"' }, true],
  ["a name", { '"hi"': 1 }, false],
  ["null", null, false],
  ["a number", 1, false],
])("whether a string of %s has a part", (_what, value, expected) => {
  expect(hasString(value, '"hi"')).toBe(expected);
});

test.each([
  ['{"a": 1}', undefined],
  ["", 1],
  ['{\n  "a": [\n\n', 2],
  ['{\n  "a": 1,\n}', 3],
  ['{\n  "a": yes\n}', 2],
  ['{\n  "a": 1,\n  // why\n  "b": 2\n}', 3],
  [`{${"\n".repeat(11)}  "a": 12345678,}\n`, 12],
  [`{${"\n".repeat(11)}  "a": 12345678,}\n{`, 12],
  ["[yes,\n1]", 1],
  ["x (line 9 column 9)", 1],
  ['{\n  "dependencies": [".",],\n  "python_version": None\n}', 2],
  ["{\n  \"a\": 'x'\n}", 2],
  ['{"a": 1,\n"a": 2,\n"b": 3, // why\n"c": 4}', 3],
  ['{\n  "a": [1, # why\n    2]\n}', 2],
  ['{\n  "a": 1\n', 3],
  ['{\n"a": nul\n}', 2],
])("%j stops being JSON in line %p", (text, line) => {
  expect(lineOfMistake(text)).toBe(line);
});

test("a value is in the line where it starts", () => {
  const text = '{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}';

  expect(lineOfValue(text, [])).toBe(1);
  expect(lineOfValue(text, ["a", 0])).toBe(3);
  expect(lineOfValue(text, ["a", 1, "b"])).toBe(4);
  expect(lineOfValue(text, ["b"])).toBeUndefined();
});

test.each([
  [[], [[[], { a: [1, { b: 2 }], c: { b: 3 } }]]],
  [
    ["a", "*"],
    [
      [["a", 0], 1],
      [["a", 1], { b: 2 }],
    ],
  ],
  [["*", "b"], [[["c", "b"], 3]]],
  [["a", "*", "b"], [[["a", 1, "b"], 2]]],
  [["x", "*"], []],
  [["a", "*", "*", "x"], []],
])("the values at %j", (place, expected) => {
  const found = valuesAt({ a: [1, { b: 2 }], c: { b: 3 } }, place);

  expect(found.map(({ keys, value }) => [keys, value])).toEqual(expected);
});

test("of fields, those that are undefined are left out, and no others", () => {
  expect(Object.entries(withoutUndefined({ a: 1, b: undefined, c: null, d: "" }))).toEqual([
    ["a", 1],
    ["c", null],
    ["d", ""],
  ]);
});

test("values whose fields differ only in their order have the same canonical JSON", () => {
  const value = { b: [{ d: 1, c: null }, "x"], a: { f: "y", e: {} } };

  expect(canonicalJson(value)).toBe('{"a":{"e":{},"f":"y"},"b":[{"c":null,"d":1},"x"]}');
});
