import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { actionFolders, readActionFile } from "../../scripts/docs/action-file.ts";
import { inputRow, replaceBetweenMarkers, replaceTables } from "../../scripts/docs/tables.ts";
import { root } from "../../scripts/support/run.ts";

test.each(actionFolders)("npm run docs would not change %s/README.md", (folder) => {
  const readme = readFileSync(join(root, folder, "README.md"), "utf8");
  const action = readActionFile(join(root, folder, "action.yml"));
  const deploy = readActionFile(join(root, "action.yml"));

  expect(replaceTables(readme, action, folder === "." ? undefined : deploy)).toBe(readme);
});

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
