import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { masksFor, readSecrets, type Secret } from "../../../src/inputs/secrets.ts";
import { SecretMasker } from "../../support/runner/secret-masker.ts";
import { anyText } from "../support/any-text.ts";
import { reading } from "./support/reading.ts";

function read(text: string) {
  const { result, problems } = reading({ secrets: text }, readSecrets);
  return { ...result, problems };
}

describe("lines", () => {
  test.each<[string, string, Record<string, string>]>([
    ["nothing", "", {}],
    ["blanks and comments", "\n  \n# A=1\n  # B=2\n", {}],
    ["to the end as it stands", "A= b c \nB=#x=y==\nC='q'", { A: " b c ", B: "#x=y==", C: "'q'" }],
    ["line ends of Windows", "A=1\r\nB=2\r\n", { A: "1", B: "2" }],
    ["several lines", "A<<END\none\n\n# two\nTHREE=3\nEND\nB=2", { A: "one\n\n# two\nTHREE=3", B: "2" }],
    ["several lines of Windows", "A<<END\r\none\r\ntwo\r\nEND\r\n", { A: "one\ntwo" }],
    ["a delimiter with odd characters", "A<<== x\nv\n== x", { A: "v" }],
    ["<< in a value", "A=b<<c", { A: "b<<c" }],
    ["= in a delimiter", "A<<B=C\nv\nB=C", { A: "v" }],
    ["a delimiter that stands inside of a line", "A<<END\nTHE END\nEND", { A: "THE END" }],
    ["names", "_a1=x\nA_=y", { _a1: "x", A_: "y" }],
  ])("%s", (_what, text, expected) => {
    expect(read(text)).toMatchObject({ problems: [] });
    expect(Object.fromEntries(read(text).entries.map(({ name, value }) => [name, value]))).toEqual(expected);
  });

  const badName = "Input secrets has a name that isn't made of letters, digits and _, or starts with a digit";
  const unclosed = "Input secrets opens a value of several lines (<<) that is never closed";
  const noValue = (line: number) =>
    `Input secrets gives an empty value (line ${line}): a secret that doesn't exist comes in empty.`;
  const githubToken =
    "Input secrets holds github_token (line 1), which toJSON(secrets) adds and which must not leave the run: pass single secrets.";

  test.each<[string, string, string[]]>([
    ["a bad name", "1A=content", [`${badName} (line 1).`]],
    ["a name with a blank", "A =content", [`${badName} (line 1).`]],
    ["a name that ends badly", "A-=content", [`${badName} (line 1).`]],
    ["no name", "=content", [`${badName} (line 1).`]],
    ["a line without =", "A=1\ncontent", ["Input secrets has no = in line 2."]],
    [
      "a name that comes twice",
      "A=content\n\nA=content2",
      ["Input secrets gives a name a second time (line 3)."],
    ],
    ["an empty value", "A=\nB=1", [noValue(1)]],
    ["an empty value of several lines", "A<<E\nE", [noValue(1)]],
    ["an unclosed value", "A=1\nB<<E\ncontent\n", [`${unclosed} (line 2).`]],
    ["an empty delimiter", "B<<\ncontent\n\n", [`${unclosed} (line 1).`]],
    ["github_token", "github_token=content", [githubToken]],
    ["GITHUB_TOKEN", "GITHUB_TOKEN=content", [githubToken]],
    [
      "several",
      "1=content\ncontent\nB=",
      [`${badName} (line 1).`, "Input secrets has no = in line 2.", noValue(3)],
    ],
    [
      "several of every kind in the order of their lines",
      "1=content\ncontent\nB=\nB=1\ncontent\nC<<END\ncontent",
      [
        `${badName} (line 1).`,
        "Input secrets has no = in line 2.",
        noValue(3),
        "Input secrets gives a name a second time (line 4).",
        "Input secrets has no = in line 5.",
        `${unclosed} (line 6).`,
      ],
    ],
    [
      "all that is wrong with one",
      "github_token=x\ngithub_token=",
      [
        githubToken,
        "Input secrets gives a name a second time (line 2).",
        noValue(2),
        githubToken.replace("line 1", "line 2"),
      ],
    ],
  ])("%s is refused by its line", (_what, text, problems) => {
    expect(read(text).problems).toEqual(problems);
  });
});

