import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRedactor } from "../../src/text/redact.ts";
import { times } from "../support/times.ts";
import { apiKey, encodings, invisibleBreaks, leaksIn } from "./support/canaries.ts";

/** Expects that nothing is left of any of these secrets in a text that `encode` makes with it. */
function expectRemoved(secrets: fc.Arbitrary<string>, encode: (text: string) => string): void {
  const around = fc.constantFrom("", "a", "ab", "abc", " and ", '"', "<p>", "ä");
  fc.assert(
    fc.property(around, secrets, around, (before, value, after) => {
      const redacted = createRedactor([value])(encode(before + value + after));

      expect(redacted).toContain("***");
      expect(redacted).not.toContain(encode(value).replaceAll(/^"|"$|=+$|^text=/g, ""));
      expect(leaksIn(redacted, { value })).toEqual([]);
    }),
    times(25),
  );
}

test.each(Object.entries(encodings))("a secret is removed from text that contains it %s", (_name, encode) => {
  // A secret of asterisks looks like what replaces it.
  const secrets = fc
    .string({ unit: "grapheme", minLength: 4 })
    // A URL parser resolves the dots of `a/..`, so that nothing of it is shown.
    .filter((text) => !/[*\r\n]|^\s|\s$|(?:^|[/\\])\.{1,2}(?:[/\\?#]|$)/.test(text));

  expectRemoved(secrets, encode);
});

test.each(Object.entries(invisibleBreaks))(
  "a secret is removed from text that breaks it %s",
  (_name, breakUp) => {
    const secrets = fc
      .string({ unit: "grapheme", minLength: 4, maxLength: 200, size: "max" })
      .filter((text) => !text.includes("*") && text.replaceAll(/[^!-~]/g, "").length >= 4);

    expectRemoved(secrets, breakUp);
  },
);

test.each(Object.entries(encodings))(
  "a secret of characters that have to be escaped is removed from text that contains it %s",
  (_name, encode) => {
    const secret = 'a<b>c&d"e\'f/g+h=i j\\k\\"l.m-n%o~péq🔑';

    const redacted = createRedactor([secret])(encode(secret));

    expect(redacted.length).toBeLessThan(encode(secret).length - secret.length + 8);
    expect(leaksIn(redacted, { secret })).toEqual([]);
  },
);

const mixed = ["<bcdefghijklmno&"];
/** An answer in JSON, with the key broken by this. */
const brokenBy = (text: string) =>
  `{"answer":"the key is ${apiKey.slice(0, 13)}${text}${apiKey.slice(13)}."}`;
const repeating = `${"{'user':'one','role':'reader'}".repeat(8)}{'password':'hunter-2-hunter'}`;
// A long secret is searched for in pieces.
const long = Array.from({ length: 90 }, (_, index) => `${index}k${index * index}`).join("");
const thousand = Array.from({ length: 1_000 }, (_, index) =>
  createHash("sha512").update(`${index}`).digest("base64"),
);

test.each<[string, readonly string[], string, string]>([
  ["three characters are left: words contain them", ["abc", "abcd"], "abc abcd", "abc ***"],
  // https://www.php.net/manual/en/function.htmlspecialchars.php
  ["HTML with three digits", ["it's-a-secret"], "of it&#039;s-a-secret here", "of *** here"],
  ["a line end in JSON", [apiKey], brokenBy(String.raw`\n`), brokenBy("").replace(apiKey, "***")],
  [
    "a line end and a tab in JSON",
    [apiKey],
    brokenBy(String.raw`\r\n\t`),
    brokenBy("").replace(apiKey, "***"),
  ],
  ["a line end in JSON in JSON", [apiKey], brokenBy(String.raw`\\n  `), brokenBy("").replace(apiKey, "***")],
  ["an invisible character", mixed, "a key: <bcdefgh\u200bijklmno& \n is none", "a key: *** \n is none"],
  [
    "the notation of Python",
    [`{"key": "it's\n\\x"}`],
    String.raw`raised '{"key": "it\'s\n\\x"}'`,
    "raised '***'",
  ],
  [
    "the notation of Python in JSON",
    [`{"key": "it's\n\\x"}`],
    JSON.stringify(String.raw`raised '{"key": "it\'s\n\\x"}'`),
    `"raised '***'"`,
  ],
  ["JSON by numbers", mixed, "\\u003a\\u003cbcdefghijklmno\\u0026\\u0020a", "\\u003a***\\u0020a"],
  ["a URI", mixed, "key=%3Cbcdefghijklmno%26%20%ff", "key=***%20%ff"],
  [
    "HTML by numbers",
    mixed,
    "&lt;&#x3C;bcdefghijklmno&amp;&gt;&#1114112;&none;",
    "&lt;***&gt;&#1114112;&none;",
  ],
  ["two that begin alike", ["abcd", "abcdefgh"], "abcd abcdefgh abcd", "*** *** ***"],
  ["one that continues another", ["one-of-two", "one-of-two-and-more"], "one-of-two-and-more", "***"],
  ["two that overlap", ["abcdefghijklm", "ijklmnopqrst"], "a abcdefghijklmnopqrst b", "a *** b"],
  ["one that repeats a part", [repeating], `a ${repeating} b`, "a *** b"],
  ["a long one after a word", [long, `Bearer ${long}`], `a ${long} Bearer ${long} b`, "a *** *** b"],
  [
    "a long one as a password",
    [long, `db://u:${long}@h/db`],
    `a ${long} db://u:${long}@h/db b`,
    "a *** *** b",
  ],
  ["a long one in JSON", [long, `{"key":"${long}"}`], `a ${long} {"key":"${long}"} b`, "a *** *** b"],
  [
    "a long one in two",
    [`p://u:${long}@h`, `Basic u:${long}@`],
    `a p://u:${long}@h Basic u:${long}@ b`,
    "a *** *** b",
  ],
  ["one of a thousand", thousand, `a ${thousand[7]} b`, "a *** b"],
])(
  "secrets are removed whole, and nothing else, in whatever order they are given: %s",
  (_what, secrets, text, redacted) => {
    expect(createRedactor(secrets)(text)).toBe(redacted);
    expect(createRedactor(secrets.toReversed())(text)).toBe(redacted);
  },
);

test.each([
  ["a line end", "abcd\nefgh", "abcd\\nefgh"],
  ["two line ends", "abcd\r\nefgh", "abcd\\r\\nefgh"],
  ["a tab", "abcd\tefgh", "abcd%09efgh"],
  ["a tab in JSON", "abcd\tefgh", "abcd\\tefgh"],
  ["a blank", "abcd efgh", "abcd&#32;efgh"],
  ["a no-break space", "abcd\u00a0efgh", "abcd\u00a0efgh"],
  ["a no-break space in JSON", '"abcd\u00a0efgh', '\\"abcd\u00a0efgh'],
  ["a backslash by its number", "abcd\\efgh", "abcd\\u005Cefgh"],
  ["a backslash in JSON", "abcd\\efgh", "abcd\\\\efgh"],
  ["an invisible character", "abcd\u200befgh", "abcd%E2%80%8Befgh"],
  ["an invisible character that was removed", "abcd\u200befgh", "abcdefgh"],
  ["one that was removed before it was escaped", "abcd&\u200befgh", "abcd&amp;efgh"],
])("a secret with %s is removed from text that escapes it", (_what, secret, text) => {
  expect(createRedactor([secret])(`key: ${text}.`)).toBe("key: ***.");
});

test.each([
  ["an unpaired surrogate", "\ud83d"],
  ["one that another one follows", "\ud83d\u200b\ude00"],
  ["a character that Unicode will never have", "\uffff"],
])("%s breaks no secret", (_what, broken) => {
  expect(createRedactor([apiKey])(`key: ${apiKey.slice(0, 9)}${broken}${apiKey.slice(9)}.`)).toBe(
    "key: ***.",
  );
});

test("a secret of any length is removed, whatever its characters are", () => {
  for (const part of ["a1", '"', "\\", "é", "🔑", "x y\n"]) {
    const secret = part.repeat(12_000 / part.length);

    expect(createRedactor([secret])(`key: ${secret}.`).replace(/[*\s]/g, "")).toBe("key:.");
  }
});

test.each([
  ["https://x-access-token:ghp_1@github.com/a/b.git: not found", "https://***@github.com/a/b.git: not found"],
  [
    "ssh://token@host/ and https://host/@user/a:b@c, mail@host",
    "ssh://***@host/ and https://host/@user/a:b@c, mail@host",
  ],
  ["https://user:part1@part2@host/a", "https://***@host/a"],
  ['{"url":"https://user:part1@part2@host","mail":"me@x"}', '{"url":"https://***@host","mail":"me@x"}'],
  ["//registry.example/:x=a, // me@host", "//registry.example/:x=a, // me@host"],
  ["http://host:8080/a@b, http://[::1]:80/a@b", "http://host:8080/a@b, http://[::1]:80/a@b"],
])(
  "in %j the user and the password of the URL are removed, although no input holds them",
  (text, redacted) => {
    expect(createRedactor([])(text)).toBe(redacted);
  },
);

test("redaction takes linear time, whatever the text is made of", () => {
  const secrets = Array.from({ length: 100 }, (_, index) => `${apiKey}-${index}`);
  const redact = createRedactor(secrets);
  const mixed = "%5C%26amp%3B&#92;u0026\\u0025\\\\%2526&amp;lt; ";

  for (const part of [
    "%25",
    "\\",
    "&amp;",
    " ",
    "\n:",
    "://",
    "\\n",
    "+",
    '\\"',
    "\u001b",
    "\u001b[",
    "\u001b]",
    "\u009d",
    "\u200b",
    "\\u001b[",
    "/",
    mixed,
    apiKey,
    [...apiKey].join(" "),
  ]) {
    expect(redact(`${part.repeat(50_000 / part.length)}\n${secrets[7]}`)).toMatch(/\*\*\*$/);
  }
});

test("a secret over several lines is removed from each of them, and no line end is", () => {
  const redact = createRedactor(["p4ssw0rd\n\nof-the\ndatabase"]);

  expect(redact("KEY=p4ssw0rd\r\n\r\nof-the\r\ndatabase end")).toBe("KEY=***\n\n***\n*** end");
  expect(redact("a\n\nb")).toBe("a\n\nb");
});

test("a visible text without secrets stays as it is", () => {
  const visible = fc
    .string({ unit: "grapheme" })
    .map((text) => text.replaceAll(/(?! )[\p{C}\p{DI}\p{Z}\u2800]/gu, ""));
  fc.assert(
    fc.property(visible, (text) => {
      expect(createRedactor([])(text)).toBe(text);
      expect(createRedactor(["canary-value"])(text)).toBe(text);
    }),
    times(100),
  );
});
