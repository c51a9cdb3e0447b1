import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readActionFile } from "../../../scripts/docs/action-file.ts";
import { root } from "../../../scripts/support/run.ts";
import { readRevisionOptions } from "../../../src/inputs/read-revision-options.ts";
import type { InputReader } from "../../../src/inputs/reader.ts";
import { readDeploy, reading } from "./support/reading.ts";

test.each<[string, (reader: InputReader) => unknown]>([
  [".", readDeploy],
  ["preview", readDeploy],
  ["rollback", readRevisionOptions],
])("with wait: false, the inputs that need `wait: true` by %s/action.yml are rejected", (folder, read) => {
  const { inputs } = readActionFile(join(root, folder, "action.yml"));
  const names = Object.keys(inputs).filter((name) => name !== "wait");
  const described = names.filter((name) => inputs[name]?.description.includes("Needs `wait: true`"));

  // Whatever the kind of an input, it accepts one of these.
  const problems = ["true", "1"].flatMap((value) => {
    const values = Object.fromEntries(names.map((name) => [name, value]));
    return reading({ ...values, wait: "false" }, (reader) => read(reader)).problems;
  });
  const rejected = names.filter((name) =>
    problems.some((problem) => problem.startsWith(`Input ${name} needs wait: true`)),
  );

  expect(described.length).toBeGreaterThan(1);
  expect(rejected).toEqual(described);
});
