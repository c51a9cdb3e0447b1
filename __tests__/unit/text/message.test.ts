import { expect, test } from "@jest/globals";
import { code, joined, listed, rawText, text } from "../../../src/text/message.ts";

test("a message keeps its words and its values apart", () => {
  const message = text`Revision ${code("r-1")} has ${2} problems.`;

  expect(message.parts).toEqual([
    "Revision ",
    { kind: "code", raw: "r-1", maxLength: 300 },
    " has ",
    "2",
    " problems.",
  ]);
});

test("a message in a message becomes part of it, and what is undefined is left out", () => {
  const reason = text` It was ${code("BUILDING")}.`;

  expect(rawText(text`Nothing yet.${reason}${undefined}`)).toBe("Nothing yet. It was BUILDING.");
});

test("joined messages have one separator between those that are there", () => {
  expect(rawText(joined([undefined, text`One.`, undefined, text`Two.`]))).toBe("One. Two.");
  expect(rawText(joined([]))).toBe("");
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("the list of %j reads %j", (items, expected) => {
  expect(rawText(listed(items.map((item) => code(item))))).toBe(expected);
});

test("a list of alternatives ends in or", () => {
  expect(rawText(listed([code("us"), code("eu"), code("apac")], "or"))).toBe("us, eu or apac");
});
