import { describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { InputErrors } from "../../../src/inputs/errors.ts";
import { type Ending, failedWith, type Outcome, succeeded } from "../../../src/progress/ending.ts";
import { logEnding } from "../../../src/report/log.ts";
import { recordingContext } from "../../support/recording-context.ts";

test.each<[Outcome, boolean]>([
  ["deployed", true],
  ["started", true],
  ["planned", true],
  ["deleted", true],
  ["skipped", true],
  ["failed", false],
  ["superseded", false],
  ["interrupted", false],
  ["timed_out", false],
  ["cancelled", false],
])("%s succeeds: %p", (outcome, success) => expect(succeeded(outcome)).toBe(success));

test("an error ends a run as failed, with its hint and findings", () => {
  const error = new InputErrors([
    { input: "a", problem: "is odd" },
    { input: "b", problem: "is even" },
  ]);
  expect(failedWith(error)).toEqual({
    outcome: "failed",
    message: "2 inputs can't be used.",
    hint: error.hint,
    items: ["Input a is odd.", "Input b is even."],
  });
  expect(failedWith(new CancelledError("SIGINT")).items).toEqual([]);
});

function logged(ending: Ending) {
  const context = recordingContext({});
  logEnding(context, ending);
  return context.recorded.lines;
}

describe("the last words", () => {
  test("of a success are a line", () => {
    expect(logged({ outcome: "deployed", message: "Live." })).toEqual([{ kind: "info", text: "Live." }]);
  });

  test("of a failure are one annotation with the hint", () => {
    expect(logged({ outcome: "failed", message: "No.", hint: "Look there." })).toEqual([
      { kind: "error", text: "No. Look there." },
    ]);
  });

  test("of several findings are an annotation each, and a line", () => {
    expect(logged({ outcome: "failed", message: "Two.", hint: "Look there.", items: ["a", "b"] })).toEqual([
      { kind: "error", text: "a" },
      { kind: "error", text: "b" },
      { kind: "info", text: "Two. Look there." },
    ]);
  });

  test("of findings that the message tells are those, each with what it is about and the hint", () => {
    const message = "POST /x was answered with 422: a: bad; b: worse!";
    const items = ["a: bad", "b: worse!"];
    expect(logged({ outcome: "failed", message, hint: "Look there.", items })).toEqual([
      { kind: "error", text: "a: bad. POST /x was answered with 422. Look there." },
      { kind: "error", text: "b: worse! POST /x was answered with 422. Look there." },
    ]);
    expect(logged({ outcome: "failed", message, items }).at(-1)).toEqual({
      kind: "error",
      text: "b: worse! POST /x was answered with 422.",
    });
  });
});
