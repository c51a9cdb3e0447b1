// `npm run docs`: rewrites the tables of inputs and outputs in the READMEs from the action.yml files.
// With --check, changes nothing and fails if a README is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { replaceTables } from "./docs/tables.ts";
import { root } from "./support/run.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

for (const folder of actionFolders) {
  const path = join(root, folder, "README.md");
  const before = readFileSync(path, "utf8");
  const after = replaceTables(before, readActionFile(join(root, folder, "action.yml")));
  if (before === after) continue;
  if (check) {
    console.error(`${join(folder, "README.md")} does not match its action.yml. Run npm run docs.`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, after);
    console.log(`Updated ${join(folder, "README.md")}.`);
  }
}
if (check && process.exitCode === undefined) console.log("The READMEs match the action.yml files.");
