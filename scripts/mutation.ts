// `npm run test:mutation [-- PART …]`: mutation testing of the pure parts of src/ and of what talks to GitHub, git and the
// network, each by the tests that are about it.
// With `--check`, only looks for each file. Exit code 1 if a part is unknown or a file is missing, before anything runs.
import { globSync } from "node:fs";
import { mustRun, root } from "./support/run.ts";

/** Files to mutate, by their folder of src/. */
const pureFiles: Readonly<Record<string, readonly string[]>> = {
  ".": ["workflow-run"],
  "deploy/make": ["typical-duration"],
  checks: ["evaluate-response", "commit-check"],
  "deploy/plan": ["*"],
  compare: ["alternatives", "compare-contracts", "compare-schemas", "contract-change", "expand-schema"],
  previews: ["preview-task"],
  text: ["*"],
  platform: ["compare-content", "deployment", "same-repository", "hints", "control-plane-settings", "status"],
  github: ["*"],
  source: ["*"],
  http: ["*"],
  inputs: ["*"],
};

/** The tests of a part, if they are not the unit tests of its folder alone. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  ".": ["unit/workflow-run.test.ts"],
  "deploy/make": ["unit/deploy/typical-duration.test.ts"],
  checks: ["unit/checks", "scenario/after/smoke-tests.test.ts", "scenario/platform/verify-commit.test.ts"],
  // Without the property tests, which take seconds for each mutant.
  compare: ["compare-contracts", "compare-schemas", "contract-change"].map(
    (name) => `unit/compare/${name}.test.ts`,
  ),
  github: [
    "unit/github",
    ...["record", "replacement", "clean-up"].map((name) => `scenario/record/${name}.test.ts`),
    "scenario/preview/comment.test.ts",
  ],
  // The quick ones first.
  source: [
    ...["left-out", "find-warnings", "docker-ignore", "archive", "upload"].map(
      (name) => `unit/source/${name}.test.ts`,
    ),
    ...["left-out", "commit", "deploy"].map((name) => `scenario/upload/${name}.test.ts`),
    "unit/source/archive-of-checkout.test.ts",
    "security/hostile-checkouts.test.ts",
  ],
  text: ["unit/text", "security/redact.test.ts", "security/inert-text.test.ts"],
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
      MUTATED_TESTS: (testsOf[part] ?? [`unit/${part}`]).join(","),
      // What needs hundreds of random cases to be found needs a test of its own.
      PROPERTY_RUNS: "0.25",
    });
  }
}
