import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRedactor } from "../../src/text/redact.ts";
import { times } from "../support/times.ts";
import { apiKey, encodings, leaksIn, lineBreakings } from "./support/canaries.ts";

const surroundings = fc.constantFrom("", "a", "ab", "abc", " and ", '"', "<p>", "ä");

describe("a secret is removed from text", () => {
  // A secret of asterisks looks like what replaces it.
  const secrets = fc
    .string({ unit: "grapheme", minLength: 4 })
    // A URL parser resolves the dots of `a/..`, so that nothing of it is shown.
    .filter((text) => !/[*\r\n]|^\s|\s$|(?:^|[/\\])\.{1,2}(?:[/\\?#]|$)/.test(text));

  test.each(Object.entries(encodings))("which contains it %s", (_name, encode) => {
    fc.assert(
      fc.property(surroundings, secrets, surroundings, (before, value, after) => {
        const redacted = createRedactor([value])(encode(before + value + after));

        expect(redacted).toContain("***");
        expect(redacted).not.toContain(encode(value).replaceAll(/^"|"$|=+$|^text=/g, ""));
        expect(leaksIn(redacted, { value })).toEqual([]);
      }),
      times(25),
    );
  });
});

test.each(Object.entries(encodings))(
  "a secret of characters that have to be escaped is removed from text that contains it %s",
  (_name, encode) => {
    const secret = 'a<b>c&d"e\'f/g+h=i j\\k\\"l.m-n%o~péq🔑';

    const redacted = createRedactor([secret])(encode(secret));

    expect(redacted.length).toBeLessThan(encode(secret).length - secret.length + 8);
    expect(leaksIn(redacted, { secret })).toEqual([]);
  },
);

test("a secret of three characters is left where it is: words contain it", () => {
  expect(createRedactor(["abc", "abcd"])("abc abcd")).toBe("abc ***");
});

describe("a secret of at least twelve characters is removed from text", () => {
  const secrets = fc
    .string({ unit: "grapheme", minLength: 12, maxLength: 200, size: "max" })
    .filter((text) => !text.includes("*") && text.replaceAll(/[^!-~]/g, "").length >= 12);

  test.each(Object.entries(lineBreakings))("which contains it %s", (_name, breakUp) => {
    fc.assert(
      fc.property(surroundings, secrets, surroundings, (before, value, after) => {
        const redacted = createRedactor([value])(breakUp(before + value + after));

        expect(redacted).toContain("***");
        expect(leaksIn(redacted, { value })).toEqual([]);
      }),
      times(25),
    );
  });

  test.each([
    ["late star", "the la test are late stars", "the la test are ***s"],
    ["abcdefghijk", "abcdef ghijk", "abcdef ghijk"],
    ["abcdefghijkl", "abcdef ghijkl", "***"],
  ])("unless it is shorter (%j in %j)", (secret, text, redacted) => {
    expect(createRedactor([secret])(text)).toBe(redacted);
  });
});

test.each([
  ["a key: <bcdefgh\n  ijkl\u200bmno& \n is none", "a key: ***\n*** \n is none"],
  ["a key\\u003a\\u003cbcdefghijklmno\\u0026\\u0020is none", "a key\\u003a***\\u0020is none"],
  ["key=%3Cbcdefghijklmno%26%20%ff", "key=***%20%ff"],
  ["&lt;&#x3C;bcdefghijklmno&amp;&gt;&#1114112;&none;", "&lt;***&gt;&#1114112;&none;"],
])("in %j the secret is removed up to its last character, and nothing else", (text, redacted) => {
  expect(createRedactor(["<bcdefghijklmno&"])(text)).toBe(redacted);
});

test.each([
  [["abcd", "abcdefgh"], "abcd abcdefgh abcd", "*** *** ***"],
  [["one-of-two-secrets", "one-of-two-secrets-and-more"], "one-of-two-secrets-and-more", "***"],
  [
    ["one-of-two-secrets", "one-of-two-secrets-and-more"],
    "one-of-two-secrets, one-of-two-\nsecrets-and-more",
    "***, ***\n***",
  ],
])("of secrets that begin alike (%j), the longest is removed", (secrets, text, redacted) => {
  expect(createRedactor(secrets)(text)).toBe(redacted);
  expect(createRedactor(secrets.toReversed())(text)).toBe(redacted);
});

test.each([
  ["a line end", "abcd\nefgh", "abcd\\nefgh"],
  ["two line ends", "abcd\r\nefgh", "abcd\\r\\nefgh"],
  ["a line end in JSON in JSON", "abcd\nefgh", "abcd\\\\nefgh"],
  ["a tab", "abcd\tefgh", "abcd%09efgh"],
  ["a tab in JSON", "abcd\tefgh", "abcd\\tefgh"],
  ["a backslash before a blank that broke it", "abcdefgh\\ijklmnop", "abcdefgh\\ ijklmnop"],
  ["a blank", "abcd efgh", "abcd&#32;efgh"],
  ["twelve characters that a no-break space breaks", "abcdefghijkl", "abcdef\u00a0ghijkl"],
  ["twelve characters that an ideographic space breaks", "abcdefghijkl", "abcdef\u3000ghijkl"],
  ["twelve characters that a blank of Braille breaks", "abcdefghijkl", "abcdef\u2800ghijkl"],
  ["a backslash by its number", "abcd\\efgh", "abcd\\u005cefgh"],
  ["a reference in capitals", "abcd&efgh", "abcd&AMP;efgh"],
  ["a reference without a semicolon", "abcd<efgh", "abcd&ltefgh"],
  ["a line end that became a blank", "abcd\nefgh", "abcd efgh"],
  ["line ends and blanks in JSON", "abcd\n\tefgh\r\n  ijkl mnop", "abcd\\n\\tefgh\\r\\n  ijkl mnop"],
  ["an invisible character", "abcd\u200befgh", "abcd%E2%80%8Befgh"],
  ["an invisible character that was removed", "abcd\u200befgh", "abcdefgh"],
  ["a backslash and a quote in JSON in JSON", 'a\\"b', 'a\\\\\\\\\\\\\\"b'],
])("a secret with %s is removed from text that escapes it", (_what, secret, text) => {
  expect(createRedactor([secret])(`key: ${text}.`)).toBe("key: ***.");
});

test("a colour that a server escaped as JSON breaks no secret", () => {
  expect(
    createRedactor([apiKey])(JSON.stringify(`${apiKey.slice(0, 9)}\u001b[1;36m${apiKey.slice(9)}`)),
  ).toBe('"***"');
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
  ['{"url":"https:\\/\\/me:ghp_1@github.com\\/a"}', '{"url":"https:\\/\\/***@github.com\\/a"}'],
  ["https://user:part1@part2@host/a", "https://***@host/a"],
  ['{"url":"https://user:part1@part2@host","mail":"me@x"}', '{"url":"https://***@host","mail":"me@x"}'],
  ["https://user:part1/part2#part3@host/a", "https://***@host/a"],
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

describe("a secret over several lines", () => {
  const secret = "p4ssw0rd-of-the-database";
  const base64 = Buffer.from(secret).toString("base64");

  test.each([
    ["as it is", "KEY=p4ssw0rd-\nof-the-database end", "KEY=***\n*** end"],
    ["over three lines", "KEY=p4ssw0rd-\nof-the-\ndatabase", "KEY=***\n***\n***"],
    ["with a blank line between", "KEY=p4ssw0rd-\n\nof-the-database", "KEY=***\n\n***"],
    ["in Base64", `${base64.slice(0, 20)}\n${base64.slice(20)}`, "***\n***"],
    ["no secret", "a\n\nb", "a\n\nb"],
  ])("is removed from each of them, and no line end is (%s)", (_how, text, redacted) => {
    expect(createRedactor([secret])(text)).toBe(redacted);
  });
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
