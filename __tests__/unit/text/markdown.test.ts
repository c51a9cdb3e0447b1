import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { factTable, markdownTable } from "../../../src/report/sections/blocks.ts";
import { codeBlock, codeElement, codeSpan, inCell, markdownLink } from "../../../src/text/markdown.ts";
import { sanitizeLine } from "../../../src/text/sanitize.ts";
import { times } from "../../support/times.ts";
import { hostile } from "../support/hostile-markdown.ts";
import { elements, outsideCode, rendered } from "../support/rendered.ts";

test("any line in a code span is code and nothing else", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const markdown = `before ${codeSpan(sanitizeLine(text))} after`;

      expect(elements(markdown)).toEqual(["p"]);
      expect(outsideCode(markdown).trim()).toBe("<p>before  after</p>");
    }),
    times(100),
  );
});

test.each(["x", "a`b", "``", "`a`", "`a", "a`", "a | b", "\\", "<b>"])(
  "a code span shows %s unchanged",
  (text) => {
    const shown = rendered(codeSpan(text)).replace(/<\/?(p|code)>/g, "");

    expect(shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(text);
  },
);

test("the fence of a code span is no longer than needed", () => {
  expect(codeSpan("x")).toBe("`x`");
  expect(codeSpan("a``b")).toBe("```a``b```");
});

test("a code span of no text is a blank", () => {
  expect(rendered(codeSpan(""))).toBe("<p><code> </code></p>");
});

test("any line in a code element is code and nothing else", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const html = `<details><summary>before ${codeElement(sanitizeLine(text))} after</summary>\n\nmore\n\n</details>`;

      expect(elements(html)).toEqual(["details", "p", "summary"]);
      expect(outsideCode(html)).toBe("<details><summary>before  after</summary>\n<p>more</p>\n</details>");
    }),
    times(100),
  );
});

test("a code block cannot be closed by its lines", () => {
  const block = codeBlock(["  a", "```", "````js", "</code>"]);

  expect(rendered(block)).toContain("  a\n```\n````js\n&lt;/code&gt;\n</code></pre>");
  expect(elements(block)).toEqual(["pre"]);
});

test("any line in a table cell stays code in one cell", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const table = markdownTable(["a", "b"], [[inCell(codeSpan(sanitizeLine(text))), "end"]]);

      expect(elements(table)).toEqual(["table", "tbody", "td", "th", "thead", "tr"]);
      expect(rendered(table).match(/<td/g)).toHaveLength(2);
      expect(outsideCode(table)).toMatch(/<td[^>]*><\/td>\s*<td[^>]*>end<\/td>/);
    }),
    times(100),
  );
});

test("a table cell shows a pipe and what is around it", () => {
  const table = markdownTable(["a"], [[inCell(codeSpan("b | c || d"))]]);

  expect(rendered(table)).toContain("<code>b | c || d</code></td>");
});

test("a link keeps the query of its URL, with what Markdown could read as its own percent-encoded", () => {
  const html = rendered(markdownLink(new URL("https://example.com/a?b=(c)[d]|`&amp;e=f")));

  expect(html).toContain('href="https://example.com/a?b=%28c%29%5Bd%5D%7C%60&amp;amp;e=f"');
});

test("a link leads to its URL, whatever the URL contains", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (path, query, fragment) => {
      const url = Object.assign(new URL("https://host.example"), {
        pathname: path,
        search: query,
        hash: fragment,
      });
      const html = rendered(`before ${markdownLink(url)} after`);
      const target = /href="([^"]*)"/.exec(html)?.[1] ?? "";

      expect(new URL(target.replaceAll("&amp;", "&")).host).toBe(url.host);
      expect(html.match(/<a /g)).toHaveLength(1);
      expect(elements(markdownLink(url))).toEqual(["a", "p"]);
    }),
    times(20),
  );
});

test("a link is no definition, even if its URL ends like one", () => {
  expect(elements(markdownLink(new URL("http://a.aa/]:")))).toEqual(["a", "p"]);
});

test("a table aligns its last columns to the right if they hold numbers", () => {
  const table = markdownTable(["Status", "After", "Lasted"], [["`A`", "1 s", ""]], 2);

  expect(table).toBe("| Status | After | Lasted |\n|:---|---:|---:|\n| `A` | 1 s | |");
});

test("a table of facts leaves out rows without a value", () => {
  const rows = [
    ["Revision", "`r-1`"],
    ["URL", undefined],
    ["Commit", ""],
    ["Took", "31 s"],
  ] as const;

  expect(factTable(rows)).toBe("| Revision | `r-1` |\n|:---|:---|\n| Took | 31 s |");
  expect(factTable([["URL", undefined]])).toBe("");
});

test("a link of ours has its title as Markdown, and a name in HTML has no markup", () => {
  expect(markdownLink(new URL("https://host.example/a?b=c"), "view **run**")).toBe(
    "[view **run**](<https://host.example/a?b=c>)",
  );
  expect(codeElement(`a<b> & "c" 'd'`)).toBe("<code>a&#60;b&#62; &#38; &#34;c&#34; &#39;d&#39;</code>");
});