describe("JSON", () => {
  test("is one object of strings", () => {
    expect(read(' {"A": "x", "B": "a\\nb", "__proto__": "p"}')).toMatchObject({
      problems: [],
      entries: [
        { name: "A", value: "x" },
        { name: "B", value: "a\nb" },
        { name: "__proto__", value: "p" },
      ],
    });
    expect(read("{}")).toMatchObject({ entries: [], problems: [] });
  });

  test.each<[string, string, string[]]>([
    ["broken", '{"A": "content"', ["isn't one JSON object"]],
    ["followed by something", '{"A": "content"} x', ["isn't one JSON object"]],
    ["a number", '{"A": 9999}', ["a string (A)"]],
    ["null", '{"A": null}', ["a string (A)"]],
    ["an object", '{"A": {"B": "content"}}', ["a string (A)"]],
    ["a bad name", '{"a-b": "content"}', ["(entry 1)"]],
    ["a bad name and a number", '{"x": "content", "a-b": 9999}', ["(entry 2)"]],
    ["an empty value", '{"A": ""}', ["(A)"]],
    ["github_token", '{"github_token": "content"}', ["github_token"]],
    ["a name that comes twice", '{"A": "content", "A": "content2"}', ["a second time (A)"]],
    ["the same name spelled otherwise", '{"A": "content", "\\u0041": "content2"}', ["a second time (A)"]],
  ])("%s is refused", (_what, text, expected) => {
    const { problems } = read(text);
    expect(problems).toHaveLength(expected.length);
    for (const place of expected) expect(problems.join("\n")).toContain(place);
    expect(problems.join("\n")).not.toMatch(/content|9999/);
  });

  test("what is wrong is told in the order of its entries, and a name that comes twice at the end", () => {
    expect(read('{"a-b": "x", "A": 1, "B": "", "C": "y", "C": "z"}').problems).toEqual([
      "Input secrets has a name that isn't made of letters, digits and _, or starts with a digit (entry 1).",
      "Input secrets has a value that isn't a string (A).",
      "Input secrets gives an empty value (B): a secret that doesn't exist comes in empty.",
      "Input secrets gives a name a second time (C).",
    ]);
  });

  test("a colon or a brace in a value is no name", () => {
    expect(read('{"A": "x", "B": "\\"A\\": y", "C": "}\\":"}').problems).toEqual([]);
  });

  test("a value may be the name of another", () => {
    expect(read('{"A": "B", "B": "A", "C": "B"}').problems).toEqual([]);
  });

  test("a quote in a name begins no other name", () => {
    expect(read('{"B": "x", ":\\"B": "y"}').problems).toEqual([
      "Input secrets has a name that isn't made of letters, digits and _, or starts with a digit (entry 2).",
    ]);
  });

  test("of a megabyte is read", () => {
    const value = "x".repeat(1_000_000);
    expect(read(JSON.stringify({ A: value })).entries).toEqual([{ name: "A", value }]);
  });
});

test("values in quotes are known by name", () => {
  expect(read('A="x"\nB=\'x\'\nC="x\'\nD="\nE=x"\nF=""\nG=x"y"\nH="x"y').quoted).toEqual(["A", "B", "F"]);
});

const names = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,10}$/)
  .filter((name) => name.toLowerCase() !== "github_token");
const someSecrets = (value: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.record({ name: names, value }), { selector: ({ name }) => name, maxLength: 5 });

test("what is written as JSON is read as it was", () => {
  fc.assert(
    fc.property(someSecrets(anyText({ minLength: 1 })), (secrets) => {
      const text = JSON.stringify(Object.fromEntries(secrets.map(({ name, value }) => [name, value])));
      const { problems, entries: found } = read(text);
      expect(problems).toEqual([]);
      expect([...found].sort(byName)).toEqual([...secrets].sort(byName));
    }),
  );
});

test("what is written as lines is read as it was", () => {
  const line = anyText({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text));
  const lines = fc.array(line, { minLength: 2, maxLength: 4 }).map((all) => all.join("\n"));
  fc.assert(
    fc.property(someSecrets(fc.oneof(line, lines)), (secrets) => {
      const text = secrets
        .map(({ name, value }) =>
          value.includes("\n") ? `${name}<<--END--\n${value}\n--END--` : `${name}=${value}`,
        )
        .join("\n# between\n\n");
      expect(read(text)).toMatchObject({ problems: [], entries: secrets });
    }),
  );
});

test("nothing of what is wrong is told but line numbers and names of JSON", () => {
  const secret = "zq7-Very-Secret";
  const piece = fc.constantFrom(
    secret,
    "=",
    "<<",
    "\n",
    "\r\n",
    "{",
    "}",
    '"',
    ":",
    "A",
    "1",
    " ",
    "#",
    "github_token",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
      const text = pieces.join("");
      fc.pre(!text.trimStart().startsWith("{"));
      expect(read(text).problems.join("\n")).not.toContain(secret);
    }),
  );
});

describe("masks", () => {
  test.each<[string, string[]]>([
    ["", []],
    ["abc", []],
    ["abcd", ["abcd"]],
    ["true", []],
    ["False", []],
    ["  padded  ", ["  padded  ", "padded"]],
    ["first\nsecond", ["first\nsecond", "first", "second"]],
    ["first\r\nab\r\nsecond", ["first", "second"]],
    ['{\n  "a": 1\n}', ['  "a": 1', '"a": 1']],
    ["true\nlonger", ["longer"]],
    ["closed by a line end\n", ["closed by a line end\n", "closed by a line end"]],
    ["first\n\r\nsecond", ["first\n\r\nsecond", "first", "second"]],
    ["untrue", ["untrue"]],
    ["trueish", ["trueish"]],
    ["falsehood", ["falsehood"]],
    ["    x", []],
    [" true ", []],
  ])("of %j", (value, masks) => expect(new Set(masksFor(value))).toEqual(new Set(masks)));

  const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom("{", "true", "ab", "   x", " true ")), {
    maxLength: 5,
  });
  const trimmed = (text: string) => text.split(/[\r\n]/).map((line) => line.trim());
  const isTrifle = (line: string) => line.length < 4 || /^(true|false)$/i.test(line);

  test("hide each line that is no trifle", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const masker = new SecretMasker();
        for (const mask of masksFor(all.join("\n"))) masker.add(mask);
        for (const line of trimmed(all.join("\n")).filter((one) => !isTrifle(one))) {
          expect(masker.mask(line)).not.toBe(line);
        }
      }),
    );
  });

  test("hold no line that is a trifle, for the runner masks each of their lines", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const masked = masksFor(all.join("\n")).flatMap(trimmed);
        expect(masked.filter((line) => line !== "" && isTrifle(line))).toEqual([]);
      }),
    );
  });
});

function byName(one: Secret, other: Secret): number {
  return one.name < other.name ? -1 : 1;
}
