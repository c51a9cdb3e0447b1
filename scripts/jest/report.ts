import { readFileSync } from "node:fs";
import { relative } from "node:path";
import * as v from "valibot";
import { root } from "../support/run.ts";

/** What `jest --json` writes. */
const ReportSchema = v.object({
  numPassedTests: v.number(),
  numPendingTests: v.number(),
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      message: v.string(),
      assertionResults: v.array(
        v.object({ status: v.string(), fullName: v.string(), failureMessages: v.array(v.string()) }),
      ),
    }),
  ),
});

export type JestReport = v.InferOutput<typeof ReportSchema>;

export function readReport(path: string): JestReport {
  return v.parse(ReportSchema, JSON.parse(readFileSync(path, "utf8")));
}

/** Returns a line with file and title for each test that failed, and one for each file that could not be loaded. */
export function failuresIn({ testResults }: JestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed")
      return [`${testFile(message, name)}: could not be loaded`];
    return failed.map(
      ({ fullName, failureMessages }) => `${testFile(failureMessages.join("\n"), name)}: ${fullName}`,
    );
  });
}

/** Returns the test file that a stack names: what Jest ran may be a file of `__tests__/groups`, which imports many. */
function testFile(stack: string, ran: string): string {
  return /(emulator\/)?__tests__\/[\w./-]+\.test\.ts/.exec(stack)?.[0] ?? relative(root, ran);
}
