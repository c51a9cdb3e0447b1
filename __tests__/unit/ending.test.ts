import { expect, test } from "@jest/globals";
import { endingText, failedEnding, formatOutcome, isSuccess, type Outcome } from "../../src/ending.ts";
import { CancelledError } from "../../src/errors.ts";
import { inputError } from "../../src/inputs/reader.ts";

test.each<[Outcome, boolean, string]>([
  ["deployed", true, "deployed"],
  ["started", true, "started"],
  ["planned", true, "planned"],
  ["deleted", true, "deleted"],
  ["skipped", true, "skipped"],
  ["done", true, "done"],
  ["failed", false, "failed"],
  ["superseded", false, "superseded"],
  ["interrupted", false, "interrupted"],
  ["timed_out", false, "timed out"],
  ["cancelled", false, "cancelled"],
])("outcome %s is a success: %p, and people read %j", (outcome, success, text) => {
  expect(isSuccess(outcome)).toBe(success);
  expect(formatOutcome(outcome)).toBe(text);
});

test("an error ends a run as failed, with its hint and findings", () => {
  const error = inputError([
    { input: "a", problem: "is odd" },
    { input: "b", problem: "is even" },
  ]);

  expect(failedEnding(error, ["Still running."])).toEqual({
    outcome: "failed",
    headline: error.message,
    details: ["Still running."],
    hint: error.hint,
    findings: [expect.stringContaining("a is odd"), expect.stringContaining("b is even")],
  });
  expect(failedEnding(new CancelledError("SIGINT"))).toMatchObject({ details: [], findings: [] });
});

test("the text of an ending is its headline and its details", () => {
  expect(endingText({ outcome: "failed", headline: "One." })).toBe("One.");
  expect(endingText({ outcome: "failed", headline: "One.", details: ["Two.", "Three."] })).toBe(
    "One. Two. Three.",
  );
});
