// All unit tests of one folder (`MUTATED_FOLDER`) as one file, for mutation tests: these load the tests again for each
// mutant, and what a dozen test files import a dozen times is loaded once here.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.MUTATED_FOLDER;
if (folder === undefined) throw new Error("MUTATED_FOLDER is not set. Run npm run test:mutation.");

const tests = readdirSync(join(import.meta.dirname, folder)).filter((file) => file.endsWith(".test.ts"));
for (const file of tests) await import(`./${folder}/${file}`);
