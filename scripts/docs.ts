// `npm run docs`: rewrites the tables in the READMEs, which are generated from the action.yml files. With --check, changes
// nothing and fails if a README is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { replaceTables } from "./docs/tables.ts";
import { messageOf, root } from "./support/run.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

function update(folder: string, replace: (readme: string) => string): void {
  const name = join(folder, "README.md");
  try {
    const before = readFileSync(join(root, name), "utf8");
    const after = replace(before);
    if (before === after) return;
    if (check) throw new Error("does not match the files that it describes. Run npm run docs.");
    writeFileSync(join(root, name), after);
    console.log(`Updated ${name}.`);
  } catch (error) {
    console.error(`${name}: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}

const deploy = readActionFile(join(root, "action.yml"));
for (const folder of actionFolders) {
  const action = readActionFile(join(root, folder, "action.yml"));
  update(folder, (readme) => replaceTables(readme, action, folder === "." ? undefined : deploy));
}
if (check && process.exitCode === undefined) console.log("The READMEs match the files that they describe.");
