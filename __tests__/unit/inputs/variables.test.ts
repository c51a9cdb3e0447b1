import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readAllVariables, readVariables } from "../../../src/inputs/variables.ts";
import type { Variable } from "../../../src/platform/desired-deployment.ts";
import { anyText } from "../support/any-text.ts";
import { problem, reading } from "./support/reading.ts";

function read(text: string) {
  const { result, problems, notes } = reading({ secrets: text }, (reader) =>
    readVariables(reader, "secrets"),
  );
  return { secrets: result, problems, notes };
}

const badName = (place: string) =>
  problem("secrets", "not made of letters, digits and _, or starts with a digit", `(${place})`);
const twice = (place: string) => problem("secrets", "the same name twice", `(${place})`);
const emptyValue = (place: string) => problem("secrets", "empty value", `(${place})`);
const noEquals = (line: number) => `Input secrets has no = in line ${line}. Write each line as NAME=value.`;
const unclosed = (line: number) => problem("secrets", "several lines (<<)", "delimiter", `(line ${line})`);
const notString = (place: string) => problem("secrets", "not a string", `(${place})`);
const githubToken = (place: string) =>
  problem("secrets", "github_token", `(${place})`, "toJSON(secrets)", "List the secrets individually");

describe("secrets as lines", () => {
  test.each<[string, string, Record<string, string>]>([
    ["nothing", "", {}],
    ["blank lines and comments", "\n  \n# A=1\n  # B=2\n", {}],
    ["values up to the end of the line", "A= b c \nB=#x=y==\nC='q'", { A: " b c ", B: "#x=y==", C: "'q'" }],
    ["line ends of Windows", "A=1\r\nB=2\r\n", { A: "1", B: "2" }],
    ["values of several lines", "A<<E\none\n\n# two\nC=3\nE\nB=2", { A: "one\n\n# two\nC=3", B: "2" }],
    ["values of several lines of Windows", "A<<END\r\none\r\ntwo\r\nEND\r\n", { A: "one\ntwo" }],
    ["a delimiter with odd characters", "A<<== x\nv\n== x", { A: "v" }],
    ["<< in a value", "A=b<<c", { A: "b<<c" }],
    ["= in a delimiter", "A<<B=C\nv\nB=C", { A: "v" }],
    ["a delimiter within a line", "A<<END\nTHE END\nEND", { A: "THE END" }],
    ["names with _ and digits", "_a1=x\nA_=y", { _a1: "x", A_: "y" }],
  ])("may have %s", (_what, text, expected) => {
    const { secrets, problems } = read(text);

    expect(problems).toEqual([]);
    expect(Object.fromEntries(secrets.map(({ name, value }) => [name, value]))).toEqual(expected);
  });

  test.each<[string, string, unknown[]]>([
    ["a name that starts with a digit", "1A=content", [badName("line 1")]],
    ["a name with a blank in it", "A B=content", [badName("line 1")]],
    ["a blank after a name", "A =content", [badName("line 1")]],
    ["a blank before a name", "A=1\n  B=content", [badName("line 2")]],
    ["export before a name", "export A=content", [badName("line 1")]],
    ["a byte order mark", "\uFEFFA=content", [badName("line 1")]],
    ["a name that ends with -", "A-=content", [badName("line 1")]],
    ["no name", "=content", [badName("line 1")]],
    ["a line without =", "A=1\ncontent", [noEquals(2)]],
    ["a name twice", "A=content\n\nA=content2", [twice("line 3")]],
    ["an empty value", "A=\nB=1", [emptyValue("line 1")]],
    ["what may be a key in Base32", "JBSWYQDPEHPKXPX=", [emptyValue("line 1")]],
    [
      "the last line of a private key that looks like a word, which is not shown",
      "B=content\ncontent\nQUJDREVG=",
      [noEquals(2), emptyValue("line 3")],
    ],
    ["a named secret that is empty", "B=1\nMODEL_API_KEY=", [emptyValue("line 2")]],
    ["the last line of a private key, which is not shown", "B=1\nQUJDREVGR0g=", [emptyValue("line 2")]],
    ["an empty value of several lines", "A<<E\nE", [emptyValue("line 1")]],
    ["a value without its end", "A=1\nB<<E\ncontent\n", [unclosed(2)]],
    ["an empty delimiter", "B<<\ncontent\n\n", [noEquals(1), noEquals(2)]],
    ["github_token", "github_token=content", [githubToken("line 1")]],
    ["GITHUB_TOKEN", "GITHUB_TOKEN=content", [githubToken("line 1")]],
    [
      "a mistake of every kind",
      "1=content\ncontent\nB=\nB=1\ncontent\nC<<END\ncontent",
      [badName("line 1"), noEquals(2), emptyValue("line 3"), twice("line 4"), noEquals(5), unclosed(6)],
    ],
    [
      "several mistakes in one line, of which one is shown",
      "github_token=x\ngithub_token=",
      [githubToken("line 1"), twice("line 2")],
    ],
  ])("cannot have %s", (_what, text, problems) => {
    expect(read(text).problems).toEqual(problems);
  });
});

