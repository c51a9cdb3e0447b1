import { expect, test } from "@jest/globals";
import type { Outcome } from "../../../src/errors.ts";
import { formatOutcome, isSuccess, outcomeMark } from "../../../src/report/result.ts";

test.each<[Outcome, boolean, string, string]>([
  ["deployed", true, "✅", "deployed"],
  ["started", true, "🚀", "started"],
  ["planned", true, "📝", "planned"],
  ["unchanged", true, "✅", "unchanged"],
  ["deleted", true, "🗑️", "deleted"],
  ["skipped", true, "⏭️", "skipped"],
  ["done", true, "✅", "done"],
  ["failed", false, "❌", "failed"],
  ["superseded", false, "⏭️", "superseded"],
  ["interrupted", false, "🛑", "interrupted"],
  ["timed_out", false, "❌", "timed out"],
  ["cancelled", false, "🚫", "cancelled"],
])("the outcome %s is a success: %p, and people see %s and read %j", (outcome, success, mark, formatted) => {
  expect(isSuccess(outcome)).toBe(success);
  expect(outcomeMark(outcome)).toBe(mark);
  expect(formatOutcome(outcome)).toBe(formatted);
});
