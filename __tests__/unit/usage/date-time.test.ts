import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseDateTime } from "../../../src/text/date-time.ts";

test.each([
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2026-01-31T14:00", "2026-01-31T14:00:00.000Z"],
  ["2026-01-31t14:00:05z", "2026-01-31T14:00:05.000Z"],
  ["2026-01-31T14:00:05.123456789Z", "2026-01-31T14:00:05.123Z"],
  ["2026-01-31T14:00:05+02:00", "2026-01-31T12:00:05.000Z"],
  ["2026-01-31T14:00-0330", "2026-01-31T17:30:00.000Z"],
  ["2026-01-31T00:30+01", "2026-01-30T23:30:00.000Z"],
  ["2026-02-01T10:30Z", "2026-02-01T10:30:00.000Z"],
  ["2026-02-02T00:00:00.5-0130", "2026-02-02T01:30:00.500Z"],
])("%s is %s", (text, iso) => {
  expect(new Date(parseDateTime(text)?.at ?? Number.NaN).toISOString()).toBe(iso);
});

test("a date alone is told from a date-time", () => {
  expect(parseDateTime("2026-01-31")?.isDate).toBe(true);
  expect(parseDateTime("2026-01-31T00:00")?.isDate).toBe(false);
});

test.each([
  ...["", "yesterday", "2026", "2026-01", "31.01.2026", "01/31/2026", "1769868000", "20260131"],
  ...["2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32"],
  ...["2026-01-31T24:00", "2026-01-31T14:60", "2026-01-31T14:00:60Z", "2026-01-31T14", "2026-01-31 14:00"],
  ...["2026-01-31T14:00+25:00", "2026-01-31T14:00+02:60", "2026-01-31T", "2026-01-31Z", "2026-01-31T14:00 Z"],
  ...["+002026-01-31", "2026-01-31\n2026-02-01"],
])("%j is refused", (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

test("every moment comes back as it was", () => {
  const moment = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(fc.property(moment, (date) => parseDateTime(date.toISOString())?.at === date.getTime()));
});

/** Two digits, some of them beyond what a date or a time allows. */
const digits = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, "0"));

test("what is taken for a date-time is the time that it says, where it says it", () => {
  const date = fc.tuple(digits(99), digits(99), digits(13), digits(32));
  const time = fc.tuple(digits(25), digits(61), fc.constantFrom("+", "-"), digits(25));
  fc.assert(
    fc.property(date, time, ([century, year, month, day], [hour, minute, sign, offset]) => {
      const said = `${century}${year}-${month}-${day}T${hour}:${minute}`;
      const at = parseDateTime(`${said}${sign}${offset}`)?.at;
      fc.pre(at !== undefined);
      const there = new Date(at + Number(sign + offset) * 3_600_000);
      expect(there.toISOString()).toBe(`${said}:00.000Z`);
    }),
  );
});

test("no text throws, or is a time that there isn't", () => {
  fc.assert(fc.property(fc.string(), (text) => expect(parseDateTime(text)?.at).not.toBeNaN()));
});
