import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { codeCell, codeSpan, link } from "../../../src/text/markdown.ts";
import { hostile } from "../support/hostile-markdown.ts";
import { elements, outsideCode, rendered } from "../support/rendered.ts";

test("a code span is one, and nothing in it is live", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const markdown = `before ${codeSpan(text)} after`;
      expect(elements(markdown)).toEqual(["p"]);
      expect(outsideCode(markdown).trim()).toBe("<p>before  after</p>");
    }),
    { numRuns: 300 },
  );
});

describe("a code span shows the text", () => {
  test.each(["x", "a`b", "``", "`a`", "a | b", "\\", "<b>"])("%s", (text) => {
    const shown = rendered(codeSpan(text)).replace(/<\/?(p|code)>/g, "");
    expect(shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(text);
  });

  test("of nothing as a blank", () => expect(rendered(codeSpan(""))).toBe("<p><code> </code></p>"));
});

test("a cell stays one cell of its table, and nothing in it is live", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const table = `| a | b |\n|---|---|\n| ${codeCell(text)} | end |`;
      expect(elements(table)).toEqual(["table", "tbody", "td", "th", "thead", "tr"]);
      expect(rendered(table).match(/<td/g)).toHaveLength(2);
      expect(outsideCode(table)).toMatch(/<td><\/td>\s*<td>end<\/td>/);
    }),
    { numRuns: 300 },
  );
});

test("a link leads to its address and shows it as code", () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), hostile, (address, extra) => {
      const url = new URL(address);
      url.pathname = `${url.pathname}${extra}`;
      const html = rendered(`before ${link(url)} after`);
      const target = /href="([^"]*)"/.exec(html)?.[1] ?? "";
      expect(new URL(target.replaceAll("&amp;", "&")).host).toBe(url.host);
      expect(html.match(/<a /g)).toHaveLength(1);
      expect(elements(link(url))).toEqual(["a", "p"]);
    }),
    { numRuns: 50 },
  );
});

test("an address can't make a definition of its link", () => {
  expect(elements(link(new URL("http://a.aa/]:")))).toEqual(["a", "p"]);
});

test("a link may have another text", () => {
  expect(rendered(link(new URL("https://example.com/a"), "abc"))).toBe(
    '<p><a href="https://example.com/a"><code>abc</code></a></p>',
  );
});
