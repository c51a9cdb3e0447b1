import { expect, test } from "@jest/globals";
import { formatDuration } from "../../../src/text/duration.ts";

test.each([
  [-5, "0 s"],
  [0, "0 s"],
  [499, "0 s"],
  [850, "1 s"],
  [59_499, "59 s"],
  [59_500, "1 min"],
  [95_000, "1 min 35 s"],
  [3_599_500, "1 h 0 min"],
  [3_660_000, "1 h 1 min"],
  [86_400_000, "24 h 0 min"],
])("%d ms is %s", (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words));
