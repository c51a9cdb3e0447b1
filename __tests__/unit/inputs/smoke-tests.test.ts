import { describe, expect, test } from "@jest/globals";
import { readSmokeTests } from "../../../src/inputs/smoke-tests.ts";
import { reading } from "./support/reading.ts";

const anything = { json: {}, max_seconds: 60 };
const plain = {
  name: "ok",
  method: "GET",
  path: "/ok",
  headers: {},
  body: undefined,
  run: undefined,
  expect: anything,
  repeat: 1,
};

/** The tests of a text, and what is wrong with others. */
function parseSmokeTests(text: string) {
  const { result: tests, problems } = reading({ smoke_tests: text }, readSmokeTests);
  return { tests, problems };
}

function problemsOf(text: string): readonly string[] {
  return parseSmokeTests(text).problems;
}

test("a request needs only a name and a line", () => {
  expect(parseSmokeTests("- name: ok\n  request: GET /ok\n")).toEqual({ tests: [plain], problems: [] });
});

test("JSON is YAML too, and a byte order mark is ignored", () => {
  const text = `\ufeff${JSON.stringify([{ name: "ok", request: "GET /ok" }])}`;

  expect(parseSmokeTests(text)).toEqual({ tests: [plain], problems: [] });
});

test("every key of a run is read", () => {
  const text = `
- name: capital
  graph: agent
  input:
    messages: [{ role: user, content: "Capital of France?" }]
  config: { configurable: { model: small } }
  context: { user: me }
  expect:
    status: 200
    contains: [Paris, France]
    matches: '(?i)paris|^x'
    json:
      /messages/1/type: ai
      /a~1b: null
      "": { a: [1, 2.5, true] }
    interrupted: true
    max_seconds: 2.5
  repeat: 5
  pass: 4
`.replace("(?i)", "");

  expect(parseSmokeTests(text)).toEqual({
    tests: [
      {
        name: "capital",
        method: "POST",
        path: "/runs/wait",
        headers: {},
        body: {
          assistant_id: "agent",
          input: { messages: [{ role: "user", content: "Capital of France?" }] },
          config: { configurable: { model: "small" } },
          context: { user: "me" },
          on_completion: "delete",
        },
        run: { graph: "agent", interrupted: true },
        expect: {
          status: 200,
          contains: ["Paris", "France"],
          matches: "paris|^x",
          json: { "/messages/1/type": "ai", "/a~1b": null, "": { a: [1, 2.5, true] } },
          interrupted: true,
          max_seconds: 2.5,
        },
        repeat: 5,
        pass: 4,
      },
    ],
    problems: [],
  });
});

test("every key of a request is read, and aliases may be used", () => {
  const text = `
- name: one
  request: POST /threads?x=1
  headers: &h { X-Tenant: me }
  body: { a: null }
  expect: { contains: one }
  repeat: 3
- { name: two, request: DELETE /a, headers: *h, body: null }
`;

  expect(parseSmokeTests(text)).toEqual({
    tests: [
      {
        ...plain,
        ...{ name: "one", method: "POST", path: "/threads?x=1", headers: { "x-tenant": "me" } },
        body: { a: null },
        expect: { ...anything, contains: ["one"] },
        repeat: 3,
      },
      { ...plain, name: "two", method: "DELETE", path: "/a", headers: { "x-tenant": "me" }, body: null },
    ],
    problems: [],
  });
});

