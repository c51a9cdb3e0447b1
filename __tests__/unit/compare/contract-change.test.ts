import { expect, test } from "@jest/globals";
import {
  type ContractChange,
  describeWaiting,
  type Gap,
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

const gap: Gap = { message: text`It is missing.`, failsGate: false };

test.each<[string, ContractChange["severity"][], Gap[], string]>([
  ["nothing", [], [], "no breaking change"],
  ["notes", ["note", "note"], [], "no breaking change"],
  ["one breaking change", ["breaking", "note"], [], "1 breaking change"],
  ["several", ["breaking", "breaking"], [], "2 breaking changes"],
  ["differences", ["byHand", "note", "byHand"], [], "2 to check by hand"],
  ["nothing of what could be read", [], [gap], "not everything could be read"],
  [
    "everything",
    ["breaking", "byHand"],
    [gap],
    "1 breaking change, 1 to check by hand, not everything could be read",
  ],
])("a comparison that finds %s is summarized", (_what, severities, gaps, summary) => {
  expect(rawText(summarizeChanges(severities.map(change), gaps))).toBe(summary);
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
