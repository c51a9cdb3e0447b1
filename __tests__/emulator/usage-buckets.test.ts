import { expect, test } from "@jest/globals";
import { exported, report, usageLine, withUsage } from "./support/usage.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-01-05T00:00:00Z");

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** One trace in every hour of the first three days, then one every day for two years. */
const everyDay = [
  ...Array.from({ length: 72 }, (_, hour) => usageLine({ time: iso(START + hour * HOUR + HOUR / 2) })),
  ...Array.from({ length: 728 }, (_, day) => usageLine({ time: iso(START + (day + 3) * DAY + DAY / 2) })),
];

const hourly = { days: 0, hours: 1 };
const daily = { days: 1, hours: 0 };
const weekly = { days: 7, hours: 0 };
const monthly = { days: 30, hours: 0 };
const yearly = { days: 365, hours: 0 };

// platform-api, "Stride by requested range", with the borders; contract, 9: whole days, rounded up.
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
])("a range of %d hours", (hours, stride, buckets) =>
  withUsage(everyDay, async (emulator) => {
    const query = { start_time: iso(START), end_time: iso(START + hours * HOUR) };
    const { usage, stride: answered } = await report(emulator, query);
    expect(answered).toEqual(stride);
    expect(usage).toHaveLength(buckets);

    const unit = stride.hours === 1 ? HOUR : DAY;
    const end = START + Math.ceil((hours * HOUR) / unit) * unit;
    const length = stride.days * DAY + stride.hours * HOUR;
    const [, ...lines] = await exported(emulator, query);
    expect(lines.map(([from, to]) => [from, to].map((time) => Date.parse(time ?? "")))).toEqual(
      Array.from({ length: buckets }, (_, number) => [
        START + number * length,
        Math.min(START + (number + 1) * length, end),
      ]),
    );
    expect(usage.map(({ time_bucket }) => time_bucket)).toEqual(lines.map(([from]) => from));
    const inRange = everyDay.filter(({ time }) => Date.parse(String(time)) < end).length;
    expect(usage.reduce((total, { traces }) => total + traces, 0)).toBe(inRange);
  }),
);

test("a daily range is rounded outwards to whole UTC days", () => {
  const lines = [
    "2026-02-01T23:59:59Z",
    "2026-02-02T00:00:00Z",
    "2026-02-04T23:59:59Z",
    "2026-02-05T00:00:00Z",
  ];
  return withUsage(
    lines.map((time) => usageLine({ time })),
    async (emulator) => {
      const { usage } = await report(emulator, {
        start_time: "2026-02-02T18:00:00Z",
        end_time: "2026-02-04T00:00:01Z",
      });
      expect(usage.map(({ time_bucket, traces }) => [time_bucket, traces])).toEqual([
        ["2026-02-02T00:00:00Z", 1],
        ["2026-02-04T00:00:00Z", 1],
      ]);
    },
  );
});

test("an hourly range is rounded outwards to whole hours", () => {
  const lines = [
    "2026-02-02T09:59:59Z",
    "2026-02-02T10:00:00Z",
    "2026-02-02T11:59:59.999Z",
    "2026-02-02T12:00:00Z",
  ];
  return withUsage(
    lines.map((time) => usageLine({ time })),
    async (emulator) => {
      const { usage, stride } = await report(emulator, {
        start_time: "2026-02-02T10:59:00Z",
        end_time: "2026-02-02T11:01:00Z",
      });
      expect(stride).toEqual(hourly);
      expect(usage.map(({ time_bucket, traces }) => [time_bucket, traces])).toEqual([
        ["2026-02-02T10:00:00Z", 1],
        ["2026-02-02T11:00:00Z", 1],
      ]);
    },
  );
});

test("an end that is whole already is not rounded any further", () =>
  withUsage([usageLine({ time: "2026-02-04T00:00:00Z" })], async (emulator) => {
    const { usage } = await report(emulator, { start_time: "2026-02-02", end_time: "2026-02-04" });
    expect(usage).toEqual([]);
  }));

test("empty buckets are left out, and so are lines without traces", () =>
  withUsage(
    [
      usageLine({ time: "2026-02-02" }),
      usageLine({ time: "2026-02-03", traces: 0 }),
      usageLine({ time: "2026-02-04" }),
    ],
    async (emulator) => {
      const { usage } = await report(emulator, { start_time: "2026-02-01", end_time: "2026-02-06" });
      expect(usage.map(({ time_bucket }) => time_bucket)).toEqual([
        "2026-02-02T00:00:00Z",
        "2026-02-04T00:00:00Z",
      ]);
    },
  ));

test.each([
  ["a date", "2026-02-03", "2026-02-03T00:00:00Z"],
  ["no offset", "2026-02-03T12:00", "2026-02-03T12:00:00Z"],
  ["an offset", "2026-02-03T12:00:00+05:30", "2026-02-03T06:00:00Z"],
  ["an offset in short", "2026-02-03T12:00:00-0800", "2026-02-03T20:00:00Z"],
  ["a fraction", "2026-02-03T12:00:00.123456Z", "2026-02-03T12:00:00Z"],
])("a start_time with %s is understood", (_, start_time, bucket) => {
  const everyHour = Array.from({ length: 72 }, (_, hour) =>
    usageLine({ time: iso(Date.parse("2026-02-02T00:00:00Z") + hour * HOUR) }),
  );
  return withUsage(everyHour, async (emulator) => {
    const end_time = iso(Date.parse(bucket) + 2 * HOUR);
    const { usage } = await report(emulator, { start_time, end_time });
    expect(usage[0]?.time_bucket).toBe(bucket);
  });
});
