import { expect, test } from "@jest/globals";
import { inputRow } from "../../scripts/docs/tables.ts";
import { replaceWorkflowTables, settingsTable } from "../../scripts/docs/workflow-tables.ts";

test("the table of settings lists each secret and variable once, with the workflows that use it", () => {
  const table = settingsTable([
    { name: "a.yml", content: "k: secrets.LANGSMITH_API_KEY\nl: secrets.LANGSMITH_API_KEY" },
    { name: "b.yml", content: "k: secrets.LANGSMITH_API_KEY\nw: vars.CONTROL_PLANE_URL" },
  ]);

  const rows = table.split("\n").slice(2);
  expect(rows).toEqual([
    expect.stringMatching(/^\| `LANGSMITH_API_KEY` \| secret \| .* \| a\.yml, b\.yml \|$/),
    expect.stringMatching(/^\| `CONTROL_PLANE_URL` \| variable \| .* \| b\.yml \|$/),
  ]);
});

test("a secret that most workflows use is listed with those that do not", () => {
  const content = "k: secrets.LANGSMITH_API_KEY";
  const users = ["a.yml", "b.yml", "c.yml"].map((name) => ({ name, content }));

  const table = settingsTable([...users, { name: "d.yml", content: "" }]);

  expect(table).toMatch(/\| all but d\.yml \|$/m);
});

test("a workflow that uses a secret without a meaning is an error", () => {
  const workflow = { name: "a.yml", content: "k: secrets.NEW_KEY" };

  expect(() => settingsTable([workflow])).toThrow("a.yml uses NEW_KEY");
});

test.each([
  ["is required", { required: true }, "**Required.** What it is."],
  ["has a default", { default: "true" }, "What it is. Defaults to `true`."],
  ["is optional", { default: "" }, "What it is."],
])("the meaning of an input that %s says so", (_what, input, meaning) => {
  expect(inputRow("name", { description: "What it is.\n", ...input })).toEqual(["`name`", meaning]);
});

test("a page without markers is an error", () => {
  expect(() => replaceWorkflowTables("# Documentation\n")).toThrow("settings:start");
});
