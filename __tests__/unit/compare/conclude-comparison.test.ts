import { expect, test } from "@jest/globals";
import { concludeComparison } from "../../../src/compare/conclude-comparison.ts";
import type { ContractChange } from "../../../src/compare/contract-change.ts";
import { Failure } from "../../../src/errors.ts";
import { rawText, text } from "../../../src/text/message.ts";

const change = (severity: ContractChange["severity"]): ContractChange => ({
  ...{ graph: "agent", kind: "node", severity, path: "approve", threads: 0 },
  message: text`It changed.`,
});
const gap = text`Read 1 of 2 waiting threads.`;
const blind = new Failure(text`GET /threads failed.`, { hint: text`Check it.` });
const whole = { changes: [], gaps: [], blind: undefined };

test.each([
  ["no breaking change", "no breaking change", whole],
  ["no breaking change", "no breaking change", { ...whole, changes: [change("note")] }],
  [
    "1 difference to check by hand",
    "1 difference to check by hand",
    { ...whole, changes: [change("by_hand")] },
  ],
  [
    "not everything could be read",
    "not everything could be read. Read 1 of 2 waiting threads",
    { ...whole, gaps: [gap] },
  ],
])("a comparison passes with: %s", (summary, what, comparison) => {
  const conclusion = concludeComparison(comparison, true);

  expect(conclusion).toMatchObject({ passed: true, warns: comparison.gaps.length > 0 });
  expect(rawText(conclusion.summary)).toBe(summary);
  expect(rawText(conclusion.what)).toBe(what);
});

test.each([
  [
    "2 breaking changes, 1 difference to check by hand",
    "It changed",
    { ...whole, changes: [change("breaking"), change("breaking"), change("by_hand")] },
  ],
  [
    "not everything could be read",
    "The waiting threads could not be read. GET /threads failed. Check it",
    { ...whole, blind },
  ],
])("a gate closes, and nothing else does, with: %s", (summary, reason, comparison) => {
  const gate = concludeComparison(comparison, true);
  const warned = concludeComparison(comparison, false);

  expect(gate).toMatchObject({ passed: false, warns: false });
  expect(warned).toMatchObject({ passed: true, warns: true, hint: undefined });
  expect(gate.hint && rawText(gate.hint)).toContain("breaking_changes: warn");
  for (const { what } of [gate, warned]) expect(rawText(what)).toBe(`${summary}. ${reason}`);
});

test("of many parts that could not be read, three are named", () => {
  const { what } = concludeComparison({ ...whole, gaps: [gap, gap, gap, gap, gap] }, true);

  expect(rawText(what)).toMatch(/threads\. 2 more parts could not be compared$/);
});
