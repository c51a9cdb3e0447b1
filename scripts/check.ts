// `npm test`: every check, in an order in which quick results come first. All parts run, whatever the ones before found. The
// last line counts the tests; a part that has none counts as one.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { capture, messageOf, run } from "./support/run.ts";

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Part {
  readonly title: string;
  readonly check: () => Promise<Counts>;
}

const JestResult = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numTodoTests: v.number(),
  numRuntimeErrorTestSuites: v.number(),
});

const temporary = mkdtempSync(join(tmpdir(), "check-"));

/** Parts of one stage run at the same time. */
const stages: readonly (readonly Part[])[] = [
  [
    { title: "Format and lint", check: command("npm", "run", "--silent", "lint") },
    { title: "Types", check: command("npm", "run", "--silent", "typecheck") },
    {
      title: "READMEs and types in step with the action.yml files",
      check: command("node", "scripts/docs.ts", "--check"),
    },
    { title: "dist/ in step with src/", check: command("node", "scripts/check-dist.ts") },
  ],
  [{ title: "Tests of the source", check: jest("source", "--config=jest.groups.config.js") }],
  [
    {
      title: "Tests of the bundle",
      // Processes that mostly wait.
      check: jest("bundle", "--testPathPatterns=/__tests__/bundle/", "--maxConcurrency=10"),
    },
  ],
];

/** A check that is one command. Its output is printed at once when it has ended, because others run at the same time. */
function command(name: string, ...args: string[]): () => Promise<Counts> {
  return async () => {
    const { succeeded, output } = await capture(name, args);
    if (output.trim() !== "") console.log(output.trimEnd());
    return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  };
}

function jest(name: string, ...args: string[]): () => Promise<Counts> {
  return async () => {
    const report = join(temporary, `${name}.json`);
    const code = await run("jest", ["--ci", "--maxWorkers=100%", "--json", "--outputFile", report, ...args], {
      NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
      // The emulator starts as a process dozens of times: compiling it would take most of that.
      NODE_COMPILE_CACHE: join(temporary, "compile-cache"),
    });
    return countsOf(report, code);
  };
}

/** What Jest counted. A run that failed without a failed test, or without a report, counts as a failure too. */
function countsOf(report: string, code: number): Counts {
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
    console.error(`Jest left no report: ${messageOf(error)}`);
    return null;
  }
}

interface Result {
  readonly title: string;
  readonly counts: Counts;
  readonly seconds: number;
}

async function timed({ title, check }: Part): Promise<Result> {
  const startedAt = performance.now();
  const counts = await check();
  return { title, counts, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

const results: Result[] = [];
try {
  for (const parts of stages) {
    console.log(`\n=== ${parts.map(({ title }) => title).join(", ")} ===\n`);
    results.push(...(await Promise.all(parts.map((part) => timed(part)))));
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

console.log("\n=== Summary ===\n");
for (const { title, counts, seconds } of results) {
  console.log(`${counts.failed === 0 ? "ok    " : "FAILED"}  ${title} (${seconds} s)`);
}
const sum = (key: keyof Counts) => results.reduce((total, { counts }) => total + counts[key], 0);
const skipped = sum("skipped");
if (sum("failed") > 0) process.exitCode = 1;
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
