import { describe, expect, test } from "@jest/globals";
import { judge } from "../../../src/deploy/checks/evaluate-response.ts";
import type { HttpResponse } from "../../../src/http/request.ts";
import type { Expected, SmokeTest } from "../../../src/inputs/smoke-test.ts";

const anything: Expected = {
  status: undefined,
  contains: [],
  matches: undefined,
  json: new Map(),
  maxMs: 60_000,
};
const request = {
  method: "GET",
  url: new URL("https://agent.example/ok"),
  urlInput: "custom_url",
  timeoutInput: "max_seconds",
};

interface Given {
  readonly status?: number;
  readonly headers?: HttpResponse["headers"];
  readonly expected?: Partial<Expected>;
  readonly run?: SmokeTest["run"];
}

function mismatches(text: string, { status = 200, headers = {}, expected, run }: Given = {}) {
  const test = { expected: { ...anything, ...expected }, run };
  return judge(test, { request, status, headers, text }, (one) => one.replaceAll("SECRET", "***"));
}

const json = (values: Readonly<Record<string, unknown>>): Given => ({
  expected: { json: new Map(Object.entries(values)) },
});

describe("the status", () => {
  test.each([200, 204, 299])("may be %d by default", async (status) => {
    expect(await mismatches("", { status })).toEqual([]);
  });

  test.each([199, 300, 404, 500])("can't be %d by default", async (status) => {
    const [mismatch, ...others] = await mismatches("no SECRET", { status, expected: { contains: ["x"] } });

    expect(mismatch?.expected).toBe("a 2xx status");
    expect(mismatch?.received).toMatch(new RegExp(`^${status}, `));
    expect(mismatch?.received).not.toContain("SECRET");
    expect(others).toEqual([]);
  });

  test("must be the given one", async () => {
    const expected = { status: 404 };

    expect(await mismatches("", { status: 404, expected })).toEqual([]);
    expect(await mismatches("Hello", { expected })).toEqual([
      { expected: "status 404", received: '200, "Hello"' },
    ]);
  });
});

test.each([
  ["gzip", [{ expected: "a response without content encoding", received: 'content-encoding "gzip"' }]],
  ["identity", []],
])("a response with content encoding %s", async (encoding, expected) => {
  expect(await mismatches("{}", { headers: { "content-encoding": encoding } })).toEqual(expected);
});

describe("texts", () => {
  test("must all be there, and case counts", async () => {
    const contains = ["Paris", "FRANCE", "Rome"];

    expect(await mismatches('\n "Paris, France SECRET"', { expected: { contains } })).toEqual([
      { expected: 'contains "FRANCE"', received: '"Paris, France ***"' },
      { expected: 'contains "Rome"', received: '"Paris, France ***"' },
    ]);
  });

  test("are not in an empty response", async () => {
    expect(await mismatches("", { expected: { contains: ["a"] } })).toEqual([
      { expected: 'contains "a"', received: "nothing" },
    ]);
  });
});

test.each([
  ["P.*s", []],
  ["^x", [{ expected: "matches ^x", received: "Paris ***" }]],
  ["(P+)+$", [{ expected: "matches (P+)+$", received: "Paris ***" }]],
])("expression %s", async (matches, expected) => {
  expect(await mismatches("  Paris SECRET", { expected: { matches } })).toEqual(expected);
});

test("an expression that runs away is a mismatch that says so", async () => {
  const [mismatch] = await mismatches(`${"a".repeat(40)}b`, { expected: { matches: "(a+)+$" } });

  expect(mismatch?.received).toContain("takes more than 1 s");
});

