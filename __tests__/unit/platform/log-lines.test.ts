import { expect, test } from "@jest/globals";
import { toLogLines } from "../../../src/platform/log-lines.ts";
import type { LogEntry } from "../../../src/platform/logs.ts";

const entry = (message: string, others: Partial<LogEntry> = {}): LogEntry => ({
  at: Number.NaN,
  message,
  ...others,
});

test("the first line of an entry has its time and level, as far as these are known", () => {
  const at = Date.parse("2026-03-02T09:08:07.654Z");
  const entries = [
    entry("a\nb", { at, level: "INFO" }),
    entry("c", { at }),
    entry("d", { level: "a level of nobody's" }),
  ];

  expect(toLogLines(entries)).toEqual([
    { label: "09:08:07 INFO ", text: "a" },
    { label: "", text: "b" },
    { label: "09:08:07 ", text: "c" },
    { label: "", text: "d" },
  ]);
});

test.each([
  ["several lines", "a\nb\r\nc", ["a", "b", "c"]],
  ["a line that is drawn again, because a secret may be broken there", "1 %\r2 %\r\n", ["1 %", "2 %"]],
  ["indented lines", "a\n  b\n\tc", ["a", "  b", "\tc"]],
  ["blank lines, which are dropped", "\n \n\na\n\n", ["a"]],
])("an entry may have %s", (_what, message, lines) => {
  expect(toLogLines([entry(message)]).map(({ text }) => text)).toEqual(lines);
});

test("of an endless line the start is kept", () => {
  const lines = toLogLines([entry(`${"x".repeat(5_000_000)}y`)]);

  expect(lines.map(({ text }) => text)).toEqual(["x".repeat(20_000)]);
});
