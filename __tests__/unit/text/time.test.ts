import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseDateTime, parseTimestamp } from "../../../src/text/time.ts";

const noon = Date.UTC(2026, 10, 20, 12);

test("the tests run in a time zone far from UTC", () => {
  expect(new Date(noon).getTimezoneOffset()).toBe(-345);
});

describe("a server's timestamp", () => {
  test.each([
    ["2026-11-20T12:00:00Z", noon],
    ["2026-11-20T12:00:00.250Z", noon + 250],
    ["2026-11-20T14:00:00+02:00", noon],
    ["2026-11-20T12:00:00", noon],
    ["2026-11-20T12:00", noon],
    ["2026-11-20T12:00:00.250123", noon + 250],
    ["2026-11-20 12:00:00", noon],
    ["Fri, 20 Nov 2026 12:00:00 GMT", noon],
  ])("%s is parsed, without a zone as UTC", (text, time) => {
    expect(parseTimestamp(text)).toBe(time);
  });

  test.each([undefined, "", "yesterday", "12:00:00"])("%j is not a time", (text) => {
    expect(parseTimestamp(text)).toBeNaN();
  });
});

describe("a date or date-time of a user", () => {
  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2026-01-31T14:00", "2026-01-31T14:00:00.000Z"],
    ["2026-01-31T14:00:05Z", "2026-01-31T14:00:05.000Z"],
    ["2026-01-31T14:00:05.123456789Z", "2026-01-31T14:00:05.123Z"],
    ["2026-01-31T14:00:05+02:00", "2026-01-31T12:00:05.000Z"],
    ["2026-02-02T00:00:00.5-01:30", "2026-02-02T01:30:00.500Z"],
  ])("%s is parsed as %s", (text, iso) => {
    expect(new Date(parseDateTime(text)).toISOString()).toBe(iso);
  });

  test.each([
    ...["", "yesterday", "2026", "2026-01", "31.01.2026", "01/31/2026", "1769868000", "20260131"],
    ...["2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32"],
    ...["2026-01-31T25:00", "2026-01-31T14:60", "2026-01-31T14:00:60Z", "2026-01-31T14", "2026-01-31 14:00"],
    ...[
      "2026-01-31T14:00+25:00",
      "2026-01-31T14:00+02:60",
      "2026-01-31T",
      "2026-01-31Z",
      "2026-01-31T14:00+02",
    ],
    ...["2026-01-31T14:00 Z", "+002026-01-31", "2026-01-31\n2026-02-01"],
  ])("%j is rejected", (text) => {
    expect(parseDateTime(text)).toBeNaN();
  });

  test("is never another time than it says", () => {
    // Some are beyond what a date or a time allows.
    const digits = (max: number) =>
      fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, "0"));
    const date = fc.tuple(digits(99), digits(99), digits(13), digits(32));
    const time = fc.tuple(digits(23), digits(61), fc.constantFrom("+", "-"), digits(25));
    fc.assert(
      fc.property(date, time, ([century, year, month, day], [hour, minute, sign, offset]) => {
        const local = `${century}${year}-${month}-${day}T${hour}:${minute}`;
        const at = parseDateTime(`${local}${sign}${offset}:00`);
        fc.pre(!Number.isNaN(at));
        const shifted = new Date(at + Number(sign + offset) * 3_600_000);
        expect(shifted.toISOString()).toBe(`${local}:00.000Z`);
      }),
    );
  });
});
