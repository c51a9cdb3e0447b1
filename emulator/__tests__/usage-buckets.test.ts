import { expect, test } from "@jest/globals";
import { useUsage } from "./support/emulator.ts";
import { exported, OTHER_WORKSPACE, report, usageLine } from "./support/usage.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-01-05T00:00:00Z");

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** One trace in the middle of every hour of the first three days, then of every day for two years. */
const regular = [
  ...Array.from({ length: 72 }, (_, hour) => START + hour * HOUR + HOUR / 2),
  ...Array.from({ length: 728 }, (_, day) => START + (day + 3) * DAY + DAY / 2),
];

/** Traces around the limits of days and hours. */
const atLimits = [
  ...["2026-02-01T23:59:59Z", "2026-02-02T00:00:00Z", "2026-02-02T09:59:59Z", "2026-02-02T10:00:00Z"],
  ...["2026-02-02T11:59:59.999Z", "2026-02-02T12:00:00Z", "2026-02-04T23:59:59Z", "2026-02-05T00:00:00Z"],
];

const emulator = await useUsage([
  ...regular.map((time) => usageLine({ time: iso(time) })),
  ...atLimits.map((time) => usageLine({ time, workspace_id: OTHER_WORKSPACE })),
]);

const hourly = { days: 0, hours: 1 };
const daily = { days: 1, hours: 0 };
const weekly = { days: 7, hours: 0 };
const monthly = { days: 30, hours: 0 };
const yearly = { days: 365, hours: 0 };

test.each([
  [1 / 60, hourly, 1],
  [23 + 59 / 60, hourly, 24],
  [24, daily, 1],
  [24 + 1 / 60, daily, 2],
  [31 * 24, daily, 31],
  [31.5 * 24, weekly, 5],
  [32 * 24, weekly, 5],
  [93 * 24, weekly, 14],
  [93 * 24 + 1, monthly, 4],
  [94 * 24, monthly, 4],
  [366 * 24, monthly, 13],
  [366 * 24 + 1, yearly, 2],
  [367 * 24, yearly, 2],
])("a range of %d hours has the stride %j and %d buckets", async (hours, stride, count) => {
  const query = { start_time: iso(START), end_time: iso(START + hours * HOUR) };

  const { usage, stride: shown } = await report(emulator, query);
  const [, ...rows] = await exported(emulator, query);

  const unit = stride.hours === 1 ? HOUR : DAY;
  const end = START + Math.ceil((hours * HOUR) / unit) * unit;
  const length = stride.days * DAY + stride.hours * HOUR;
  expect(shown).toEqual(stride);
  expect(rows.map(([from = "", to = ""]) => [Date.parse(from), Date.parse(to)])).toEqual(
    Array.from({ length: count }, (_, number) => [
      START + number * length,
      Math.min(START + (number + 1) * length, end),
    ]),
  );
  expect(usage.map(({ time_bucket }) => time_bucket)).toEqual(rows.map(([from]) => from));
  expect(usage.reduce((sum, { traces }) => sum + traces, 0)).toBe(
    regular.filter((time) => time < end).length,
  );
});

const days: [string, number][] = [
  ["2026-02-02T00:00:00Z", 5],
  ["2026-02-04T00:00:00Z", 1],
];
const hours: [string, number][] = [
  ["2026-02-02T10:00:00Z", 1],
  ["2026-02-02T11:00:00Z", 1],
];

test.each([
  ["whole days", "2026-02-02T18:00:00Z", "2026-02-04T00:00:01Z", days],
  ["whole days, which it has already", "2026-02-03", "2026-02-05", days.slice(1)],
  ["whole hours", "2026-02-02T10:59Z", "2026-02-02T11:01Z", hours],
])("a range is rounded outwards to %s", async (_, start_time, end_time, expected) => {
  const { usage } = await report(emulator, { start_time, end_time, workspace_ids: OTHER_WORKSPACE });

  expect(usage.map(({ time_bucket, traces }) => [time_bucket, traces])).toEqual(expected);
});

test.each([
  ["a date", "2026-01-06", "2026-01-06T00:00:00Z"],
  ["no offset", "2026-01-06T12:00", "2026-01-06T12:00:00Z"],
  ["an offset", "2026-01-06T12:00:00+05:30", "2026-01-06T06:00:00Z"],
  ["a short offset", "2026-01-06T12:00:00-0800", "2026-01-06T20:00:00Z"],
  ["a fraction", "2026-01-06T12:00:00.123456Z", "2026-01-06T12:00:00Z"],
])("a start_time with %s is understood", async (_, start_time, bucket) => {
  const { usage } = await report(emulator, { start_time, end_time: iso(Date.parse(bucket) + 2 * HOUR) });

  expect(usage[0]?.time_bucket).toBe(bucket);
});
