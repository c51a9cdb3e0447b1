// `npm run docs`: rewrites the tables of inputs and outputs in the READMEs, which are generated from the action.yml files. With
// --check, changes nothing and fails if a README is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { replaceTables } from "./docs/tables.ts";
import { messageOf, root } from "./support/run.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

function update(folder: string): void {
  const readme = join(root, folder, "README.md");
  const before = readFileSync(readme, "utf8");
  const after = replaceTables(before, readActionFile(join(root, folder, "action.yml")));
  if (before === after) return;
  if (check) throw new Error("does not match its action.yml. Run npm run docs.");
  writeFileSync(readme, after);
  console.log(`Updated ${join(folder, "README.md")}.`);
}

for (const folder of actionFolders) {
  try {
    update(folder);
  } catch (error) {
    console.error(`${join(folder, "README.md")}: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
if (check && process.exitCode === undefined) console.log("The READMEs match the action.yml files.");
