// All tests of one folder (`MUTATED_FOLDER`) in one file, for the mutation tests: these load the tests anew for each
// mutant, and what a dozen test files import a dozen times is loaded here once.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.MUTATED_FOLDER;
if (folder === undefined) throw new Error("MUTATED_FOLDER isn't set: npm run test:mutation sets it.");

const tests = readdirSync(join(import.meta.dirname, folder)).filter((file) => file.endsWith(".test.ts"));
for (const file of tests) await import(`./${folder}/${file}`);
