import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";

test("the scenario in CONTRIBUTING.md is a test that runs", () => {
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const scenario = readFileSync(join(root, "__tests__/scenario/deploy/lost-update.test.ts"), "utf8");

  expect(page).toContain(`\`\`\`ts\n${scenario}\`\`\``);
});

test.each(["CONTRIBUTING.md", "docs/architecture.md"])("the files that %s names are there", (name) => {
  const page = readFileSync(join(root, name), "utf8");
  const paths = [...page.matchAll(/`((?:src|__tests__|scripts|emulator)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path,
  );

  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
