// `npm test`: the whole check, in an order in which the quick answers come first. Every part runs, whatever the ones
// before it found. The last line counts the tests, a part that is no test run being one check.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { run } from "./support/run.ts";

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type Part = readonly [title: string, check: () => Promise<Counts>];

const JestResult = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numTodoTests: v.number(),
  numRuntimeErrorTestSuites: v.number(),
});

const reports = mkdtempSync(join(tmpdir(), "check-"));

const parts: readonly Part[] = [
  ["Format and lint", command("npm", "run", "--silent", "lint")],
  ["Types", command("npm", "run", "--silent", "typecheck")],
  ["READMEs in step with the action.yml files", command("node", "scripts/docs.ts", "--check")],
  ["Tests of the source", jest("source", "--testPathIgnorePatterns=/__tests__/bundle/")],
  ["dist/ in step with src/", command("node", "scripts/check-dist.ts")],
  ["Tests of the bundle", jest("bundle", "--testPathPatterns=/__tests__/bundle/")],
];

function command(name: string, ...args: string[]): () => Promise<Counts> {
  return async () => {
    const passed = (await run(name, args)) === 0;
    return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
  };
}

function jest(name: string, ...args: string[]): () => Promise<Counts> {
  return async () => {
    const report = join(reports, `${name}.json`);
    const code = await run("jest", ["--ci", "--maxWorkers=100%", "--json", "--outputFile", report, ...args], {
      NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
    });
    return counted(report, code);
  };
}

/** What Jest counted. A run that failed without a failed test, or without a report, is a failure all the same. */
function counted(report: string, code: number): Counts {
  const result = v.safeParse(JestResult, readReport(report));
  if (!result.success) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } =
    result.output;
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return {
    passed: numPassedTests,
    failed: code === 0 ? failed : Math.max(failed, 1),
    skipped: numPendingTests + numTodoTests,
  };
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    console.error(`Jest left no report: ${String(error)}`);
    return null;
  }
}

const results: { title: string; counts: Counts; seconds: number }[] = [];
try {
  for (const [index, [title, check]] of parts.entries()) {
    console.log(`\n=== ${index + 1} of ${parts.length}: ${title} ===\n`);
    const start = performance.now();
    const counts = await check();
    results.push({ title, counts, seconds: Math.round((performance.now() - start) / 1000) });
  }
} finally {
  rmSync(reports, { recursive: true, force: true });
}

console.log("\n=== Summary ===\n");
for (const { title, counts, seconds } of results) {
  console.log(`${counts.failed === 0 ? "ok    " : "FAILED"}  ${title} (${seconds} s)`);
}
const sum = (key: keyof Counts) => results.reduce((total, { counts }) => total + counts[key], 0);
const skipped = sum("skipped");
if (sum("failed") > 0) process.exitCode = 1;
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
