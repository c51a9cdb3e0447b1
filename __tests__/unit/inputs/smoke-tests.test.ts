import { describe, expect, test } from "@jest/globals";
import { parseSmokeTests, readSmokeTests } from "../../../src/inputs/smoke-tests.ts";
import { maxYamlLength } from "../../../src/inputs/yaml.ts";
import { plain as plainText, reading } from "./support/reading.ts";

const anything = {
  status: undefined,
  contains: [],
  matches: undefined,
  json: new Map(),
  maxMs: 60_000,
};
const plain = {
  name: "ok",
  method: "GET",
  path: "/ok",
  headers: {},
  body: undefined,
  run: undefined,
  expected: anything,
  repeat: 1,
  pass: 1,
};

/** What is wrong with one item of these lines. */
function problemsOf(item: string): readonly string[] {
  return parseSmokeTests(item).problems.map(plainText);
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
        expected: {
          status: 200,
          contains: ["Paris", "France"],
          matches: "paris|^x",
          json: new Map<string, unknown>([
            ["/messages/1/type", "ai"],
            ["/a~1b", null],
            ["", { a: [1, 2.5, true] }],
          ]),
          maxMs: 2500,
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
        expected: { ...anything, contains: ["one"] },
        ...{ repeat: 3, pass: 3 },
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
    test1(`body: ${"[".repeat(50)}${"]".repeat(50)}`),
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
    ["- x", /item 1: it must be a map/],
    ["- ~", /item 1: it must be a map/],
    ["- [a]", /item 1: it must be a map/],
    ["- name: ok\n  request: ' GET /ok'", /request must be a method/],
    ["- name: ok\n  request: GET", /request must be a method/],
    ["- request: GET /ok", /item 1: name must be set/],
    ["- name: 5\n  request: GET /ok", /item 1: name must be text/],
    ["- name: ''\n  request: GET /ok", /item 1: name must be text that is not empty/],
    ["- name: ok", /item 1 \("ok"\): graph or request must be set, but it has only name$/],
    [
      "- name: ok\n  graf: agent\n  input: {}",
      /item 1 \("ok"\): graf is not a known key of a test with graph\. Did you mean graph\?/,
    ],
    [
      `${run}  expect: { contains: Paris, Lyon }`,
      /expect\.Lyon is not a known key of a test with graph\. Quote any text that contains a comma\. Allowed/,
    ],
    ["- name: ok\n  requests: GET /ok", /requests is not a known key .* Did you mean request\?/],
    [
      "- name: ok\n  url: /ok\n  method: GET",
      /^has a mistake in item 1 \("ok"\): graph or request must be set, but it has only name, url and method$/,
    ],
    [
      `${run}  request: GET /`,
      /request is not a known key of a test with graph\. Allowed keys: name, .*, graph, input/,
    ],
    ["- name: ok\n  graph: agent", /input must be set/],
    [
      "- name: ok\n  graph: agent\n  inputs: {}",
      /inputs is not a known key .*\. Did you mean input\? Allowed/,
    ],
    ["- name: ok\n  graph: agent\n  input: hello", /input must be a map/],
    ["- name: ok\n  graph: agent\n  input: [1]", /input must be a map/],
    ["- name: ok\n  graph:\n  input: {}", /graph must be text/],
    ["- name: ' '\n  request: GET /ok", /name must be more than white space/],
    ["- name: ok\n  graph: agent\n  input:", /input must be a map/],
    [`${ok}  expect:`, /expect must be a map/],
    [`${ok}  expect: {}`, /expect must not be empty/],
    [`${ok}  expect: { status: }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { contains: }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { contains: [] }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { matches: }`, /expect\.matches must be text/],
    [`${ok}  expect: { json: }`, /expect\.json must be a map/],
    [`${ok}  expect: { json: {} }`, /expect\.json must not be empty/],
    [
      `${ok}  expect: { json: { /a: 9007199254740993 } }`,
      /expect\.json\.\/a must be JSON.*whole numbers beyond 2\^53/,
    ],
    [`${ok}  expect: { max_seconds: }`, /expect\.max_seconds must be/],
    [`${run}  expect: { interrupted: }`, /expect\.interrupted must be true or false/],
    [`${ok}  repeat:`, /repeat must be a whole number/],
    [`${ok}  repeat: 2\n  pass:`, /pass must be a whole number/],
    [`${run}  body: {}`, /body is not a known key of a test with graph/],
    [`${run}  headers: {}`, /headers is not a known key of a test with graph/],
    [`${ok}  input: {}`, /input is not a known key of a test with request/],
    [`${ok}  config: {}`, /config is not a known key of a test with request/],
    [`${ok}  context: {}`, /context is not a known key of a test with request/],
    [`${ok}  expect: { interrupted: true }`, /expect\.interrupted is not a known key of a test with request/],
    [`${run}  expect: { interrupted: maybe }`, /expect\.interrupted must be true or false/],
    [
      `${ok}  expects: {}`,
      /expects is not a known key of a test with request\. Did you mean expect\? Allowed keys: name, repeat, pass, request, body, headers, expect$/,
    ],
    [
      `${ok}  expect: { stauts: 1 }`,
      /expect\.stauts .* Did you mean expect\.status\? Allowed keys: status, contains/,
    ],
    [`${ok}  expect: 200`, /expect must be a map/],
    [`${ok}  expect: { status: 2xx }`, /expect\.status must be a whole number from 100 to 599/],
    [`${ok}  expect: { status: 99 }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { status: 600 }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { status: 200.5 }`, /expect\.status must be a whole number/],
    [`${ok}  expect: { contains: 5 }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { contains: [a, 5] }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { contains: "" }`, /expect\.contains must be text or a list of texts/],
    [`${ok}  expect: { matches: "(" }`, /expect\.matches must be a regular expression.*Unterminated/],
    [`${ok}  expect: { matches: 5 }`, /expect\.matches must be text/],
    [`${ok}  expect: { json: { a: 1 } }`, /expect\.json\.a is not a JSON Pointer/],
    [`${ok}  expect: { json: { __proto__: 1 } }`, /expect\.json\.__proto__ is not a JSON Pointer/],
    ...["#", "#/a", "/~", "/~2", "/a~/b", " /a"].map((pointer): [string, RegExp] => [
      `${ok}  expect: { json: { "${pointer}": 1 } }`,
      new RegExp(`expect\\.json\\.${pointer} is not a JSON Pointer`),
    ]),
    [`${ok}  expect: { json: [1] }`, /expect\.json must be a map/],
    [`${ok}  expect: { json: { /a: .nan } }`, /expect\.json\.\/a must be JSON/],
    [
      `${ok}  expect: { max_seconds: 0 }`,
      /expect\.max_seconds must be a number of seconds above 0 and up to 86400/,
    ],
    [`${ok}  expect: { max_seconds: 86401 }`, /expect\.max_seconds must be/],
    [`${ok}  expect: { max_seconds: "5" }`, /expect\.max_seconds must be/],
    [`${ok}  repeat: 0`, /repeat must be a whole number from 1 to 100/],
    [`${ok}  repeat: 101`, /repeat must be a whole number from 1 to 100/],
    [`${ok}  pass: 2`, /pass needs repeat$/],
    [`${ok}  repeat: 3\n  pass: 4`, /pass must not be larger than repeat$/],
    [`${ok}  body: .inf`, /body must be JSON of at most 50 levels/],
    [`${ok}  body: &a [*a, *a]`, /body must be JSON of at most 50 levels, without .* loops/],
    [`${ok}  body: ${"[".repeat(51)}${"]".repeat(51)}`, /body must be JSON of at most 50 levels/],
    [`${ok}  headers: { Host: x }`, /headers\.Host sets host, which the action sets itself/],
    [`${ok}  headers: { X: 5 }`, /headers\.X must have text/],
    [`${ok}  headers: { X: "" }`, /headers\.X has an empty value/],
    [`${ok}  headers: [x]`, /headers must be a map/],
    ["- name: ok\n  request: GET", /request must be a method \(GET, HEAD, .*\), a space and a path/],
    ["- name: ok\n  request: get /ok", /request must be a method/],
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

  test("a request that is no regular expression, which it need not be", () => {
    expect(problemsOf("- name: ok\n  request: (")).toEqual([
      expect.stringMatching(/: request must be a method \(.*\), a space and a path, such as [^()]*$/),
    ]);
  });

  test("the second item, with all of its mistakes", () => {
    expect(problemsOf(`${ok}- name: b\n  request: X\n  repeat: x\n  foo: 1`)).toEqual([
      expect.stringMatching(/item 2 \("b"\): repeat must be/),
      expect.stringMatching(/item 2 \("b"\): request must be/),
      expect.stringMatching(/item 2 \("b"\): foo is not a known key/),
    ]);
  });
});

