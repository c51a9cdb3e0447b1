// `npm run test:mutation [-- FOLDER …]`: mutation testing of the pure parts of src/, each folder by its own unit tests.
import { mustRun } from "./support/run.ts";

/** Files to mutate, by their folder of src/. */
const pureFiles: Readonly<Record<string, readonly string[]>> = {
  checks: ["smoke-test/excerpt", "smoke-test/judge", "smoke-test/matches"],
  deployment: [
    "attribution",
    "identify-revision",
    "plan",
    "platform-rules",
    "requests",
    "rollback-plan",
    "same-source",
    "typical-duration",
    "verify-commit",
    "watch",
    "watch-endings",
  ],
  http: ["poll-delay"],
  platform: ["status"],
  inputs: ["*"],
  text: ["json"],
};

const given = process.argv.slice(2);
for (const folder of given.length > 0 ? given : Object.keys(pureFiles)) {
  const paths = (pureFiles[folder] ?? ["*"]).map((name) => `src/${folder}/${name}.ts`);
  await mustRun("stryker", ["run", "--mutate", paths.join(",")], { MUTATED_FOLDER: folder });
}
