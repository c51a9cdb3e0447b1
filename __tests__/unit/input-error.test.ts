import { describe, expect, test } from "@jest/globals";
import { emptyHint, type InputProblem, inputFailure, missingInput } from "../../src/input-problem.ts";
import { phrase, text } from "../../src/text/message.ts";
import { messageMatching } from "../support/message-matching.ts";
import { plain } from "./inputs/support/reading.ts";

describe("the error for invalid inputs", () => {
  const absent = missingInput("name");
  const odd: InputProblem = { input: "wait", problem: phrase`is odd` };
  const long: InputProblem = { input: "name", problem: phrase`is too long` };
  const correct = messageMatching(/^Correct (wait|wait and name) in the step's with: block\.$/);

  test("has one problem as its message", () => {
    expect(inputFailure([absent])).toMatchObject({
      message: "Input name is missing or empty.",
      ending: {
        hint: messageMatching(/Set what is missing in the step's with: block.*secret or variable.*Settings/),
        problems: [],
      },
    });
  });

  test("says once where secrets are kept", () => {
    const emptySecret: InputProblem = { input: "secrets", problem: phrase`is empty`, hint: emptyHint };

    expect(inputFailure([odd]).ending.hint).toEqual(correct);
    expect(inputFailure([emptySecret, absent]).ending.hint).toEqual(
      messageMatching(/^Set what is missing (?!.*Settings.*Settings)/),
    );
    expect(inputFailure([odd, absent]).ending.hint).toEqual(
      messageMatching(/^Correct wait in .* Set what is missing .*Settings/),
    );
  });

  test("has the hint of its only problem", () => {
    const problem = { ...odd, hint: text`Make it even.` };

    expect(inputFailure([problem]).ending.hint).toEqual(problem.hint);
    expect(inputFailure([problem, long]).ending.hint).toEqual(
      messageMatching(/^Correct name in .* Make it even\.$/),
    );
  });

  test("has several problems apart", () => {
    const error = inputFailure([absent, odd, long]);

    expect(error.message).toBe("The inputs have 3 problems.");
    expect(error.ending.problems.map(({ message }) => plain(message))).toEqual([
      "Input name is missing or empty.",
      "Input wait is odd.",
      "Input name is too long.",
    ]);
  });
});
