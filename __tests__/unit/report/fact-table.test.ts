import { expect, test } from "@jest/globals";
import { factTable } from "../../../src/report/fact-table.ts";

test("what isn't known is left out", () => {
  const rows = [
    ["Revision", "`r-1`"],
    ["URL", undefined],
    ["Commit", ""],
    ["Took", "31 s"],
  ] as const;
  expect(factTable(rows)).toBe("| | |\n|---|---|\n| Revision | `r-1` |\n| Took | 31 s |");
});

test("without facts there is no table", () => {
  expect(factTable([])).toBe("");
  expect(factTable([["URL", undefined]])).toBe("");
});
