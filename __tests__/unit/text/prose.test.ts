import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { prose } from "../../../src/text/prose.ts";
import { sanitizeLine } from "../../../src/text/sanitize.ts";
import { hostile } from "../support/hostile-markdown.ts";
import { elements, outsideCode, rendered } from "../support/rendered.ts";

const words = fc
  .array(
    fc.constantFrom(
      ...[
        "word",
        "Input",
        "name",
        "wait:",
        "true",
        "(r-1)",
        "/a/b,",
        "a_b",
        "“x”",
        '"',
        '"a',
        'b"',
        "(",
        ")",
      ],
      ...["f(x)", "(f(x)).", "...", "31", "1,234", "@x", "`", "1.", "deadbeef1", "it's", "[x](y)", "é", "?!"],
    ),
    { maxLength: 12 },
  )
  .map((all) => all.join(" "));
const unquoted = words.map((text) => text.replaceAll('"', ""));
const anything = fc.oneof(words, hostile);

test("prose is one paragraph of words and code, in which no text from outside acts as Markdown", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const markdown = prose(text);
      expect(elements(markdown)).toEqual(markdown === "" ? [] : ["p"]);
      expect(outsideCode(markdown)).not.toMatch(/[@#]|https?:|www\.|evil|deadbeef/);
    }),
    { numRuns: 500 },
  );
});

test("prose shows every character of the text in its order", () => {
  const bare = (text: string) => text.replaceAll(/\s/g, "");
  const seen = (markdown: string) =>
    rendered(markdown)
      .replaceAll(/<\/?(p|code)>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
  fc.assert(
    fc.property(anything, (text) =>
      expect(bare(seen(prose(text)))).toBe(bare(sanitizeLine(text).toWellFormed())),
    ),
    { numRuns: 500 },
  );
});

test("code in prose leaves out the punctuation of the sentence around it", () => {
  fc.assert(
    fc.property(unquoted, (text) => {
      for (const [, code = ""] of rendered(prose(text)).matchAll(/<code>([^<]*)<\/code>/g)) {
        if (/[\p{L}\p{N}]/u.test(code)) expect(code).not.toMatch(/^(\([^)]*|“.*)$|[”.,;:!?]$/);
      }
    }),
    { numRuns: 500 },
  );
});

describe("prose shows as code what is not a plain word or number", () => {
  test.each([
    ["Nothing to see here, (really)!", "Nothing to see here, (really)!"],
    ["It took 31 s, 1.5 times 28,107.", "It took 31 s, 1.5 times 28,107."],
    ["See @octo and #12.", "See `@octo` and `#12`."],
    ["GET /v2/x failed with 404: no.", "GET `/v2/x` failed with 404: no."],
    ["Set repo_url, or don't.", "Set `repo_url`, or don't."],
    ["the commit deadbeef, (deadbeef)", "the commit `deadbeef`, (`deadbeef`)"],
    ["served under /api-host).", "served under `/api-host`)."],
    ["(uses_pkce, code_challenge_method) has", "(`uses_pkce`, `code_challenge_method`) has"],
    ["a value of several lines (<<) that", "a value of several lines (`<<`) that"],
    ["github_token (github_token)", "`github_token` (`github_token`)"],
    ["a branch or a tag (refs/tags/NAME): no", "a branch or a tag (`refs/tags/NAME`): no"],
    ["call f(x) or (f(x)).", "call `f(x)` or (`f(x)`)."],
    ["see [x](https://evil.example).", "see `[x](https://evil.example)`."],
    ['received {"a b": "c d"}, not ["x y"].', 'received `{"a b": "c d"}`, not `["x y"]`.'],
    ['[{"at":["a b",1]},{"at":2}] came', '`[{"at":["a b",1]},{"at":2}]` came'],
    ["It's well-known: 1,234,567 of 1.25, not 12,34", "It's well-known: 1,234,567 of 1.25, not `12,34`"],
    ["so… (id r-1)…", "so… (id `r-1`)…"],
    ["a b-1 c_d e", "a `b-1` `c_d` e"],
    ["( ) ... -", "`(` `)` `...` `-`"],
    ["Input name must be true or false.", "Input name must be true or false."],
    ["set allow_http: true (wait: false).", "set `allow_http`: true (wait: false)."],
    ["", ""],
  ])("%j", (text, markdown) => expect(prose(text)).toBe(markdown));
});

describe("prose shows as code what is in double quotes", () => {
  test.each([
    ['not "maybe".', 'not "`maybe`".'],
    ['above 0, not "-1".', 'above 0, not "`-1`".'],
    ['can\'t be "." or "..".', 'can\'t be "`.`" or "`..`".'],
    ['the step\'s "with:" block;', 'the step\'s "`with:`" block;'],
    ['(a "b c, d")', '(a "`b c, d`")'],
    ['"a" and (“b”)', '"`a`" and (“b”)'],
    ['5" by 7" is', '5" by 7" is'],
    ['an "open one', 'an "open one'],
    ["(a)b-c and a(b-c", "`(a)b-c` and `a(b-c`"],
  ])("%j", (text, markdown) => expect(prose(text)).toBe(markdown));
});

test("prose that starts with a number is not a list", () => {
  expect(elements(prose("1. one"))).toEqual(["p"]);
  expect(elements(prose("2) two"))).toEqual(["p"]);
  expect(prose("12. one")).toBe("`12`. one");
  for (const text of ["12 of 3. One", "12: one", "12!) one", "One. 12. three"])
    expect(prose(text)).toBe(text);
});
