// `npm run test:mutation [-- FOLDER …]`: mutation testing of folders of src/, each by its own tests.
import { mustRun } from "./support/run.ts";

const given = process.argv.slice(2);
for (const folder of given.length > 0 ? given : ["plan", "watch", "revisions", "inputs"]) {
  process.env.MUTATED_FOLDER = folder;
  await mustRun("stryker", ["run", "--mutate", `src/${folder}/**/*.ts`]);
}
