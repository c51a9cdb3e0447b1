import { expect, test } from "@jest/globals";
import { parseTimestamp } from "../../../src/text/instant.ts";

const noon = Date.UTC(2026, 10, 20, 12);

test("these tests run far from UTC", () => {
  expect(new Date(noon).getTimezoneOffset()).toBe(-345);
});

test.each([
  ["2026-11-20T12:00:00Z", noon],
  ["2026-11-20T12:00:00.250Z", noon + 250],
  ["2026-11-20T14:00:00+02:00", noon],
  ["2026-11-20T12:00:00", noon],
  ["2026-11-20T12:00", noon],
  ["2026-11-20T12:00:00.250123", noon + 250],
  ["2026-11-20 12:00:00", noon],
  ["Fri, 20 Nov 2026 12:00:00 GMT", noon],
])("%s is an instant, whatever the runner's time zone", (text, instant) => {
  expect(parseTimestamp(text)).toBe(instant);
});

test.each([undefined, "", "yesterday", "12:00:00"])("%j is none", (text) => {
  expect(parseTimestamp(text)).toBeNaN();
});
