// `npm run docs`: rewrites what is generated from the action.yml files: the tables of inputs and outputs in the READMEs, and
// the action-types.yml files. With --check, changes nothing and fails if a file is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ActionFile, actionFolders, readActionFile } from "./docs/action-file.ts";
import { actionTypes } from "./docs/action-types.ts";
import { replaceTables } from "./docs/tables.ts";
import { messageOf, root } from "./support/run.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

const generated: Readonly<Record<string, (action: ActionFile, before: string) => string>> = {
  "README.md": (action, before) => replaceTables(before, action),
  "action-types.yml": actionTypes,
};

function update(path: string, action: ActionFile, generate: (action: ActionFile, before: string) => string) {
  const before = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
  const after = generate(action, before);
  if (before === after) return;
  if (check) throw new Error("does not match its action.yml. Run npm run docs.");
  writeFileSync(join(root, path), after);
  console.log(`Updated ${path}.`);
}

for (const folder of actionFolders) {
  for (const [file, generate] of Object.entries(generated)) {
    const path = join(folder, file);
    try {
      update(path, readActionFile(join(root, folder, "action.yml")), generate);
    } catch (error) {
      console.error(`${path}: ${messageOf(error)}`);
      process.exitCode = 1;
    }
  }
}
if (check && process.exitCode === undefined) {
  console.log("The READMEs and the action-types.yml files match the action.yml files.");
}
