import { expect, test } from "@jest/globals";
import {
  type ContractChange,
  describeWaiting,
  summarizeChanges,
} from "../../../src/compare/contract-change.ts";
import { phrase, rawText, text } from "../../../src/text/message.ts";

const change = (severity: ContractChange["severity"]): ContractChange => ({
  graph: "agent",
  kind: "input",
  severity,
  path: "p",
  message: text`It differs.`,
  threadCount: 0,
});

test.each<[string, ContractChange["severity"][], boolean, string]>([
  ["nothing", [], false, "no breaking change"],
  ["notes", ["note", "note"], false, "no breaking change"],
  ["one breaking change", ["breaking", "note"], false, "1 breaking change"],
  ["several", ["breaking", "breaking"], false, "2 breaking changes"],
  ["differences", ["byHand", "note", "byHand"], false, "2 to check by hand"],
  ["nothing of what could be read", [], true, "not everything could be read"],
  [
    "everything",
    ["breaking", "byHand"],
    true,
    "1 breaking change, 1 to check by hand, not everything could be read",
  ],
])("a comparison that finds %s is summarized", (_what, severities, isPartial, summary) => {
  expect(rawText(summarizeChanges(severities.map(change), isPartial))).toBe(summary);
});

test.each<[string[], string | undefined]>([
  [[], undefined],
  [["a"], "1 thread is waiting at it: a."],
  [["a", "b", "c"], "3 threads are waiting at it: a, b and c."],
  [["a", "b", "c", "d"], "4 threads are waiting at it: a, b, c and others."],
])("the threads %j are named, three at most", (threads, sentence) => {
  const described = describeWaiting(threads, phrase`at it`);

  expect(described && rawText(described)).toBe(sentence);
});
