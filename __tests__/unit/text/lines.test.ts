import { expect, test } from "@jest/globals";
import { linesOf } from "../../../src/text/lines.ts";

test("the lines of all texts are listed with their indentation, whatever ends them, and blank ones are left out", () => {
  const lines = linesOf(["one\n  two\r\n\r\nthree\rfour\n", "", " \t\n", "five "]);

  expect(lines).toEqual(["one", "  two", "three", "four", "five "]);
});
