import { expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { inputError } from "../../../src/inputs/reader.ts";
import {
  failedResult,
  formatOutcome,
  isSuccess,
  type Outcome,
  outcomeMark,
  resultMessage,
} from "../../../src/report/result.ts";
import { rawText, text } from "../../../src/text/message.ts";

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

test("an error ends a run as failed, with its hint and problems", () => {
  const error = inputError([
    { input: "a", problem: text`is odd` },
    { input: "b", problem: text`is even` },
  ]);

  const { outcome, message, details, hint, problems = [] } = failedResult(error, text`Still running.`);

  expect([outcome, rawText(message), hint]).toEqual(["failed", error.message, error.hint]);
  expect(details?.map(rawText)).toEqual(["Still running."]);
  expect(problems.map(rawText)).toEqual(["Input a is odd.", "Input b is even."]);
  expect(failedResult(new CancelledError("SIGINT"))).toMatchObject({ details: [], problems: [] });
});

test("the text of a result is its message and its details", () => {
  const result = { outcome: "failed", message: text`One.` } as const;

  expect(rawText(resultMessage(result))).toBe("One.");
  expect(rawText(resultMessage({ ...result, details: [text`Two.`, text`Three.`] }))).toBe("One. Two. Three.");
});
