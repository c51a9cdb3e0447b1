// `npm run test:mutation [-- PART …]`: mutation testing of the pure parts of src/, each by the unit tests of its own folder.
// With `--check`, only looks for each file. Exit code 1 if a part is unknown or a file is missing, before anything runs.
import { globSync } from "node:fs";
import { mustRun, root } from "./support/run.ts";

/** Files to mutate, by their folder of src/. The folder's unit tests have the same place in __tests__/unit. */
const pureFiles: Readonly<Record<string, readonly string[]>> = {
  deploy: ["typical-duration", "run-revision"],
  checks: ["evaluate-response", "commit-check"],
  "deploy/plan": ["*"],
  compare: ["*"],
  previews: ["event"],
  text: ["format", "json", "markdown", "message", "sanitize", "time"],
  platform: ["compare-source", "deployment", "error-kinds", "hints", "platforms", "api", "status"],
  github: ["*"],
  source: ["*"],
  http: ["*"],
  inputs: ["*"],
};

const given = process.argv.slice(2).filter((argument) => argument !== "--check");
const parts = given.length > 0 ? given : Object.keys(pureFiles);
const pathsOf = (part: string) => (pureFiles[part] ?? []).map((name) => `src/${part}/${name}.ts`);

const errors = parts.flatMap((part) =>
  part in pureFiles
    ? pathsOf(part)
        .filter((path) => globSync(path, { cwd: root }).length === 0)
        .map((path) => `${path} does not exist. Correct its name in scripts/mutation.ts.`)
    : [`Unknown part ${part}. The parts are ${Object.keys(pureFiles).join(", ")}.`],
);
if (errors.length > 0) {
  console.error(errors.join("\n"));
  process.exit(1);
}

if (!process.argv.includes("--check")) {
  for (const part of parts) {
    await mustRun("stryker", ["run", "scripts/jest/stryker.config.js", "--mutate", pathsOf(part).join(",")], {
      MUTATED_FOLDER: part,
    });
  }
}
