import { expect, test } from "@jest/globals";
import { replaceTables } from "../../scripts/docs/tables.ts";

const action = {
  inputs: {
    mode: { description: "Either `a|b`\nor none.\n", required: true },
    wait: { description: "Waits.", required: false, default: "true" },
  },
  groups: new Map([
    ["What", ["mode"]],
    ["When", ["wait"]],
  ]),
  outputs: { outcome: { description: "How it ended." } },
  runs: { using: "node24", main: "main.js" },
};

const startOf = (name: string) => `<!-- ${name}:start (generated from action.yml by npm run docs) -->`;
const endOf = (name: string) => `<!-- ${name}:end -->`;

const readme = (inputs: string, outputs: string) =>
  [
    ...["# Title", startOf("inputs"), inputs, endOf("inputs"), "between"],
    ...[startOf("outputs"), outputs, endOf("outputs"), "after\n"],
  ].join("\n");

test("a README gets a table for each group of inputs and one for the outputs, with pipes and line ends in cells escaped", () => {
  const updated = replaceTables(readme("old", "old"), action);

  const inputs = [
    ...["", "**What**", "", "| Input | Default | Meaning |", "| --- | --- | --- |"],
    ...["| `mode` | **required** | Either `a\\|b` or none. |", ""],
    ...["**When**", "", "| Input | Default | Meaning |", "| --- | --- | --- |"],
    ...["| `wait` | `true` | Waits. |", ""],
  ];
  const outputs = ["", "| Output | Meaning |", "| --- | --- |", "| `outcome` | How it ended. |", ""];
  expect(updated).toBe(readme(inputs.join("\n"), outputs.join("\n")));
  expect(replaceTables(updated, action)).toBe(updated);
});

test.each(["inputs", "outputs"])("a README without the marker of its %s is an error", (name) => {
  const incomplete = readme("", "").replace(startOf(name), "");

  expect(() => replaceTables(incomplete, action)).toThrow(`${name}:start`);
});
