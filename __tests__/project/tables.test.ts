import { expect, test } from "@jest/globals";
import { inputRow, replaceBetweenMarkers } from "../../scripts/docs/tables.ts";

test.each([
  ["is required", { required: true }, "**Required.** What it is."],
  ["has a default", { default: "true" }, "What it is. Defaults to `true`."],
  ["is optional", { default: "" }, "What it is."],
])("the meaning of an input that %s says so", (_what, input, meaning) => {
  expect(inputRow("name", { description: "What it is.\n", ...input })).toEqual(["`name`", meaning]);
});

test("a page without markers is an error", () => {
  expect(() => replaceBetweenMarkers("# Documentation\n", { inputs: "" })).toThrow("inputs:start");
});
