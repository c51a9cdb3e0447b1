import { expect, test } from "@jest/globals";
import { formatMinute } from "../../../src/text/minute.ts";

test.each([
  ["2026-03-02T09:50:00Z", "2026-03-02 09:50 UTC"],
  ["2026-03-02T09:50:00.001Z", "2026-03-02 09:51 UTC"],
  ["2026-12-31T23:59:30Z", "2027-01-01 00:00 UTC"],
])("%s is over at %s", (moment, minute) => {
  expect(formatMinute(Date.parse(moment))).toBe(minute);
});

test.each([Number.POSITIVE_INFINITY, Number.NaN, 1e300, 8.64e15 + 1])("%d is no moment", (at) => {
  expect(formatMinute(at)).toBeUndefined();
});

test("the last moment of all is one", () => {
  expect(formatMinute(8.64e15)).toBe("+275760-09-13 00:00 UTC");
});
