import { expect, test } from "@jest/globals";
import {
  formatCount,
  formatDuration,
  formatMinute,
  formatSeconds,
  formatSize,
} from "../../../src/text/format.ts";

test.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1024, "1.0 KiB"],
  [1_048_524, "1023.9 KiB"],
  [1_048_525, "1.0 MiB"],
  [1_048_575, "1.0 MiB"],
  [1_048_576, "1.0 MiB"],
  [19_293_798, "18.4 MiB"],
  [5 * 2 ** 30, "5120.0 MiB"],
])("%d bytes are formatted as %s", (bytes, text) => expect(formatSize(bytes)).toBe(text));

test.each([
  [-5, "0 s"],
  [499, "0 s"],
  [850, "1 s"],
  [59_499, "59 s"],
  [59_500, "1 min"],
  [95_000, "1 min 35 s"],
  [3_599_500, "1 h"],
  [3_660_000, "1 h 1 min"],
  [86_400_000, "24 h"],
])("a duration of %d ms is formatted as %s", (durationMs, text) =>
  expect(formatDuration(durationMs)).toBe(text),
);

test.each([
  ["2026-03-02T09:50:00Z", "2026-03-02 09:50 UTC"],
  ["2026-03-02T09:50:59.999Z", "2026-03-02 09:50 UTC"],
  ["2026-12-31T23:59:30Z", "2026-12-31 23:59 UTC"],
])("%s is in the minute %s", (time, text) => expect(formatMinute(Date.parse(time))).toBe(text));

test("a count has its thousands separated", () => expect(formatCount(1_234_567)).toBe("1,234,567"));

test("a number of seconds has one decimal", () => expect(formatSeconds(12_345)).toBe("12.3"));
