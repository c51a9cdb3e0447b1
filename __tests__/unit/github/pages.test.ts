import { describe, expect, test } from "@jest/globals";
import { GitHubError } from "../../../src/github/errors.ts";
import { everyPage, pageSize } from "../../../src/github/pages.ts";

const purpose = { what: "reading a list", permission: "a: read" };

interface Item {
  readonly id: number;
}

function items(from: number, count: number): Item[] {
  return Array.from({ length: count }, (_item, index) => ({ id: from + index }));
}

/** Answers with these pages, and with empty ones after them. */
function listOf(...pages: readonly Item[][]) {
  const asked: number[] = [];
  const get = async (page: number) => {
    asked.push(page);
    return pages[page - 1] ?? [];
  };
  return { asked, get };
}

describe("every page is asked for", () => {
  test.each([
    ["an empty list", [0], [1]],
    ["a page that isn't full", [3], [1]],
    ["a full page", [pageSize], [1, 2]],
    ["several", [pageSize, pageSize, 1], [1, 2, 3]],
    ["as many as a busy repository has", Array(300).fill(pageSize), items(1, 301).map(({ id }) => id)],
  ])("%s", async (_what, lengths: number[], expected) => {
    const { asked, get } = listOf(...lengths.map((length, page) => items(page * pageSize, length)));
    const total = lengths.reduce((sum, length) => sum + length);
    await expect(everyPage(purpose, get)).resolves.toEqual(items(0, total));
    expect(asked).toEqual(expected);
  });
});

test("what an addition shifts on to the next page is there once", async () => {
  const { asked, get } = listOf(items(0, pageSize), items(pageSize - 2, 10));
  await expect(everyPage(purpose, get)).resolves.toEqual(items(0, pageSize + 8));
  expect(asked).toEqual([1, 2]);
});

test("a server that gives the same page for ever is asked no further", async () => {
  const same = items(0, pageSize);
  const { asked, get } = listOf(same, same, same);
  await expect(everyPage(purpose, get)).resolves.toEqual(same);
  expect(asked).toEqual([1, 2]);
});

test("a list that never ends is an error, which no permission mends", async () => {
  const endless = everyPage(purpose, async (page) => items(page * pageSize, pageSize));
  await expect(endless).rejects.toThrow(GitHubError);
  await expect(endless).rejects.toThrow("goes on after 1000 pages");
  await expect(endless).rejects.toMatchObject({
    trouble: "endless list",
    hint: expect.not.stringContaining(purpose.permission),
  });
});
