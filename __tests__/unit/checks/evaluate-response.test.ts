import { describe, expect, test } from "@jest/globals";
import { evaluateResponse } from "../../../src/checks/evaluate-response.ts";
import type { SmokeTest } from "../../../src/checks/smoke-test.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import { rawText, text as words } from "../../../src/text/message.ts";

const anything: SmokeTest["expect"] = { json: {}, max_seconds: 60 };
const request = { method: "GET", url: new URL("https://agent.example/ok"), hintFor: () => words`Check it.` };

interface Given {
  readonly status?: number;
  readonly headers?: HttpResponse["headers"];
  readonly expected?: Partial<SmokeTest["expect"]>;
  readonly run?: SmokeTest["run"];
}

function evaluate(body: string, { status = 200, headers = {}, expected, run }: Given = {}) {
  const test = { expect: { ...anything, ...expected }, run };
  return evaluateResponse(
    test,
    { request, status, headers, body, bytes: Buffer.from(body) },
    {
      urlHint: words`Check the address.`,
      statusHint: (code) =>
        [404, 409, 418, 422].includes(code) ? undefined : words`Hint of status ${code}.`,
    },
  );
}

/** What is wrong with a response, as people read it. */
function mismatches(text: string, given?: Given) {
  const found = evaluate(text, given);
  return found.map((one) => ({ expected: rawText(one.expected), received: rawText(one.received) }));
}

const json = (values: Readonly<Record<string, unknown>>): Given => ({
  expected: { json: values },
});

describe("the status", () => {
  test.each([200, 204, 299])("may be %d by default", (status) => {
    expect(mismatches("", { status })).toEqual([]);
  });

  test.each([199, 300, 404, 500])("can't be %d by default", (status) => {
    const [mismatch, ...others] = mismatches("no", { status, expected: { contains: ["x"] } });

    expect(mismatch?.expected).toBe("a 2xx status");
    expect(mismatch?.received).toMatch(new RegExp(`^${status}, `));
    expect(others).toEqual([]);
  });

  test("must be the given one", () => {
    const expected = { status: 404 };

    expect(mismatches("", { status: 404, expected })).toEqual([]);
    expect(mismatches("Hello", { expected })).toEqual([{ expected: "status 404", received: "200, Hello" }]);
  });
});

describe("texts", () => {
  test("must all be there, and case counts", () => {
    const contains = ["Paris", "FRANCE", "Rome"];

    expect(mismatches('\n "Paris, France"', { expected: { contains } })).toEqual([
      { expected: "a response that contains FRANCE", received: '"Paris, France"' },
      { expected: "a response that contains Rome", received: '"Paris, France"' },
    ]);
  });

  test("may be in a string of JSON, where they have no escapes", () => {
    const body = String.raw`{"messages":[{"content":"say \"hi\"\nnow"}]}`;
    const contains = ['say "hi"', "\nnow", String.raw`say \"hi`, "}]}"];

    expect(mismatches(body, { expected: { contains } })).toEqual([]);
    expect(mismatches(body, { expected: { contains: ['"now"', 'content "say'] } })).toHaveLength(2);
  });

  test("may be in any string of JSON, with null beside it", () => {
    const body = String.raw`{"a":null,"b":"x","c":"say \"hi\""}`;

    expect(mismatches(body, { expected: { contains: ['say "hi"'] } })).toEqual([]);
  });

  test("are not in an empty response", () => {
    expect(mismatches("", { expected: { contains: ["a"] } })).toEqual([
      { expected: "a response that contains a", received: "nothing" },
    ]);
  });
});

test.each([
  ["P.*s", []],
  ["^x", [{ expected: "a response that matches ^x", received: "Paris" }]],
  ["(P+)+$", [{ expected: "a response that matches (P+)+$", received: "Paris" }]],
])("expression %s", (matches, expected) => {
  expect(mismatches("  Paris", { expected: { matches } })).toEqual(expected);
});