describe("what is just allowed is read:", () => {
  const test1 = (lines: string) => `- { name: ok, request: GET /ok, ${lines} }`;

  test.each([
    test1("expect: { status: 100, max_seconds: 86400 }"),
    test1("expect: { status: 599, max_seconds: 0.001 }"),
    test1("repeat: 100, pass: 100"),
    test1("repeat: 1, pass: 1"),
    "- { name: ok, request: GET   /ok }",
    `${test1("")}\n`.repeat(100),
  ])("%j", (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test("a run that may not be interrupted by default", () => {
    const { tests } = parseSmokeTests("- { name: ok, graph: agent, input: {} }");

    expect(tests[0]?.run).toEqual({ graph: "agent", interrupted: false });
  });
});

describe("a mistake names the item, the key and what is allowed:", () => {
  const ok = "- name: ok\n  request: GET /ok\n";
  const run = "- name: ok\n  graph: agent\n  input: {}\n";
  test.each<[string, RegExp]>([
    ["- x", /item 1: request must be set, or graph for a run\.$/],
    ["- ~", /item 1: request must be set/],
    ["- [a]", /item 1: request must be set/],
    ["- name: ok\n  request: ' GET /ok'", /request must be one of GET, /],
    ["- name: ok\n  request: GET", /request must be one of/],
    ["- request: GET /ok", /item 1: name must be set/],
    ["- name: 5\n  request: GET /ok", /item 1: name must be text/],
    ["- name: ''\n  request: GET /ok", /item 1.*: name must be text that is not empty/],
    ["- name: ok", /item 1 \("ok"\): request must be set, or graph for a run\.$/],
    [`${run}  request: GET /`, /request is not one of the keys name, repeat, pass, graph, /],
    ["- name: ok\n  graph: agent", /input must be set/],
    ["- name: ok\n  graph: agent\n  inputs: {}", /inputs is not one of the keys/],
    ["- name: ok\n  graph: agent\n  input: hello", /input must be a map/],
    ["- name: ok\n  graph: agent\n  input: [1]", /input must be a map/],
    ["- name: ok\n  graph:\n  input: {}", /graph must be text/],
    ["- name: ok\n  graph: agent\n  input:", /input must be a map/],
    [`${ok}  expect:`, /expect must be a map/],
    [`${ok}  expect: { status: }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { contains: }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { matches: }`, /expect\.matches must be text/],
    [`${ok}  expect: { json: }`, /expect\.json must be a map/],
    [`${ok}  expect: { max_seconds: }`, /expect\.max_seconds must be/],
    [`${run}  expect: { interrupted: }`, /expect\.interrupted must be true or false/],
    [`${ok}  repeat:`, /repeat must be a whole number/],
    [`${ok}  repeat: 2\n  pass:`, /pass must be a whole number/],
    [`${run}  body: {}`, /body is not one of the keys/],
    [`${run}  headers: {}`, /headers is not one of the keys/],
    [`${ok}  input: {}`, /input is not one of the keys/],
    [`${ok}  config: {}`, /config is not one of the keys/],
    [`${ok}  context: {}`, /context is not one of the keys/],
    [`${ok}  expect: { interrupted: true }`, /expect\.interrupted is not one of the keys/],
    [`${run}  expect: { interrupted: maybe }`, /expect\.interrupted must be true or false/],
    [
      `${ok}  expects: {}`,
      /expects is not one of the keys name, repeat, pass, request, body, headers, expect\.$/,
    ],
    [
      `${ok}  expect: { stauts: 1 }`,
      /expect\.stauts is not one of the keys status, contains, matches, json, max_seconds\.$/,
    ],
    [`${ok}  expect: 200`, /expect must be a map/],
    [`${ok}  expect: { status: 2xx }`, /expect\.status must be a whole number from 100 to 599/],
    [`${ok}  expect: { status: 99 }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { status: 600 }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { status: 200.5 }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { contains: 5 }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { contains: [a, 5] }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { contains: "" }`, /expect\.contains must be text that is not empty/],
    [
      `${ok}  expect: { contains: [] }`,
      /expect\.contains must be text or a list of texts, none of them empty/,
    ],
    [`${ok}  expect: { matches: "(" }`, /expect\.matches must be a regular expression of JavaScript\.$/],
    [`${ok}  expect: { matches: 5 }`, /expect\.matches must be text/],
    [`${ok}  expect: { json: { a: 1 } }`, /expect\.json\.a is not a JSON Pointer/],
    ...["answer", "#", "#/a", "/~", "/~2", "/a~/b", " /a"].map((pointer): [string, RegExp] => [
      `${ok}  expect: { json: { "${pointer}": 1 } }`,
      new RegExp(`expect\\.json\\.${pointer} is not a JSON Pointer`),
    ]),
    [`${ok}  expect: { json: [1] }`, /expect\.json must be a map/],
    [
      `${ok}  expect: { max_seconds: 0 }`,
      /expect\.max_seconds must be a number of seconds above 0 and up to 86400/,
    ],
    [`${ok}  expect: { max_seconds: 86401 }`, /expect\.max_seconds must be/],
    [`${ok}  expect: { max_seconds: "5" }`, /expect\.max_seconds must be/],
    [`${ok}  repeat: 0`, /repeat must be a whole number from 1 to 100/],
    [`${ok}  repeat: 101`, /repeat must be a whole number from 1 to 100/],
    [`${ok}  pass: 2`, /pass must not be larger than repeat\.$/],
    [`${ok}  repeat: 3\n  pass: 4`, /pass must not be larger than repeat\.$/],
    [`${ok}  headers: { "X Y": x }`, /headers\.x y has an invalid header name/],
    [`${ok}  headers: { X: 5 }`, /headers\.X must be text/],
    [`${ok}  headers: { X: "" }`, /headers\.x has an empty value/],
    [`${ok}  headers: [x]`, /headers must be a map/],
    ["- name: ok\n  request: (", /request must be one of/],
    ["- name: ok\n  request: get /ok", /request must be one of/],
    ["- name: ok\n  request: 5", /request must be text/],
    ["- name: ok\n  request: GET ok", /request must be a path that starts with exactly one \//],
    ["- name: ok\n  request: GET //evil", /request must be a path that starts with exactly one \//],
    ["- name: ok\n  request: GET /a/../b", /request must not contain the segments/],
    ["- name: ok\n  request: GET /a b", /request must not contain a space/],
    ["- name: ok\n  request: GET /a\\b", /request must not contain/],
  ])("%j", (text, problem) => {
    const problems = problemsOf(text);

    expect(problems.at(-1)).toMatch(problem);
    expect(problems).not.toContainEqual(expect.stringMatching(/[\r\n]/));
  });

  test.each([
    [`${ok}  repeat: 3\n  pass: "4"`, ["pass must be a whole number"]],
    [`${ok}  repeat: "3"\n  pass: 4`, ["repeat must be a whole number"]],
    [`${ok}  repeat: "3"\n  pass: "4"`, ["repeat must be", "pass must be"]],
  ])("%j, without comparing what is no number", (text, facts) => {
    expect(problemsOf(text)).toEqual(facts.map((fact) => expect.stringContaining(`: ${fact}`)));
  });

  test("a misspelled graph", () => {
    expect(problemsOf("- name: ok\n  graf: agent\n  input: {}")).toEqual([
      expect.stringMatching(/request must be set, or graph for a run/),
      expect.stringMatching(/graf is not one of the keys/),
    ]);
  });

  test("the second item, with all of its mistakes", () => {
    expect(problemsOf(`${ok}- name: b\n  request: X\n  repeat: x\n  foo: 1`)).toEqual([
      expect.stringMatching(/item 2 \("b"\): repeat must be/),
      expect.stringMatching(/item 2 \("b"\): request must be/),
      expect.stringMatching(/item 2 \("b"\): foo is not one of the keys/),
    ]);
  });
});

describe("the whole text is refused if it", () => {
  test.each<[string, string, RegExp]>([
    [
      "is no list",
      "name: ok",
      /^Input smoke_tests must be a list of at least one test, each an item that starts with -\.$/,
    ],
    ["is a comment", "# nothing", /must be a list/],
    ["is an empty list", "[]", /must be a list/],
    [
      "is not YAML",
      "- a: b: c",
      /^Input smoke_tests is not valid YAML \(line 1, column \d+: BLOCK_AS_IMPLICIT_KEY\)\.$/,
    ],
    ["is not YAML in a later line", "- a\n- b\n\t- c", /\(line 3, column 1: TAB_AS_INDENT\)\.$/],
    ["has two documents", "- a\n---\n- b", /\(line 2, column 1: MULTIPLE_DOCS\)\.$/],
    ["has an unknown alias", "- *a", /is not valid YAML\.$/],
    ["has an open bracket", "- name: [a\n  request: GET /ok", /is not valid YAML \(line 2, /],
    ["has a duplicate key", "- name: a\n  name: b", /\(line 2, column 3: DUPLICATE_KEY\)/],
    ["has a duplicate key in JSON", '[{"a": 1, "a": 2}]', /\(line 1, column 11: DUPLICATE_KEY\)/],
    ["is nested too deep", "[".repeat(10_000), /YAML/],
  ])("a text that %s is refused, and no test is read from it", (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
    expect(parseSmokeTests(text).tests).toEqual([]);
  });

  test.each([
    ...["*secret-42", "|secret-42\n", '"\\Usecret42"', "!!secret-42! x", "!<secret-42 x", "!secret-42!y x"],
    ...["'a' secret-42", "[secret-42", "secret-42: x: y"],
  ])("and its mistakes are shown without the text of the input: %j", (value) => {
    const problems = problemsOf(`- name: a\n  request: GET /ok\n  headers: { X-Key: ${value} }`);
    const problemsOfLine = problemsOf(`- name: a\n  request: GET /ok\n  body: ${value}`);

    expect([...problems, ...problemsOfLine].join()).toContain("is not valid YAML");
    expect([...problems, ...problemsOfLine].join()).not.toMatch(/secret/);
  });

  test("has aliases that stand for a huge document", () => {
    const ten = (name: string) => `[${Array(10).fill(name).join(", ")}]`;
    const text = `- a: &a ${ten("x")}\n- b: &b ${ten("*a")}\n- c: &c ${ten("*b")}\n- d: ${ten("*c")}`;

    expect(problemsOf(text)).toEqual([expect.stringMatching(/is not valid YAML\.$/)]);
  });
});

test("without the input there are no tests, and a mistake is one of the input", () => {
  expect(reading({ smoke_tests: " \n" }, readSmokeTests)).toEqual({ result: [], problems: [], notes: [] });
  expect(reading({ smoke_tests: "- x" }, readSmokeTests).problems).toEqual([
    "Input smoke_tests has a mistake in item 1: name must be set.",
    "Input smoke_tests has a mistake in item 1: request must be set, or graph for a run.",
  ]);
});
