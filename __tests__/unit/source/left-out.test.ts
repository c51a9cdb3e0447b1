import { expect, test } from "@jest/globals";
import { describeLeftOut } from "../../../src/source/describe-listing.ts";
import { listingOf, sourceFile } from "./support/listing.ts";

const described = (leftOut: readonly string[], packed: readonly string[] = ["in/a.py", "in/deep/b.py"]) =>
  describeLeftOut(listingOf({ leftOut, files: packed.map((path) => sourceFile(path)) }));

const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test.each<[string, string[], string[]]>([
  ["nothing", [], []],
  [
    "a single file beside packed ones",
    ["x.log", "in/x.log", "in/deep/x.log"],
    ["x.log", "in/x.log", "in/deep/x.log"],
  ],
  ["a folder of one file", ["build/x"], ["build"]],
  ["the outermost folder of which nothing is packed", ["in/build/x/y", "in/build/z"], ["in/build (2 files)"]],
  [
    "the largest folder first",
    ["a.log", "small/x", "large/x", "b.log", "large/y"],
    ["large (2 files)", "a.log", "small", "b.log"],
  ],
  ["a large number", numbered(1200, "build/"), ["build (1,200 files)"]],
  ["a repository that git lists by its name", ["own/"], ["own/"]],
])("what is left out of an archive is listed: %s", (_what, leftOut, lines) => {
  expect(described(leftOut)).toEqual(lines);
});

test("what is left out of an archive is listed in a hundred lines, and how many more there are", () => {
  const hundred = numbered(100, "x");

  expect(described(hundred)).toEqual(hundred);
  expect(described([...hundred, "y"])).toEqual([...hundred, "1 more"]);
  expect(described([...hundred, ...numbered(1000, "y")])).toEqual([...hundred, "1,000 more"]);
});
