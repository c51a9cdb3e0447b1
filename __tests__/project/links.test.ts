import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { type Document, documents } from "./support/documents.ts";

const pages = documents("{*.md,*/README.md,examples/*/README.md,docs/**/*.md}");
const sources = documents("{src,emulator,bench,scripts,__tests__}/**/*.ts");

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf({ content }: Document): string[] {
  const headings = [...content.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a page to files or headings that do not exist. Links to other hosts are not followed. */
function brokenLinks(page: Document): string[] {
  const links = [...page.content.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page.path : relative(root, join(root, dirname(page.path), path));
    if (!existsSync(join(root, target))) return true;
    const linked = path === "" ? page : pages.find((other) => other.path === target);
    return anchor !== undefined && (linked === undefined || !anchorsOf(linked).includes(anchor));
  });
}

/** The anchors of docs/specification.md that a source file cites and that do not exist. */
function brokenCitations({ content }: Document): string[] {
  const specification = pages.find(({ path }) => path === "docs/specification.md");
  const anchors = specification === undefined ? [] : anchorsOf(specification);
  const cited = [...content.matchAll(/docs\/specification\.md#([\w-]+)/g)].map(([, anchor = ""]) => anchor);
  return cited.filter((anchor) => !anchors.includes(anchor));
}

test.each(pages)("$path links only to files and headings that exist", (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test("source files cite only rules that the specification has", () => {
  const broken = sources.flatMap((source) =>
    brokenCitations(source).map((anchor) => `${source.path}: #${anchor}`),
  );

  expect(broken).toEqual([]);
});

test("links to missing files and headings, and citations of missing rules, are found", () => {
  const content = "# A `b` (c)\n[1](#a-b-c) [2](#d) [3](none.md) [4](action.yml) [5](https://example.com/x)";
  const source = `// docs/${"specification.md"}#retries docs/${"specification.md"}#none`;

  expect(brokenLinks({ path: "README.md", content })).toEqual(["#d", "none.md"]);
  expect(brokenCitations({ path: "a.ts", content: source })).toEqual(["none"]);
});
