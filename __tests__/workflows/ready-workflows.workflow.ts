// Whether every workflow that readers copy is run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";
import { leftOut, secrets, variables } from "./values.ts";

const ready = readdirSync(join(root, "docs/workflows"));
const page = readFileSync(join(root, "docs/README.md"), "utf8");

test.each(ready)("%s has tests, or is left out with a reason", (name) => {
  const tests = join(import.meta.dirname, name.replace(/\.yml$/, ".workflow.ts"));

  expect(existsSync(tests)).toBe(!Object.hasOwn(leftOut, name));
});

test("what is left out exists", () => {
  expect(ready).toEqual(expect.arrayContaining(Object.keys(leftOut)));
});

test.each([
  ...Object.keys(variables({ url: "", workspaceId: "", deployments: () => [] })).map((name) => [
    name,
    "variable",
  ]),
  ...Object.keys(secrets).map((name) => [name, "secret"]),
])("%s is a %s that docs/README.md says to set", (name, kind) => {
  expect(page).toContain(`| \`${name}\` | ${kind} |`);
});
