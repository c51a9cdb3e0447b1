// The tests of one part (`MUTATED_TESTS`: files, or folders with all of theirs) as one file, for mutation tests: these load
// the tests again for each mutant, and what a dozen test files import a dozen times is loaded once here.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const given = process.env.MUTATED_TESTS;
if (given === undefined) throw new Error("MUTATED_TESTS is not set. Run npm run test:mutation.");

// Nobody reads the smallest example of a mutant.
fc.configureGlobal({ endOnFailure: true });

for (const path of given.split(",")) {
  const isFile = path.endsWith(".test.ts");
  const files = isFile ? [""] : readdirSync(join(import.meta.dirname, "..", path));
  const tests = files.filter((file) => isFile || file.endsWith(".test.ts"));
  for (const file of tests) await import(`../${join(path, file)}`);
}
