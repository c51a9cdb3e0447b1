// `npm test -- FILE …`: the tests in these files and folders. `npm test` alone: every check, those with quick results first. All
// parts run, whatever the ones before found. At the end stand the parts that failed, each with what to do, the tests that failed,
// and a line that counts the tests and the other parts.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failuresIn, type JestReport, readReport } from "./jest/report.ts";
import { root, run, runJest } from "./support/run.ts";

const temporary = mkdtempSync(join(tmpdir(), "check-"));
const counts = { passed: 0, failed: 0, skipped: 0 };
const failedParts: string[] = [];
let commands = 0;

/** `fix`: what to do if it fails. */
async function command(title: string, fix: string, name: string, ...args: readonly string[]): Promise<void> {
  console.log(`\n=== ${title} ===\n`);
  const passed = (await run(name, args)) === 0;
  commands += 1;
  counts[passed ? "passed" : "failed"] += 1;
  if (!passed) failedParts.push(`${title}: ${fix}`);
}

/** A Jest that fails without a failed test, or without a report, counts as a failure too. */
async function tests(): Promise<void> {
  console.log("\n=== Tests ===\n");
  const path = join(temporary, "report.json");
  const reporters = ["--reporters=default", "--reporters=<rootDir>/scripts/jest/report-file.js"];
  const code = await runJest(["--config=scripts/jest/groups.config.js", "--ci", ...reporters], {
    JEST_REPORT: path,
    // The emulator starts as a process dozens of times: compiling it would take most of that.
    NODE_COMPILE_CACHE: join(temporary, "compile-cache"),
  });
  const report = findReport(path);
  const failures = report === undefined ? [] : failuresIn(report);
  const failed = code === 0 && report !== undefined ? failures.length : Math.max(failures.length, 1);
  counts.passed += report?.numPassedTests ?? 0;
  counts.skipped += report?.numPendingTests ?? 0;
  counts.failed += failed;
  if (failed === 0) return;
  const fix = 'search above for ●, and run single tests with npm test -- FILE -t "words of the title"';
  failedParts.push([`Tests: ${fix}`, ...failures].join("\n  - "));
}

function findReport(path: string): JestReport | undefined {
  try {
    return readReport(path);
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
  const mutationFix = "correct the names in scripts/mutation.ts";
  await command("Files of the mutation tests", mutationFix, "node", "scripts/mutation.ts", "--check");
  const distFix = "run npm run build, and commit dist/";
  await command("dist/ in step with src/", distFix, "node", "scripts/check-dist.ts");
  await tests();
  if (counts.failed > 0) process.exitCode = 1;
  if (failedParts.length > 0) console.log(`\nFailed:\n- ${failedParts.join("\n- ")}`);
  console.log(`\nThe tests and the ${commands} parts before them:`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
}

/** Returns what is wrong with the paths: Jest alone would ignore one that matches nothing, beside one that does. */
function problemOf(files: readonly string[]): string | undefined {
  if (files.length === 0) return "Name a file or folder of tests first.";
  const missing = files.find((file) => !existsSync(join(root, file)));
  return missing && `${missing} does not exist.`;
}

async function runFiles(args: readonly string[]): Promise<number> {
  const firstOption = args.findIndex((arg) => arg.startsWith("-"));
  const problem = problemOf(firstOption < 0 ? args : args.slice(0, firstOption));
  if (problem === undefined) return await runJest(args);
  console.error(problem);
  return 1;
}

const args = process.argv.slice(2);
try {
  if (args.length === 0) await checkAll();
  else process.exitCode = await runFiles(args);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
