// `npm run docs`: writes the tables of inputs and outputs in the READMEs anew from the action.yml files.
// With --check it writes nothing, and fails if one of them is out of step.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { withTables } from "./docs/tables.ts";
import { root } from "./support/run.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

for (const folder of actionFolders) {
  const path = join(root, folder, "README.md");
  const before = readFileSync(path, "utf8");
  const after = withTables(before, readActionFile(join(root, folder, "action.yml")));
  if (before === after) continue;
  if (check) {
    console.error(`${join(folder, "README.md")} is out of step with its action.yml: run npm run docs`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, after);
    console.log(`${join(folder, "README.md")} written`);
  }
}
if (check && process.exitCode === undefined)
  console.log("The READMEs are in step with the action.yml files.");
