import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";

test("the scenario in CONTRIBUTING.md is a test that runs", () => {
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const scenario = readFileSync(join(root, "__tests__/scenario/deploy/lost-update.test.ts"), "utf8");

  expect(page).toContain(`\`\`\`ts\n${scenario}\`\`\``);
});
