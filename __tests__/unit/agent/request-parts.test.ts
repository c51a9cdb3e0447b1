import { describe, expect, test } from "@jest/globals";
import { headerSecrets, querySecrets } from "../../../src/agent/request-parts.ts";
import { readAgentHeaders } from "../../../src/inputs/read-checks.ts";
import { problem, reading } from "../inputs/support/reading.ts";

const read = (text: string) => reading({ agent_headers: text }, readAgentHeaders);

test.each<[string, string, object]>([
  ["no lines", "", {}],
  ["a line", "X-Api-Key: key", { "x-api-key": "key" }],
  ["line ends of Windows", "A: 1\r\nB: 2\r\n", { a: "1", b: "2" }],
  ["blank lines and comments", "\n  \n # Key: x\nA:1\n", { a: "1" }],
  ["a line with blanks around the name", " A : 1", { a: "1" }],
  ["a scheme in another header", "X-Plan: Basic", { "x-plan": "Basic" }],
  ["a colon, blanks and letters of Latin 1 in a value", "A:  b: c \u00e9\t", { a: "b: c \u00e9" }],
])("headers are read from %s", (_what, text, headers) => {
  expect(read(text)).toEqual({ result: headers, problems: [], notes: [] });
});

describe("a problem names the line and never what is in it", () => {
  test.each([
    ["A: 1\nPRIVATE", "line 2", "no colon"],
    [": PRIVATE", "line 1", "invalid header name"],
    ["PRI VATE: PRIVATE", "line 1", "invalid header name"],
    ["PRIV\u00c0TE: PRIVATE", "line 1", "invalid header name"],
    ["A:", "line 1", "empty value"],
    ["Authorization: Bearer ", "line 1", "empty value"],
    ["authorization: basic", "line 1", "empty value"],
    ["Keep-Alive: PRIVATE", "line 1", "sets itself"],
    ["A: PRIVATE\u0000", "line 1", "can't contain"],
    ["A: PRIVATE\rB: PRIVATE", "line 1", "can't contain"],
    ["A: PRIVATE\u2713", "line 1", "can't contain"],
  ])("%j", (text, place, what) => {
    const { problems } = read(text);

    expect(problems).toEqual([problem("agent_headers", what)]);
    expect(problems[0]).toContain(`(${place})`);
    expect(problems[0]).not.toContain("PRIVATE");
  });
});

test("each line without a colon is one problem", () => {
  expect(read("PRIVATE\nPRIVATE\nA: 1")).toMatchObject({
    result: { a: "1" },
    problems: [
      problem("agent_headers", "(line 1)", "no colon"),
      problem("agent_headers", "(line 2)", "no colon"),
    ],
  });
});

test.each<[string, string[]]>([
  ["key", ["key"]],
  ["Bearer 12345678", ["Bearer 12345678", "12345678"]],
  ["Bearer 1234567", ["Bearer 1234567"]],
  ["a=12345678; b=short", ["a=12345678; b=short", "12345678"]],
])("the secrets of the header %j are its value and the parts that may be a credential", (text, secrets) => {
  expect(headerSecrets(text)).toEqual(secrets);
});

test.each<[string, string[]]>([
  ["/ok", []],
  ["/ok?a=1&b=2", []],
  ["/12345678?a=1234567", []],
  ["/ok?key=1234567%21", ["1234567!"]],
  ["/ok?a=12345678&b=?", ["12345678"]],
])("the secrets of the path %s are the long values in its query", (path, secrets) => {
  expect(querySecrets(path)).toEqual(secrets);
});
