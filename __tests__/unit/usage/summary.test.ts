import { expect, test } from "@jest/globals";
import { usageSummary } from "../../../src/usage/summary.ts";

test("the summary of a run without usable inputs says what happened", () => {
  const summary = usageSummary(
    { inputs: undefined, totals: undefined, notices: [], files: [] },
    { outcome: "failed", headline: "Input api_key is missing or empty.", hint: "Correct it." },
  );

  expect(summary).toContain("## ❌ Usage: failed\n");
  expect(summary).toContain("`api_key`");
  expect(summary).toContain("Correct it.");
  expect(summary).not.toContain("|");
});
