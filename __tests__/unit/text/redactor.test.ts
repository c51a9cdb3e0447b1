import { expect, test } from "@jest/globals";
import { createRedactor } from "../../../src/text/redact.ts";

const inBase64 = (text: string) => Buffer.from(text).toString("base64");

/** With a line end and an indentation in its middle. */
const broken = (text: string) => `${text.slice(0, 6)}\n  ${text.slice(6)}`;

test.each([
  ["a secret of twelve characters", "abcdefghijkl", broken("abcdefghijkl")],
  ["a secret of twelve characters that are escaped", "a&bcdefghijk", "a&amp;bcde\n  fghijk"],
  ["a secret in Base64", "a-secret-value!", broken(inBase64("a-secret-value!"))],
  ["a secret with blanks in Base64", "a secret value!", broken(inBase64("a secret value!"))],
])("%s is removed from text that breaks it into lines", (_what, secret, text) => {
  expect(createRedactor([secret])(`key: ${text}.`)).toBe("key: ***\n***.");
});

test.each([
  ["a secret of eleven characters over two lines", "abcdefghijk", broken("abcdefghijk")],
  ["words of a secret over other lines than its own", "one two three four", "one\ntwo three four"],
  ["a secret with an escaped slash in place of another character", "abcd-efgh", "abcd\\/efgh"],
  ["a secret with a plus in place of another character", "abcd-efgh", "abcd+efgh"],
  ["a letter with the blanks of a secret around it", "   a", "this is   a text"],
])("what only looks like a secret stays: %s", (_what, secret, text) => {
  expect(createRedactor([secret])(text)).toBe(text);
});

test.each(["n", "r", "t"])(
  "a secret that begins with %s is removed after a backslash, as in a path",
  (letter) => {
    // With the backslash, the letter looks like an escaped line end or tab.
    const secret = `${letter}5secretvalue`;

    const redacted = createRedactor([secret])(`C:\\${secret}`);

    expect(redacted).toBe("C:\\***");
  },
);
