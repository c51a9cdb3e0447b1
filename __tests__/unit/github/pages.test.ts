import { describe, expect, test } from "@jest/globals";
import { everyPage, pageSize } from "../../../src/github/pages.ts";

/** Answers with lists of these lengths. */
function pagesOf(...lengths: number[]) {
  const asked: number[] = [];
  const get = async (page: number) => {
    asked.push(page);
    return { data: Array.from({ length: lengths[page - 1] ?? 0 }, (_item, index) => `${page}.${index}`) };
  };
  return { asked, get };
}

describe("every page is asked for", () => {
  test.each([
    ["an empty list", [0], [1]],
    ["a page that isn't full", [3], [1]],
    ["a full page", [pageSize, 0], [1, 2]],
    ["several", [pageSize, pageSize, 1], [1, 2, 3]],
  ])("%s", async (_what, lengths, expected) => {
    const { asked, get } = pagesOf(...lengths);
    const items = await everyPage(get);
    expect(items).toHaveLength(lengths.reduce((sum, length) => sum + length));
    expect(new Set(items).size).toBe(items.length);
    expect(asked).toEqual(expected);
  });
});

test.each([{ data: "" }, { data: null }, { data: { message: "no list" } }, {}])(
  "what is no list (%p) is an error, and not an empty list",
  async (answer) => {
    await expect(everyPage(async () => answer)).rejects.toThrow("not a list");
  },
);

test("a list that never ends is an error", async () => {
  const full = { data: Array(pageSize).fill(0) };
  await expect(everyPage(async () => full)).rejects.toThrow("goes on after 100 pages");
});
