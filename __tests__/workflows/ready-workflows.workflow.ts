// Whether every workflow that readers copy is run.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { leftOut } from "./values.ts";

const ready = readdirSync(join(root, "docs/workflows"));

test.each(ready)("%s has tests, or is left out with a reason", (name) => {
  const tests = join(import.meta.dirname, name.replace(/\.yml$/, ".workflow.ts"));

  expect(existsSync(tests)).toBe(!Object.hasOwn(leftOut, name));
});

test("what is left out exists", () => {
  expect(ready).toEqual(expect.arrayContaining(Object.keys(leftOut)));
});