describe("the whole text is refused if it", () => {
  test.each<[string, string, RegExp]>([
    ["is no list", "name: ok", /must be a list of at least one test/],
    ["is a comment", "# nothing", /must be a list/],
    ["is an empty list", "[]", /must be a list/],
    [
      "is not YAML",
      "- a: b: c",
      /is not valid YAML \(line 1\): "Nested mappings .* compact mappings"\. Quote any/,
    ],
    [
      "has a colon in a text",
      "- input: { a: Reply: b }",
      /is not valid YAML \(line 1\): "Block coll.*"\. Quote any text that contains a colon followed by a space$/,
    ],
    ["is indented too far", "- a: b\n    c: d", /is not valid YAML \(line 2\): "Nested [^.]*"$/],
    ["has a key that is no text", "- ? [a]\n  : b", /is not valid YAML \(line 1\): "With stringKeys/],
    [
      "has an alias of a list as a key",
      "- &a [x]\n- { *a : b }",
      /is not valid YAML \(line 2\): "With stringKeys/,
    ],
    [
      "has an item without a dash",
      "# tests\nname: a\n  request: GET /",
      /is not valid YAML \(line 3\): .*\. It must be a list, in which each test starts with -$/,
    ],
    ["is not YAML in a later line", "- a\n- b\n\t- c", /is not valid YAML \(line 3\)/],
    ["has two documents", "- a\n---\n- b", /is more than one YAML document: remove the "---" \(line 2\)/],
    ["has a tag of its own", "- !js x", /is not valid YAML.*Unresolved tag/],
    ["has a tag of binary data", "- !!binary aGk=", /is not valid YAML.*Unresolved tag/],
    ["has an unknown alias", "- *a", /YAML.*alias/i],
    ["has a duplicate key", "- name: a\n  name: b", /has the same key twice \(line 2\)/],
    ["has a duplicate key in JSON", '[{"a": 1, "a": 2}]', /has the same key twice \(line 1\)/],
    ["is nested too deep", "[".repeat(10_000), /YAML/],
    ["is too long", "#".repeat(maxYamlLength + 1), /has 32769 characters, more than the 32768/],
    ["has too many tests", "- x\n".repeat(101), /has 101 tests, more than the 100/],
  ])("a text that %s is refused, and no test is read from it", (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
    expect(parseSmokeTests(text).tests).toEqual([]);
  });

  test.each([
    ["a key without its colon", "- name: a\n  graph agent\n  input: {}\n", 2],
    ["a last key without its colon", "- name: a\n  graph: agent\n  input {}\n", 3],
    ["no blank after a colon", "- name: a\n  graph:agent\n  input: {}\n", 2],
    ["a line that is indented too far", "- name: a\n  graph: agent\n    input: {}\n", 3],
    ["a line that is not indented enough", "- name: a\n  graph: agent\n input: {}\n", 3],
    ["a line that is not indented", "- name: a\ngraph: agent\n", 2],
    ["a line that starts with a tab", "- name: a\n\tgraph: agent\n", 2],
    ["a line of a map that starts with a tab", "- name: a\n  expect:\n\tstatus: 200\n", 3],
    ["a tab at the end of an indentation", "- name: a\n  expect:\n  \tstatus: 200\n", 3],
    ["a missing }", "- name: a\n  input: { x: 1\n  graph: agent\n", 2],
    ["a missing } in the last line", "- name: a\n  graph: agent\n  input: { x: 1\n", 3],
    ["a missing } around another map", "- name: a\n  expect: { json: { a: 1 }\n  graph: agent\n", 2],
    ["a missing ]", "- name: a\n  expect: { contains: [x, y }\n  graph: agent\n", 2],
    ["a missing quotation mark", '- name: a\n  graph: "agent\n  input: {}\n', 2],
    ["a missing apostrophe", "- name: 'a\n  graph: agent\n  input: {}\n", 1],
  ])("a text that has %s is refused with the line on which the mistake is", (_what, text, line) => {
    for (const ends of [text, text.replaceAll("\n", "\r\n")]) {
      expect(problemsOf(ends)).toEqual([expect.stringContaining(`is not valid YAML (line ${line}): `)]);
    }
  });

  test("has aliases that stand for a huge document", () => {
    const ten = (name: string) => `[${Array(10).fill(name).join(", ")}]`;
    const text = `- a: &a ${ten("x")}\n- b: &b ${ten("*a")}\n- c: &c ${ten("*b")}\n- d: ${ten("*c")}`;

    expect(problemsOf(text)).toEqual([expect.stringMatching(/can't be read as YAML.*alias/i)]);
  });
});

test("a text may be as long as is allowed", () => {
  const request = "- { name: ok, request: GET /ok } #";

  expect(parseSmokeTests(request.padEnd(maxYamlLength, "#"))).toEqual({ tests: [plain], problems: [] });
});

describe("a warning about texts that the test's own input contains", () => {
  const run = (name: string, contains: string) =>
    `- { name: ${name}, graph: Paris, input: { q: is Paris in France? }, expect: { contains: ${contains} } }`;
  const notesOf = (text: string) => reading({ smoke_tests: text }, readSmokeTests).notes;

  test("names each of them with its test", () => {
    expect(notesOf(`${run("one", "[Paris, Rome]")}\n${run("two", "France")}`)).toEqual([
      {
        kind: "warning",
        text: expect.stringMatching(/^Input smoke_tests .*: "Paris" \("one"\) and "France" \("two"\)\. /),
      },
    ]);
  });

  test("names an expression that matches the input, and a text that is in one of its strings", () => {
    const item = `- { name: one, graph: a, input: { q: 'say "hi" to Paris' }, expect: { contains: '"hi" to', matches: "[Pp]aris" } }`;

    expect(notesOf(item)).toEqual([
      { kind: "warning", text: expect.stringMatching(/hi.* to" \("one"\) and "\[Pp\]aris" \("one"\)\. /) },
    ]);
  });

  test.each([
    ["a run with other texts", run("one", "[paris, graph]")],
    ["an expression that the input does not match", run("one", 'Rome, matches: "^Paris|p[a]ris"')],
    [
      "a request, whose response need not repeat its body",
      "- { name: one, request: POST /x, body: { input: Paris }, expect: { contains: Paris } }",
    ],
  ])("is not given for %s", (_what, text) => {
    expect(notesOf(text)).toEqual([]);
  });
});

test("without the input there are no tests, and a mistake is one of the input", () => {
  expect(reading({ smoke_tests: " \n" }, readSmokeTests)).toEqual({ result: [], problems: [], notes: [] });
  expect(reading({ smoke_tests: "- x" }, readSmokeTests).problems).toEqual([
    "Input smoke_tests has a mistake in item 1: it must be a map with name, and with graph or request.",
  ]);
});
