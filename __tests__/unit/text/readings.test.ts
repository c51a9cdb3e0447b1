import { describe, expect, test } from "@jest/globals";
import { type Reading, readingsOf, without } from "../../../src/text/readings.ts";

function textsOf(text: string): string[] {
  return readingsOf(text).map((reading) => reading.text);
}

describe("a text is read as it stands, and with what is escaped undone", () => {
  test.each<[string, string, string[]]>([
    ["nothing", "a + b", []],
    ["JSON's escapes", String.raw`\u0026 \" \/ \\n \n`, ['& " / \\n \n', '& " / \n \n']],
    ["a surrogate pair", String.raw`\ud83d\uDD11`, ["🔑"]],
    ["bytes behind backslashes", String.raw`\x61\xc3\xA4\xf0\x9f\x94\x91`, ["aä🔑"]],
    ["bytes in an address", "%61%C3%a4%e2%82%ac%F0%9F%94%91", ["aä€🔑"]],
    ["references of HTML", "&lt;&gt;&quot;&apos;&#39;&#x1F511;&#X61;", ["<>\"''🔑a"]],
    ["no byte that begins no character", "%e4%80 %ff \\xe4", []],
    ["no reference to nothing", "&auml; &#1114112; &amp", []],
  ])("%s", (_what, text, others) => {
    expect(textsOf(text)).toEqual([text, ...others]);
  });

  test("one kind inside the other, in either order", () => {
    expect(textsOf("%26amp%3B")).toEqual(["%26amp%3B", "&amp;", "&"]);
    expect(textsOf("&#37;26")).toEqual(["&#37;26", "%26", "&"]);
  });

  test("each kind alone, too: what only looks like another may be meant as it stands", () => {
    expect(textsOf(String.raw`\"%41`)).toEqual([String.raw`\"%41`, '"%41', String.raw`\"A`, '"A']);
  });

  test("not deeper than three times", () => {
    expect(textsOf("%2525252525")).toEqual(["%2525252525", "%25252525", "%252525", "%2525"]);
  });
});

describe("what is read stands, in the text as given,", () => {
  function placeOf(part: string, text: string, reading: Reading | undefined): string | undefined {
    const at = reading?.text.indexOf(part) ?? -1;
    const place = at < 0 ? undefined : reading?.place(at, at + part.length);
    return place && text.slice(place.start, place.end);
  }

  test("with its escapes, at any depth", () => {
    const text = "a %5Cu0026%5C%22 b";
    expect(placeOf('&"', text, readingsOf(text).at(-1))).toBe("%5Cu0026%5C%22");
    expect(placeOf("&", text, readingsOf(text).at(-1))).toBe("%5Cu0026");
    expect(placeOf(" b", text, readingsOf(text).at(-1))).toBe(" b");
  });

  test("with what was passed over inside of it, and nothing of what is around it", () => {
    const text = "ab - cd -- e%66 -";
    const [asGiven, unescaped] = readingsOf(text).map((reading) => without(reading, /[ -]+/g));
    expect(placeOf("bc", text, asGiven)).toBe("b - c");
    expect(placeOf("abcde", text, asGiven)).toBe("ab - cd -- e");
    expect(placeOf("ef", text, unescaped)).toBe("e%66");
  });
});
