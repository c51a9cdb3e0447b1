import { describe, expect, test } from "@jest/globals";
import {
  DecodedText,
  decodeHtml,
  decodeJson,
  decodePunctuation,
  decodeUri,
} from "../../../src/text/decoded-text.ts";

describe("what a text encodes is decoded, and everything else stays:", () => {
  test.each([
    ["JSON", decodeJson, String.raw`\u0026 \" \/ \\n \n \b\f\r\t`, '& " / \\n \n \b\f\r\t'],
    ["a surrogate pair of JSON", decodeJson, String.raw`\ud83d\uDD11`, "🔑"],
    ["no escape of JSON", decodeJson, String.raw`\x41 \u12 \'`, String.raw`\x41 \u12 \'`],
    [
      "an expression or a JSON Pointer",
      decodePunctuation,
      String.raw`\/a\.b\@\[\]\{\~ \\ ~1c~0d`,
      String.raw`/a.b@[]{~ \ /c~d`,
    ],
    [
      "no escape of an expression or a JSON Pointer",
      decodePunctuation,
      String.raw`\d\B\1 ~2~`,
      String.raw`\d\B\1 ~2~`,
    ],
    ["a URL", decodeUri, "%61%C3%a4%e2%82%ac%F0%9F%94%91+", "aä€🔑+"],
    ["bytes that are no character", decodeUri, "%e4%80 %ff %C3a %", "%e4%80 %ff %C3a %"],
    [
      "HTML",
      decodeHtml,
      "&lt;&gt;&quot;&apos;&amp;&#39;&#x1F511;&#X61;&#98;&#1114111;",
      "<>\"'&'🔑ab\u{10ffff}",
    ],
    ["no reference of HTML", decodeHtml, "&auml; &#1114112; &amp &#xg;", "&auml; &#1114112; &amp &#xg;"],
  ])("%s is decoded as expected", (_what, decode, encoded, text) => {
    expect(decode(DecodedText.of(encoded)).text).toBe(text);
  });
});

describe("a decoded part is found again in the original text", () => {
  function originalOf(part: string, original: string, decoded: DecodedText): string {
    const at = decoded.text.indexOf(part);
    const { start, end } = decoded.originalRange(at, at + part.length);
    return original.slice(start, end);
  }

  test("with its escapes, also if they were decoded twice", () => {
    const original = String.raw`a \\u0026\\\" b`;
    const decoded = decodeJson(decodeJson(DecodedText.of(original)));

    expect(decoded.text).toBe('a &" b');
    expect(originalOf('&"', original, decoded)).toBe(String.raw`\\u0026\\\"`);
    expect(originalOf("&", original, decoded)).toBe(String.raw`\\u0026`);
    expect(originalOf(" b", original, decoded)).toBe(" b");
  });

  test("with what was left out inside of it, and nothing around it", () => {
    const original = "ab - cd -- e%66 -";
    const joined = decodeUri(DecodedText.of(original)).replace(/[ -]+/g, () => "");

    expect(joined.text).toBe("abcdef");
    expect(originalOf("bc", original, joined)).toBe("b - c");
    expect(originalOf("abcde", original, joined)).toBe("ab - cd -- e");
    expect(originalOf("ef", original, joined)).toBe("e%66");
  });
});

test("a text without a match stays the same object", () => {
  const text = DecodedText.of("a");

  expect(decodeJson(text)).toBe(text);
});
