import { describe, expect, test } from "@jest/globals";
import { type InputProblem, inputError, missingInput } from "../../../src/inputs/input-error.ts";
import { text } from "../../../src/text/message.ts";
import { messageMatching } from "../../support/message-matching.ts";
import { plain } from "./support/reading.ts";

describe("the error for invalid inputs", () => {
  const absent = missingInput("name");
  const odd = { input: "wait", problem: text`is odd` };
  const long = { input: "name", problem: text`is too long` };
  const correct = messageMatching(/^Correct (wait|wait and name) in the step's with: block\.$/);

  test("has one problem as its message", () => {
    expect(inputError([absent])).toMatchObject({
      message: "Input name is missing or empty.",
      ending: {
        hint: messageMatching(/Set name in the step's with: block.*secret or variable.*Settings/),
        problems: [],
      },
    });
  });

  test("says once where secrets are kept", () => {
    const emptySecret: InputProblem = { input: "secrets", problem: text`is empty`, empty: "secret" };
    expect(inputError([odd]).ending.hint).toEqual(correct);
    expect(inputError([absent]).ending.hint).toEqual(messageMatching(/Settings/));
    expect(inputError([emptySecret, emptySecret]).ending.hint).toEqual(
      messageMatching(/^Add the secret under Settings (?!.*Settings)/),
    );
    expect(inputError([emptySecret, absent]).ending.hint).toEqual(
      messageMatching(/^Set secrets and name (?!.*Settings.*Settings)/),
    );
    expect(inputError([odd, absent]).ending.hint).toEqual(
      messageMatching(/^Set name .*Settings.* Correct wait in/),
    );
  });

  test("leads runs for Dependabot to its own secrets", () => {
    const emptySecret: InputProblem = { input: "secrets", problem: text`is empty`, empty: "secret" };

    expect(inputError([emptySecret], "Dependabot").ending.hint).toEqual(
      messageMatching(/^Add the secret under Settings → Secrets and variables → Dependabot: /),
    );
  });

  test("has the hint of its only problem", () => {
    const problem = { ...odd, hint: text`Make it even.` };

    expect(inputError([problem]).ending.hint).toEqual(problem.hint);
    expect(inputError([problem, long]).ending.hint).toEqual(
      messageMatching(/^Make it even\. Correct name in/),
    );
  });

  test.each([
    ["counts inputs", [absent, odd], "2 inputs are invalid."],
    ["counts an input once", [absent, odd, long], "2 inputs are invalid."],
    ["names the only input", [absent, long], "Input name has 2 problems."],
  ])("has several problems apart, and its message %s", (_what, problems, message) => {
    const error = inputError(problems);

    expect(error.message).toBe(message);
    expect(error.ending.problems.map(plain)).toEqual(
      problems.map(({ input, problem }) => `Input ${input} ${plain(problem)}.`),
    );
  });
});
