// `npm test -- FILE …`: the tests in these files and folders. `npm test` alone: every check, those with quick results first. All
// parts run, whatever the ones before found. At the end stand the parts that failed, each with what to do, and a line that counts
// the tests; a part that has none counts as one.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { run, runJest } from "./support/run.ts";

const JestResult = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numRuntimeErrorTestSuites: v.number(),
});

const temporary = mkdtempSync(join(tmpdir(), "check-"));
const counts = { passed: 0, failed: 0, skipped: 0 };
const failedParts: string[] = [];

/** `fix`: what to do if it fails. */
async function command(title: string, fix: string, name: string, ...args: readonly string[]): Promise<void> {
  console.log(`\n=== ${title} ===\n`);
  const passed = (await run(name, args)) === 0;
  counts[passed ? "passed" : "failed"] += 1;
  if (!passed) failedParts.push(`${title}: ${fix}`);
}

/** A Jest that fails without a failed test, or without a report, counts as a failure too. */
async function tests(): Promise<void> {
  console.log("\n=== Tests ===\n");
  const report = join(temporary, "report.json");
  const args = ["--config=scripts/jest/groups.config.js", "--ci", "--json", "--outputFile", report];
  const code = await runJest(args, {
    // The emulator starts as a process dozens of times: compiling it would take most of that.
    NODE_COMPILE_CACHE: join(temporary, "compile-cache"),
  });
  const result = readReport(report);
  const failed = (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
  counts.passed += result?.numPassedTests ?? 0;
  counts.skipped += result?.numPendingTests ?? 0;
  const counted = code === 0 && result !== undefined ? failed : Math.max(failed, 1);
  counts.failed += counted;
  if (counted > 0) failedParts.push("Tests: search above for ●, and run single files with npm test -- FILE");
}

function readReport(path: string): v.InferOutput<typeof JestResult> | undefined {
  try {
    return v.parse(JestResult, JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    console.error("Jest left no report:", error);
    return undefined;
  }
}

async function checkAll(): Promise<void> {
  if (process.platform !== "linux") {
    console.log(
      "This is not Linux: tests that need /proc, /dev/full, signals or modes of files fail or are skipped.",
    );
    console.log(
      "The whole check runs on Linux, in WSL or in a container. `npm test -- FILE…` runs single tests here.",
    );
  }
  const lintFix = "run npm run format, then correct what npm run lint still reports";
  await command("Format and lint", lintFix, "npm", "run", "--silent", "lint");
  await command("Types", "correct what npm run typecheck reports", "npm", "run", "--silent", "typecheck");
  const readmes = "READMEs in step with the action.yml files";
  await command(readmes, "run npm run docs", "node", "scripts/docs.ts", "--check");
  const mutationFix = "correct the names in scripts/mutation.ts";
  await command("Files of the mutation tests", mutationFix, "node", "scripts/mutation.ts", "--check");
  const distFix = "run npm run build, and commit dist/";
  await command("dist/ in step with src/", distFix, "node", "scripts/check-dist.ts");
  await tests();
  if (counts.failed > 0) process.exitCode = 1;
  if (failedParts.length > 0) console.log(`\nFailed:\n- ${failedParts.join("\n- ")}`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
}

const files = process.argv.slice(2);
try {
  if (files.length > 0) process.exitCode = await runJest(files);
  else await checkAll();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
