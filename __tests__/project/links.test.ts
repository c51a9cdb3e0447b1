import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { type Document, documents } from "./support/documents.ts";

const pages = [...documents("*.md"), ...documents("*/README.md"), ...documents("docs/**/*.md")];

/** The anchors that GitHub makes of a page's headings. */
function anchors({ content }: Document): string[] {
  const headings = [...content.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a page that lead nowhere; those to other hosts are not followed. */
function broken(page: Document): string[] {
  const links = [...page.content.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page.path : relative(root, join(root, dirname(page.path), path));
    if (!existsSync(join(root, target))) return true;
    const linked = path === "" ? page : pages.find((other) => other.path === target);
    return anchor !== undefined && (linked === undefined || !anchors(linked).includes(anchor));
  });
}

test.each(pages)("the links of $path lead somewhere", (page) => {
  expect(broken(page)).toEqual([]);
});

test("a link to no file and one to no heading are found", () => {
  const content = "# A `b` (c)\n[1](#a-b-c) [2](#d) [3](none.md) [4](action.yml) [5](https://example.com/x)";
  expect(broken({ path: "README.md", content })).toEqual(["#d", "none.md"]);
});
