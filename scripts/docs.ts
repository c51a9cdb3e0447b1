// `npm run docs`: rewrites the tables in the READMEs, which are generated from the action.yml files.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { replaceTables } from "./docs/tables.ts";
import { messageOf, root } from "./support/run.ts";

const deploy = readActionFile(join(root, "action.yml"));
for (const folder of actionFolders) {
  const name = join(folder, "README.md");
  try {
    const action = readActionFile(join(root, folder, "action.yml"));
    const before = readFileSync(join(root, name), "utf8");
    const after = replaceTables(before, action, folder === "." ? undefined : deploy);
    if (before === after) continue;
    writeFileSync(join(root, name), after);
    console.log(`Updated ${name}.`);
  } catch (error) {
    console.error(`${name}: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