describe("secrets as JSON", () => {
  test("are one object of strings", () => {
    expect(read(' {"A": "x", "B": "a\\nb", "__proto__": "p"}')).toEqual({
      secrets: [
        { name: "A", value: "x" },
        { name: "B", value: "a\nb" },
        { name: "__proto__", value: "p" },
      ],
      problems: [],
      notes: [],
    });
    expect(read("{}")).toMatchObject({ secrets: [], problems: [] });
  });

  const notJson = "Input secrets starts with { but is not a JSON object.";
  test.each<[string, string, unknown[]]>([
    ["a byte order mark", '\uFEFF{"A": "content"}', [notJson]],
    ["a missing end", '{"A": "content"', [notJson]],
    ["a line end in a value", '{\n"A": "content\ncontent"\n}', [notJson]],
    ["more after it", '{"A": "content"} x', [notJson]],
    ["a comma too many", '{"A": "content",}', [notJson]],
    ["a number", '{"A": 9999}', [notString("A")]],
    ["null", '{"A": null}', [notString("A")]],
    ["a name twice, in several lines", '{\n"A": "content",\n"A": "content2"}', [twice("line 3")]],
    ["an object as a value", '{"A": {"B": "content"}}', [notString("A")]],
    ["a bad name", '{"a-b": "content"}', [badName("entry 1")]],
    ["a bad name with a number", '{"x": "content", "a-b": 9999}', [notString("entry 2")]],
    ["an empty value", '{"Model2": ""}', [emptyValue("Model2")]],
    ["a named secret that is empty", '{"MODEL_API_KEY": ""}', [emptyValue("MODEL_API_KEY")]],
    ["github_token", '{"github_token": "content"}', [githubToken("github_token")]],
    ["a name twice", '{"A": "content", "A": "content2"}', [twice("line 1")]],
    ["a name twice, once escaped", '{"A": "content", "\\u0041": "content2"}', [twice("line 1")]],
    ["a quote in a name", '{"B": "x", ":\\"B": "y"}', [badName("entry 2")]],
    [
      "several mistakes",
      '{"a-b": "x", "A": 1, "B": "", "C": "y", "C": "z"}',
      [badName("entry 1"), notString("A"), emptyValue("B"), twice("line 1")],
    ],
  ])("cannot have %s, and no value is quoted", (_what, text, expected) => {
    const { problems } = read(text);

    expect(problems).toEqual(expected);
    expect(problems.join("\n")).not.toMatch(/content|9999/);
  });

  test.each([
    ["a colon or a brace", '{"A": "x", "B": "\\"A\\": y", "C": "}\\":"}'],
    ["the name of another secret", '{"A": "B", "B": "A", "C": "B"}'],
    ["a million characters", JSON.stringify({ A: "x".repeat(1_000_000) })],
  ])("may have a value with %s", (_what, text) => {
    expect(read(text)).toMatchObject({
      problems: [],
      secrets: [{ name: "A" }, ...read(text).secrets.slice(1)],
    });
  });
});

test("a value in quotes gets a warning with its name", () => {
  const { notes } = read('A="x"\nB=\'x\'\nC="x\'\nD="\nE=x"\nF=""\nG=x"y"\nH="x"y');

  expect(notes).toEqual(
    ["A", "B", "F"].map((name) => ({
      kind: "warning",
      text: expect.stringContaining(`The value of ${name} in secrets is in quotes`),
    })),
  );
});

test("env_vars are written like secrets, and a name stands in one of both", () => {
  const { result, problems } = reading(
    { secrets: "A=1\nB=2", env_vars: '{"B": "3", "C": "4"}' },
    readAllVariables,
  );

  expect(result.envVars).toEqual([
    { name: "B", value: "3" },
    { name: "C", value: "4" },
  ]);
  expect(problems).toEqual([problem("env_vars", "contains B, which is also in secrets")]);
});

test.each([
  "1ST=x",
  "MODE=one\nMODE=two",
  "MODE=",
  "MODE=one\ntwo words",
  "MOTD<<END\nnever ends",
  '{"MODE": 1}',
  "{",
])("env_vars in bad form are a problem of that input (%j)", (env_vars) => {
  expect(reading({ env_vars }, readAllVariables).problems).toEqual([
    expect.stringMatching(/^Input env_vars /),
  ]);
});

const names = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,10}$/)
  .filter((name) => name.toLowerCase() !== "github_token");
const secretsWith = (value: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.record({ name: names, value }), { selector: ({ name }) => name, maxLength: 5 });

test("secrets that were written as JSON are read unchanged", () => {
  const byName = (one: Variable, other: Variable) => (one.name < other.name ? -1 : 1);
  fc.assert(
    fc.property(secretsWith(anyText({ minLength: 1 })), (secrets) => {
      const text = JSON.stringify(Object.fromEntries(secrets.map(({ name, value }) => [name, value])));
      const { problems, secrets: found } = read(text);

      expect(problems).toEqual([]);
      expect(found.toSorted(byName)).toEqual(secrets.toSorted(byName));
    }),
  );
});

test("secrets that were written as lines are read unchanged", () => {
  const line = anyText({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text));
  const lines = fc.array(line, { minLength: 2, maxLength: 4 }).map((all) => all.join("\n"));
  fc.assert(
    fc.property(secretsWith(fc.oneof(line, lines)), (secrets) => {
      const text = secrets
        .map(({ name, value }) =>
          value.includes("\n") ? `${name}<<--END--\n${value}\n--END--` : `${name}=${value}`,
        )
        .join("\n# between\n\n");

      expect(read(text)).toMatchObject({ problems: [], secrets });
    }),
  );
});
