import { expect, test } from "@jest/globals";
import { equalsIgnoringCase, linesOf } from "../../../src/text/strings.ts";

test("the lines of all texts are listed with their indentation, whatever ends them, and blank ones are left out", () => {
  const lines = linesOf(["one\n  two\r\n\r\nthree\rfour\n", "", " \t\n", "five "]);

  expect(lines).toEqual(["one", "  two", "three", "four", "five "]);
});

test("ids are the same in another case", () => {
  expect(equalsIgnoringCase("Agent-A", "aGENT-a")).toBe(true);
  expect(equalsIgnoringCase("agent-a", "agent-b")).toBe(false);
  expect(equalsIgnoringCase(undefined, "")).toBe(false);
});