test("an expression that runs away could not be evaluated", () => {
  const found = evaluate(`${"a".repeat(40)}b`, { expected: { matches: "(a+)+$" } });

  expect(found.map(({ hint }) => rawText(hint))).toEqual([
    "The expression can't be evaluated: Script execution timed out after 1000ms. Simplify matches in smoke_tests.",
  ]);
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
  ])("are equal at %j", (pointer, value) => {
    expect(mismatches(`\n\n${text}`, json({ [pointer]: value }))).toEqual([]);
  });

  test.each<[string, unknown, string, string]>([
    ["/a/b/0", "1", '"1" at /a/b/0', "1 at /a/b/0"],
    ["/a/b/1", "Two", '"Two" at /a/b/1', '"two" at /a/b/1'],
    ["/a/b/3", { c: true }, '{"c":true} at /a/b/3', '{"c":true,"d":1.5} at /a/b/3'],
    [
      "/a/b/3",
      { c: true, d: 1.5, e: null },
      '{"c":true,"d":1.5,"e":null} at /a/b/3',
      '{"c":true,"d":1.5} at /a/b/3',
    ],
    ["/n", false, "false at /n", "null at /n"],
    ["/missing", null, "null at /missing", `nothing at /missing in ${text}`],
    ["/a/b/9", null, "null at /a/b/9", `nothing at /a/b/9 in ${text}`],
    ["/long", null, "null at /long", '"xxxxxxxx" at /long'],
  ])("differ at %j from %j", (pointer, value, expected, received) => {
    expect(mismatches(text, json({ [pointer]: value }))).toEqual([{ expected, received }]);
  });

  test("are shown in place of the last message", () => {
    const state = { values: { messages: [{ type: "ai", content: "Hello" }], count: 2 } };

    const [mismatch] = mismatches(JSON.stringify(state), json({ "/values": { ...state.values, count: 1 } }));

    expect(mismatch?.received).toBe(`${JSON.stringify(state.values)} at /values`);
  });

  test("are not in a response that is not JSON", () => {
    expect(mismatches("<html>", json({ "/a": 1, "": null }))).toEqual([
      { expected: "1 at /a", received: "nothing at /a in <html>" },
      { expected: "null", received: "nothing in <html>" },
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
    '{"a": {"__error__": 1}}',
    "[1]",
    '"done"',
    "null",
  ])("may end as %j", (text) => {
    expect(mismatches(text, { run })).toEqual([]);
  });

  test.each([
    [
      '{"__error__": {"message": "No"}}',
      "a run that ends without an error",
      '{"__error__":{"message":"No"}}',
    ],
    [
      '{"__error__": {"error": "Error", "message": "No key"}}',
      "a run that ends without an error",
      "Error: No key",
    ],
    [
      '{"__error__": {"error": "Error"}}',
      "a run that ends without an error",
      '{"__error__":{"error":"Error"}}',
    ],
    ['{"__error__": ""}', "a run that ends without an error", '{"__error__":""}'],
    ['{"__interrupt__": [1]}', "a run without __interrupt__", '{"__interrupt__":[1]}'],
    ['{"__interrupt__": true}', "a run without __interrupt__", '{"__interrupt__":true}'],
    ["", "the final state of the run, as JSON", "nothing"],
    [" <html>", "the final state of the run, as JSON", "<html>"],
  ])("can't end as %j", (text, expected, received) => {
    expect(mismatches(text, { run })).toEqual([{ expected, received }]);
  });

  test("that has to be interrupted must be", () => {
    const interrupted = { ...run, interrupted: true };

    expect(mismatches('{"__interrupt__": [1]}', { run: interrupted })).toEqual([]);
    expect(mismatches('{"a": 1}', { run: interrupted })).toEqual([
      { expected: "a run with __interrupt__", received: '{"a": 1}' },
    ]);
    expect(mismatches('{"__error__": "No", "__interrupt__": [1]}', { run: interrupted })).toEqual([
      { expected: "a run that ends without an error", received: expect.stringContaining("No") },
    ]);
  });

  test.each(["Internal Server Error", '{"__error__": "No"}', ""])(
    "that has to be refused may be refused with any body (%j)",
    (text) => {
      expect(mismatches(text, { run, status: 500, expected: { status: 500 } })).toEqual([]);
    },
  );

  test("is judged by its response too", () => {
    expect(mismatches('{"a": 1}', { run, ...json({ "/a": 2 }) })).toHaveLength(1);
    expect(mismatches('{"__error__": "No"}', { run, ...json({ "/a": 2 }) })).toHaveLength(1);
  });

  test("means nothing to another request", () => {
    expect(mismatches('{"__error__": 1}')).toEqual([]);
  });
});

test("of several messages, a mismatch shows the last one", () => {
  const messages = ["first", "second", "third"].map((content) => ({ type: "ai", content }));

  expect(mismatches(JSON.stringify({ messages }), { expected: { contains: ["x"] } })).toEqual([
    { expected: "a response that contains x", received: "the last message third" },
  ]);
});

describe("the advice", () => {
  const run = (interrupted: boolean): Given => ({ run: { graph: "agent", interrupted } });

  test.each<[string, string, Given, string]>([
    [
      "after a refusal",
      "",
      { status: 401 },
      "Hint of status 401. If the test expects this refusal, set expect.status.",
    ],
    ["after an error", '{"__error__": "No"}', run(false), "Fix the error that the agent raised"],
    ["after an error of a variable", '{"__error__": "No"}', run(false), "add it to those of the agent."],
    ["after a pause", '{"__interrupt__": [1]}', run(false), "set expect: { interrupted: true } in the test"],
    ["after a run without a pause", "{}", run(true), "remove interrupted: true from the test"],
    ["after a page of a gateway", "<html>", { status: 502 }, "Hint of status 502."],
    ["after a page", "<html>", { status: 404 }, "Check the address."],
    [
      "of an unknown graph",
      "{}",
      { ...run(false), status: 404 },
      "graph in smoke_tests is one of the graphs",
    ],
    ["after too many requests", "{}", { status: 429 }, "Hint of status 429."],
    ["of an input that does not fit", "{}", { ...run(false), status: 422 }, "and that input fits it."],
    [
      "after another error of a run",
      "{}",
      { ...run(false), status: 409 },
      "Compare the expected and received",
    ],
    ["after a page with blanks before it", " \n<html>", { status: 404 }, "Check the address."],
    ["after words with a tag", "no <b>agent</b>", { status: 404 }, "Check request in smoke_tests"],
    ["after a page of a server that failed", "<html>", { status: 500 }, "Hint of status 500."],
    ["after another 404", "{}", { status: 404 }, "Check request in smoke_tests, and the agent's URL."],
    ["after another error", "{}", { status: 418 }, "Compare the expected and received"],
    ["after another response", "{}", { expected: { contains: ["x"] } }, "Compare the expected and received"],
  ])("%s says what to do", (_when, body, given, advice) => {
    const [mismatch] = evaluate(body, given);

    expect(mismatch && rawText(mismatch.hint)).toContain(advice);
  });
});
