import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRedactor } from "../../src/text/redact.ts";
import { times } from "../support/times.ts";
import { apiKey, encodings, invisibleBreaks, leaksIn } from "./support/canaries.ts";

const effects = fc.constantFrom("", "a", "ab", "abc", " and ", '"', "<p>", "ä");

describe("a secret is removed from text", () => {
  // A secret of asterisks looks like what replaces it.
  const secrets = fc
    .string({ unit: "grapheme", minLength: 4 })
    // A URL parser resolves the dots of `a/..`, so that nothing of it is shown.
    .filter((text) => !/[*\r\n]|^\s|\s$|(?:^|[/\\])\.{1,2}(?:[/\\?#]|$)/.test(text));

  test.each(Object.entries(encodings))("which contains it %s", (_name, encode) => {
    fc.assert(
      fc.property(effects, secrets, effects, (before, value, after) => {
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

test("a secret is removed from HTML that writes its characters with three digits", () => {
  // As PHP does: https://www.php.net/manual/en/function.htmlspecialchars.php
  expect(createRedactor(["it's-a-secret"])("of it&#039;s-a-secret here")).toBe("of *** here");
});

test("a secret of three characters is left where it is: words contain it", () => {
  expect(createRedactor(["abc", "abcd"])("abc abcd")).toBe("abc ***");
});

describe("a secret is removed from text that breaks it", () => {
  const secrets = fc
    .string({ unit: "grapheme", minLength: 4, maxLength: 200, size: "max" })
    .filter((text) => !text.includes("*") && text.replaceAll(/[^!-~]/g, "").length >= 4);

  test.each(Object.entries(invisibleBreaks))("%s", (_name, breakUp) => {
    fc.assert(
      fc.property(effects, secrets, effects, (before, value, after) => {
        const redacted = createRedactor([value])(breakUp(before + value + after));

        expect(redacted).toContain("***");
        expect(leaksIn(redacted, { value })).toEqual([]);
      }),
      times(25),
    );
  });
});

test.each([String.raw`\n`, String.raw`\r\n\t`, String.raw`\\n  `])(
  "a secret that a line end breaks within a string of JSON is removed: %j",
  (broken) => {
    const text = `{"answer":"the key is ${apiKey.slice(0, 13)}${broken}${apiKey.slice(13)}."}`;

    expect(createRedactor([apiKey])(text)).toBe('{"answer":"the key is ***."}');
  },
);

test.each([
  ["a key: <bcdefgh\u200bijklmno& \n is none", "a key: *** \n is none"],
  ["a key\\u003a\\u003cbcdefghijklmno\\u0026\\u0020is none", "a key\\u003a***\\u0020is none"],
  ["key=%3Cbcdefghijklmno%26%20%ff", "key=***%20%ff"],
  ["&lt;&#x3C;bcdefghijklmno&amp;&gt;&#1114112;&none;", "&lt;***&gt;&#1114112;&none;"],
])("in %j the secret is removed up to its last character, and nothing else", (text, redacted) => {
  expect(createRedactor(["<bcdefghijklmno&"])(text)).toBe(redacted);
});

test.each([
  [["abcd", "abcdefgh"], "abcd abcdefgh abcd", "*** *** ***"],
  [["one-of-two-secrets", "one-of-two-secrets-and-more"], "one-of-two-secrets-and-more", "***"],
])("of secrets that begin alike (%j), the longest is removed", (secrets, text, redacted) => {
  expect(createRedactor(secrets)(text)).toBe(redacted);
  expect(createRedactor(secrets.toReversed())(text)).toBe(redacted);
});

// A long secret is searched for in pieces.
const longSecret = Array.from({ length: 90 }, (_, index) => `${index}k${index * index}`).join("");

test.each([
  ["begins with another word", [longSecret, `Bearer ${longSecret}`]],
  ["is the password of a URL", [longSecret, `postgres://u:${longSecret}@h/db`]],
  ["is in JSON", [longSecret, JSON.stringify({ url: "https://h", key: longSecret })]],
  ["is in two others", [`postgres://u:${longSecret}@h/db`, `Basic u:${longSecret}@`]],
])("a long secret that %s is removed, and so is the longer one", (_what, secrets) => {
  for (const text of secrets) expect(createRedactor(secrets)(`a ${text} b`)).toBe("a *** b");
});

test("a thousand secrets are searched for in a text that contains one", () => {
  const secrets = Array.from({ length: 1_000 }, (_, index) =>
    createHash("sha512").update(`${index}`).digest("base64"),
  );

  expect(createRedactor(secrets)(`a ${secrets[7]} b`)).toBe("a *** b");
});

test.each([
  [[`${"{'user':'one','role':'reader'}".repeat(8)}{'password':'hunter-2-hunter'}`]],
  [["abcdefghijklm", "ijklmnopqrst"]],
])("secrets that repeat or overlap a part leave nothing of it: %j", (secrets) => {
  const text = secrets.length === 1 ? secrets[0] : "abcdefghijklmnopqrst";

  expect(createRedactor(secrets)(`a ${text} b`)).toBe("a *** b");
});

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
