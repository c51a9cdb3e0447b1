import type { ActionRun } from "../../__tests__/support/runner/run-action.ts";

/** @throws if the conclusion or an output of a step is another than expected */
export function expectRun(run: ActionRun, expected: Readonly<Record<string, string | undefined>>): void {
  const actual: Readonly<Record<string, string>> = { ...run.outputs, conclusion: run.conclusion };
  const wrong = Object.entries(expected).filter(([name, value]) => actual[name] !== value);
  if (wrong.length === 0) return;
  const found = wrong.map(([name, value]) => `${name} should be ${value}, but is ${actual[name]}`);
  throw new Error(`Not as expected: ${found.join("; ")}`);
}
