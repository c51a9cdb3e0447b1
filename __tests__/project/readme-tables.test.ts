import { describe, expect, test } from "@jest/globals";
import { withTables } from "../../scripts/docs/tables.ts";

const action = {
  inputs: {
    mode: { description: "Either `a|b`\nor none.\n", required: true },
    wait: { description: "Waits.", required: false, default: "true" },
  },
  outputs: { outcome: { description: "How it ended." } },
  runs: { using: "node24", main: "main.js" },
};

const marker = (name: string, edge: string) =>
  edge === "start"
    ? `<!-- ${name}:start (generated from action.yml by npm run docs) -->`
    : `<!-- ${name}:end -->`;

const readme = (inputs: string, outputs: string) =>
  [
    ...["# Title", marker("inputs", "start"), inputs, marker("inputs", "end"), "between"],
    ...[marker("outputs", "start"), outputs, marker("outputs", "end"), "after\n"],
  ].join("\n");

describe("the tables of a README", () => {
  test("are written anew between their markers, a pipe and a line end in a cell made harmless", () => {
    expect(withTables(readme("old", "old"), action)).toBe(
      readme(
        [
          ...["", "| Input | Required | Default | Meaning |", "| --- | --- | --- | --- |"],
          "| `mode` | **yes** |  | Either `a\\|b` or none. |",
          ...["| `wait` | no | `true` | Waits. |", ""],
        ].join("\n"),
        ["", "| Output | Meaning |", "| --- | --- |", "| `outcome` | How it ended. |", ""].join("\n"),
      ),
    );
  });

  test("stay as they are when they are in step", () => {
    const written = withTables(readme("", ""), action);
    expect(withTables(written, action)).toBe(written);
  });

  test.each(["inputs", "outputs"])("cannot be forgotten: without the marker of %s it is an error", (name) => {
    const without = readme("", "").replace(marker(name, "start"), "");
    expect(() => withTables(without, action)).toThrow(`${name}:start`);
  });
});
