import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { failuresIn, type JestReport } from "../../scripts/jest/report.ts";
import { root } from "../../scripts/support/run.ts";

const stack = `Error: no
    at check (${root}/__tests__/support/scenario.ts:9:1)
    at ${root}/emulator/__tests__/a.test.ts:3:5`;

/** Of a file that imports others. Each text is the stack of a test that failed. */
function reportOf({ message = "", stacks }: { message?: string; stacks: readonly string[] }): JestReport {
  const passed = { status: "passed", fullName: "a test passes", failureMessages: [] };
  const failed = stacks.map((text) => ({
    status: "failed",
    fullName: "a test fails",
    failureMessages: [text],
  }));
  const name = join(root, "__tests__/groups/scenario-1.ts");
  const result = { name, status: "failed", message, assertionResults: [passed, ...failed] };
  return { numPassedTests: 1, numPendingTests: 0, testResults: [result] };
}

test("a failed test is reported with its title and the test file of its stack", () => {
  const report = reportOf({ stacks: [stack, "Error: no"] });

  expect(failuresIn(report)).toEqual([
    "emulator/__tests__/a.test.ts: a test fails",
    "__tests__/groups/scenario-1.ts: a test fails",
  ]);
});

test("a file that fails without a failed test is reported as one that could not be loaded", () => {
  const report = reportOf({ message: stack, stacks: [] });

  expect(failuresIn(report)).toEqual(["emulator/__tests__/a.test.ts: could not be loaded"]);
});
