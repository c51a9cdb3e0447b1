import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { usageChart } from "../../../src/usage/chart.ts";
import type { Stride } from "../../../src/usage/schemas.ts";
import type { BucketTotal } from "../../../src/usage/totals.ts";

const range = (start: string, end: string) => ({ start: Date.parse(start), end: Date.parse(end) });

function chart(
  buckets: readonly BucketTotal[],
  stride: Stride,
  requested = range("2026-01-05", "2026-01-09"),
): string {
  return usageChart({ stride, buckets }, requested);
}

function labels(text: string): string[] {
  const axis = /x-axis \[(.*)\]/.exec(text)?.[1] ?? "";
  return axis.split(", ").map((label) => label.slice(1, -1));
}

function bars(text: string): number[] {
  return (/bar \[(.*)\]/.exec(text)?.[1] ?? "").split(", ").map(Number);
}

const daily = { days: 1, hours: 0 };

test("the chart shows days without usage as empty bars", () => {
  const buckets = [
    { start: "2026-01-06T00:00:00Z", traces: 5 },
    { start: "2026-01-08T00:00:00Z", traces: 7 },
  ];

  expect(chart(buckets, daily, range("2026-01-05T13:00Z", "2026-01-10T01:00Z"))).toBe(
    [
      "```mermaid",
      "---",
      "config:",
      "  xyChart:",
      "    height: 230",
      "---",
      "xychart-beta horizontal",
      '    title "Traces per day (UTC)"',
      '    x-axis ["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08", "2026-01-09", "2026-01-10"]',
      '    y-axis "Traces" 0 --> 7',
      "    bar [0, 5, 0, 7, 0, 0]",
      "```",
    ].join("\n"),
  );
});

test.each([
  [{ days: 0, hours: 1 }, "Traces per hour", "2026-01-05T02:00Z", ["2026-01-05 00:00", "2026-01-05 01:00"]],
  [{ days: 7, hours: 0 }, "Traces per 7 days", "2026-01-19", ["2026-01-05", "2026-01-12"]],
  [{ days: 365, hours: 0 }, "Traces per 365 days", "2027-06-01", ["2026-01-05", "2027-01-05"]],
])("a bar is as long as the stride %o", (stride, title, end, expected) => {
  const text = chart([{ start: "2026-01-05T00:00:00Z", traces: 1 }], stride, range("2026-01-05", end));

  expect(text).toContain(title);
  expect(labels(text)).toEqual(expected);
});

test("buckets may come in any order, their times with or without an offset", () => {
  const text = chart(
    [
      { start: "2026-01-08T00:00:00", traces: 3 },
      { start: "2026-01-06T00:00:00.000000+00:00", traces: 2 },
      { start: "2026-01-05T00:00:00Z", traces: 1 },
    ],
    daily,
  );

  expect(bars(text)).toEqual([1, 2, 0, 3]);
});

test.each([
  [9_999, "Traces", 9_999],
  [10_000, "Traces (thousands)", 10],
  [1_234_567, "Traces (thousands)", 1234.567],
  [10_000_000, "Traces (millions)", 10],
])("%i traces are shown in a unit that keeps the axis short", (traces, name, value) => {
  const text = chart([{ start: "2026-01-05T00:00:00Z", traces }], daily);

  expect(text).toContain(`y-axis "${name}" 0 --> ${value}`);
  expect(bars(text)[0]).toBe(value);
});

test.each<[string, BucketTotal[], Stride]>([
  ["no usage", [], daily],
  ["a time that can't be parsed", [{ start: "soon", traces: 1 }], daily],
  [
    "more bars than fit",
    ["2026-01-05T00:00:00Z", "2026-02-14T00:00:00Z"].map((start) => ({ start, traces: 1 })),
    daily,
  ],
  ["no stride", [{ start: "2026-01-05T00:00:00Z", traces: 1 }], { days: 0, hours: 0 }],
  [
    "a stride beyond all dates",
    [{ start: "2026-01-06T00:00:00Z", traces: 1 }],
    { days: Number.MAX_SAFE_INTEGER, hours: 0 },
  ],
])("there is no chart for %s", (_, buckets, stride) => {
  expect(chart(buckets, stride)).toBe("");
});

test("for any response the labels are different dates, and no trace is lost", () => {
  const moment = fc.oneof(
    fc
      .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString()),
    fc.string(),
  );
  const bucket = fc.record({ start: moment, traces: fc.integer({ min: 1, max: 5000 }) });
  const count = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(bucket), fc.record({ days: count, hours: count }), (buckets, stride) => {
      const text = chart(buckets, stride);
      if (text === "") return;

      expect(labels(text).length).toBeLessThanOrEqual(40);
      expect(new Set(labels(text)).size).toBe(labels(text).length);
      for (const label of labels(text)) expect(label).toMatch(/^-?[\d-]+( \d\d:\d\d)?$/);
      expect(text.split("\n")).toHaveLength(12);
      const unit = text.includes("(thousands)") ? 1e3 : 1;
      const sum = buckets.reduce((all, { traces }) => all + traces, 0);
      expect(bars(text).reduce((all, bar) => all + bar) * unit).toBeCloseTo(sum, 0);
    }),
  );
});
