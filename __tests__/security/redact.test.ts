import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRedactor } from "../../src/text/redact.ts";
import { apiKey, encodings, leaksIn, lineBreakings } from "./support/canaries.ts";

const surroundings = fc.constantFrom("", "a", "ab", "abc", " and ", '"', "<p>", "ä");

describe("a secret is removed from text", () => {
  // A secret of asterisks looks like what replaces it.
  const secrets = fc
    .string({ unit: "grapheme", minLength: 4 })
    .filter((text) => !/[*\r\n]|^\s|\s$/.test(text));

  test.each(Object.entries(encodings))("which contains it %s", (_name, encode) => {
    fc.assert(
      fc.property(surroundings, secrets, surroundings, (before, value, after) => {
        const redacted = createRedactor([value]).text(encode(before + value + after));

        expect(redacted).toContain("***");
        expect(redacted).not.toContain(encode(value).replaceAll(/^"|"$|=+$|^text=/g, ""));
        expect(leaksIn(redacted, { value })).toEqual([]);
      }),
    );
  });
});

describe("a secret of at least twelve characters is removed from text", () => {
  const secrets = fc
    .string({ unit: "grapheme", minLength: 12, maxLength: 200, size: "max" })
    .filter((text) => !text.includes("*") && text.replaceAll(/[^!-~]/g, "").length >= 12);

  test.each(Object.entries(lineBreakings))("which contains it %s", (_name, breakUp) => {
    fc.assert(
      fc.property(surroundings, secrets, surroundings, (before, value, after) => {
        const redacted = createRedactor([value]).text(breakUp(before + value + after));

        expect(redacted).toContain("***");
        expect(leaksIn(redacted, { value })).toEqual([]);
      }),
    );
  });

  test.each([
    ["late star", "the la test are late stars", "the la test are ***s"],
    ["abcdefghijk", "abcdef ghijk", "abcdef ghijk"],
    ["abcdefghijkl", "abcdef ghijkl", "***"],
  ])("unless it is shorter (%j in %j)", (secret, text, redacted) => {
    expect(createRedactor([secret]).text(text)).toBe(redacted);
  });
});

test.each([
  ["a key: abcdefgh\n  ijkl\u200bmnop \n is none", "a key: *** \n is none"],
  ["a key\\u003a\\u0061bcdefgh\\r\\nijklmno\\u0070\\u0020is none", "a key\\u003a***\\u0020is none"],
  ["key=%61b%63defghijklmno%70%20%ff", "key=***%20%ff"],
  ["&lt;&#x61;bcdefghijklmn&#111;p&gt;&#1114112;&none;", "&lt;***&gt;&#1114112;&none;"],
  ["6162636465666768 696a6b6c6d6e6f70: none", "***: none"],
])("in %j the secret is removed up to its last character, and nothing else", (text, redacted) => {
  expect(createRedactor(["abcdefghijklmnop"]).text(text)).toBe(redacted);
});

test("secrets that overlap or touch are replaced once", () => {
  const redact = createRedactor(["secret", "retire", "abcd", "cdef"]).text;

  expect(redact("a secretire of secret and secretsecret")).toBe("a *** of *** and ***");
  expect(redact("secret")).toBe("***");
  expect(redact("abcdef, abcd-cdef")).toBe("***, ***-***");
});

test.each([
  ["https://x-access-token:ghp_1@github.com/a/b.git: not found", "https://***@github.com/a/b.git: not found"],
  [
    "ssh://token@host/ and https://host/@user/a:b@c, mail@host",
    "ssh://***@host/ and https://host/@user/a:b@c, mail@host",
  ],
  ['{"url":"https:\\/\\/me:ghp_1@github.com\\/a"}', '{"url":"https:\\/\\/***@github.com\\/a"}'],
  ["https://user:part1@part2@host/a", "https://***@host/a"],
  ['{"url":"https://user:part1@part2@host","mail":"me@x"}', '{"url":"https://***@host","mail":"me@x"}'],
  ["https://user:part1/part2#part3@host/a", "https://***@host/a"],
  ["https:/user:pw@host, https:user:pw@host", "https:/***@host, https:***@host"],
  ["https:\\\\user:pw@host and https:///user:pw@host", "https:\\\\***@host and https:///***@host"],
  ["from //user:pw@host/a", "from //***@host/a"],
  ["//registry.example/:x=a, // me@host", "//registry.example/:x=a, // me@host"],
  ["http://host:8080/a@b, http://[::1]:80/a@b", "http://host:8080/a@b, http://[::1]:80/a@b"],
  ["?to=https%3A%2F%2Fme%3Aghp_1%40github.com%2Fa", "?to=https%3A%2F%2F***%40github.com%2Fa"],
])(
  "in %j the user and the password of the URL are removed, although no input holds them",
  (text, redacted) => {
    expect(createRedactor([]).text(text)).toBe(redacted);
  },
);

test("redaction takes linear time, whatever the text is made of", () => {
  const secrets = Array.from({ length: 100 }, (_, index) => `${apiKey}-${index}`);
  const redact = createRedactor(secrets).text;
  const mixed = "%5C%26amp%3B&#92;u0026\\u0025\\\\%2526&amp;lt; ";

  for (const part of [
    "%25",
    "\\",
    "&amp;",
    " ",
    "\n:",
    "://",
    "//a:",
    "http:",
    "/",
    "0x",
    mixed,
    apiKey,
    [...apiKey].join(" "),
  ]) {
    expect(redact(`${part.repeat(50_000 / part.length)} ${secrets[7]}`)).toMatch(/\*\*\*$/);
  }
});

describe("a secret over several lines", () => {
  const secret = "p4ssw0rd-of-the-database";
  const base64 = Buffer.from(secret).toString("base64");
  const hexadecimal = Buffer.from(secret).toString("hex");

  test.each<[string, string[], string[]]>([
    ["as it is", ["KEY=p4ssw0rd-", "of-the-database end"], ["KEY=***", "*** end"]],
    ["over three lines", ["KEY=p4ssw0rd-", "of-the-", "database"], ["KEY=***", "***", "***"]],
    ["in Base64", [base64.slice(0, 20), base64.slice(20)], ["***", "***"]],
    ["in hexadecimal", [`x ${hexadecimal.slice(0, 9)}`, `${hexadecimal.slice(9)} y`], ["x ***", "*** y"]],
    ["no secret", ["a", "", "b"], ["a", "", "b"]],
  ])("is removed from each of them (%s)", (_how, lines, redacted) => {
    expect(createRedactor([secret]).lines(lines).lines).toEqual(redacted);
  });

  test.each<[string, string[], number]>([
    ["in its last line", ["a", "KEY=p4ss"], 1],
    ["in the line before", ["a", "KEY=p4ssw0rd-", "of-the-"], 1],
    ["in Base64", ["a", base64.slice(0, 8)], 1],
    ["in hexadecimal with colons", ["a", "70:34:73:73"], 1],
    ["nowhere", ["p4ss", "a"], 2],
    ["nowhere: it is complete", ["a", secret], 2],
    ["nowhere: it would be three letters", ["a", "p4s"], 2],
  ])("leaves open what follows from the line in which it may begin (%s)", (_where, lines, unfinishedFrom) => {
    expect(createRedactor([secret]).lines(lines).unfinishedFrom).toBe(unfinishedFrom);
  });
});

test("a text without secrets stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(createRedactor([]).text(text)).toBe(text);
      expect(createRedactor(["canary-value"]).text(text)).toBe(text);
    }),
  );
});
