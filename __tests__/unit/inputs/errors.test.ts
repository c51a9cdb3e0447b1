import { expect, test } from "@jest/globals";
import { InputErrors } from "../../../src/inputs/errors.ts";

const told = (error: InputErrors) => ({
  name: error.name,
  message: error.message,
  items: error.items,
  hint: error.hint,
});
const hint = 'Correct the step\'s "with:" block; the README describes each input.';

test("one problem is the message", () => {
  expect(told(new InputErrors([{ input: "name", problem: "has to be given" }]))).toEqual({
    name: "InputErrors",
    message: "Input name has to be given.",
    items: [],
    hint,
  });
});

test("several are items, and the message counts them", () => {
  const problems = [
    { input: "name", problem: "has to be given" },
    { input: "wait", problem: "is odd" },
  ];
  expect(told(new InputErrors(problems))).toEqual({
    name: "InputErrors",
    message: "2 inputs can't be used.",
    items: ["Input name has to be given.", "Input wait is odd."],
    hint,
  });
});

test("what is counted are the inputs, however much is wrong with one", () => {
  const problems = [
    { input: "name", problem: "has to be given" },
    { input: "wait", problem: "is odd" },
    { input: "name", problem: "is too long" },
  ];
  expect(told(new InputErrors(problems))).toMatchObject({
    message: "2 inputs can't be used.",
    items: ["Input name has to be given.", "Input wait is odd.", "Input name is too long."],
  });
});

test("one input with several problems is named", () => {
  const problems = [
    { input: "secrets", problem: "has no = in line 1" },
    { input: "secrets", problem: "has no = in line 2" },
  ];
  expect(told(new InputErrors(problems))).toEqual({
    name: "InputErrors",
    message: "Input secrets can't be used, for 2 reasons.",
    items: ["Input secrets has no = in line 1.", "Input secrets has no = in line 2."],
    hint,
  });
});