describe("values of JSON", () => {
  const text = '{"a": {"b": [1, "two", null, {"c": true, "d": 1.5}]}, "n": null, "long": "xxxxxxxx"}';

  test.each<[string, unknown]>([
    ["/a/b/0", 1],
    ["/a/b/1", "two"],
    ["/a/b/2", null],
    ["/a/b/3", { d: 1.5, c: true }],
    ["/a/b", [1, "two", null, { c: true, d: 1.5 }]],
    ["/n", null],
    ["", JSON.parse(text)],
  ])("are equal at %j", async (pointer, value) => {
    expect(await mismatches(`\n\n${text}`, json({ [pointer]: value }))).toEqual([]);
  });

  test.each<[string, unknown, string, string]>([
    ["/a/b/0", "1", 'json /a/b/0: "1"', "1"],
    ["/a/b/1", "Two", 'json /a/b/1: "Two"', '"two"'],
    ["/a/b/3", { c: true }, 'json /a/b/3: {"c":true}', '{"c":true,"d":1.5}'],
    [
      "/a/b/3",
      { c: true, d: 1.5, e: null },
      'json /a/b/3: {"c":true,"d":1.5,"e":null}',
      '{"c":true,"d":1.5}',
    ],
    ["/n", false, "json /n: false", "null"],
    ["/missing", null, "json /missing: null", "nothing"],
    ["/a/b/9", null, "json /a/b/9: null", "nothing"],
    ["/long", null, "json /long: null", '"xxxxxxxx"'],
  ])("differ at %j from %j", async (pointer, value, expected, received) => {
    expect(await mismatches(text, json({ [pointer]: value }))).toEqual([{ expected, received }]);
  });

  test("show what is around the difference", async () => {
    const long = "x".repeat(1000);

    const [mismatch] = await mismatches(JSON.stringify({ a: `${long}B` }), json({ "/a": `${long}A` }));

    expect(mismatch?.received).toMatch(/^…x{80}B"$/);
  });

  test("are not in a response that is not JSON", async () => {
    expect(await mismatches("<html>", json({ "/a": 1, "": null }))).toEqual([
      { expected: "json /a: 1", received: "a response that is not JSON" },
      { expected: "json : null", received: "a response that is not JSON" },
    ]);
  });
});

describe("a run", () => {
  const run = { graph: "agent", interrupted: false };

  test.each([
    '{"messages": []}',
    '\n\n{"__error__": null}',
    '{"__interrupt__": null}',
    '{"__interrupt__": []}',
    '{"__interrupt__": {}}',
    '{"a": {"__error__": 1}}',
  ])("may end as %j", async (text) => {
    expect(await mismatches(text, { run })).toEqual([]);
  });

  test.each([
    ['{"__error__": {"message": "SECRET"}}', "a run without __error__", '__error__ {"message":"***"}'],
    [
      '{"__error__": {"error": "Error", "message": "No SECRET"}}',
      "a run without __error__",
      '"Error: No ***"',
    ],
    ['{"__error__": ""}', "a run without __error__", '__error__ ""'],
    ['{"__interrupt__": [1]}', "a run without __interrupt__", "__interrupt__ [1]"],
    ["", "the final state of the run, as a JSON object", "nothing"],
    [" <html>", "the final state of the run, as a JSON object", "<html>"],
    ["[1]", "the final state of the run, as a JSON object", "[1]"],
  ])("can't end as %j", async (text, expected, received) => {
    expect(await mismatches(text, { run })).toEqual([{ expected, received }]);
  });

  test("that has to be interrupted must be", async () => {
    const interrupted = { ...run, interrupted: true };

    expect(await mismatches('{"__interrupt__": [1]}', { run: interrupted })).toEqual([]);
    expect(await mismatches('{"a": 1}', { run: interrupted })).toEqual([
      { expected: "a run with __interrupt__", received: '{"a": 1}' },
    ]);
    expect(await mismatches('{"__error__": 1, "__interrupt__": [1]}', { run: interrupted })).toHaveLength(1);
  });

  test("is judged by its response too", async () => {
    expect(await mismatches('{"a": 1}', { run, ...json({ "/a": 2 }) })).toHaveLength(1);
  });

  test("means nothing to another request", async () => {
    expect(await mismatches('{"__error__": 1}')).toEqual([]);
  });
});
