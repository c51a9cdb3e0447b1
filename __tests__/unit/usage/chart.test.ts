import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { usageChart } from "../../../src/usage/chart.ts";
import type { Stride } from "../../../src/usage/schemas.ts";

function chart(buckets: readonly (readonly [start: string, traces: number])[], stride: Stride): string {
  return usageChart({ stride, buckets: new Map(buckets) });
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
  expect(
    chart(
      [
        ["2026-01-06T00:00:00Z", 5],
        ["2026-01-08T00:00:00Z", 7],
      ],
      daily,
    ),
  ).toBe(
    [
      "```mermaid",
      "---",
      "config:",
      "  xyChart:",
      "    height: 230",
      "---",
      "xychart-beta horizontal",
      '    title "Traces per day (UTC)"',
      '    x-axis ["2026-01-06", "2026-01-07", "2026-01-08"]',
      '    y-axis "Traces" 0 --> 7',
      "    bar [5, 0, 7]",
      "```",
    ].join("\n"),
  );
});

test.each([
  [
    { days: 0, hours: 1 },
    "Traces per hour",
    "2026-01-05T01:00:00Z",
    ["2026-01-05 00:00", "2026-01-05 01:00"],
  ],
  [{ days: 7, hours: 0 }, "Traces per 7 days", "2026-01-12", ["2026-01-05", "2026-01-12"]],
  [{ days: 365, hours: 0 }, "Traces per 365 days", "2027-01-05", ["2026-01-05", "2027-01-05"]],
])("a bar is as long as the stride %o", (stride, title, last, expected) => {
  const text = chart(
    [
      ["2026-01-05T00:00:00Z", 1],
      [last, 1],
    ],
    stride,
  );

  expect(text).toContain(title);
  expect(labels(text)).toEqual(expected);
});

test("buckets may come in any order, their times with or without an offset", () => {
  const text = chart(
    [
      ["2026-01-08T00:00:00", 3],
      ["2026-01-06T00:00:00.000000+00:00", 2],
      ["2026-01-05T00:00:00Z", 1],
    ],
    daily,
  );

  expect(bars(text)).toEqual([1, 2, 0, 3]);
});

test.each<[string, [string, number][], Stride]>([
  ["no usage", [], daily],
  ["a time that can't be parsed", [["soon", 1]], daily],
  ["more bars than fit", ["2026-01-05T00:00:00Z", "2026-02-14T00:00:00Z"].map((start) => [start, 1]), daily],
  ["no stride", [["2026-01-05T00:00:00Z", 1]], { days: 0, hours: 0 }],
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
  const buckets = fc.uniqueArray(fc.tuple(moment, fc.integer({ min: 1, max: 5000 })), {
    selector: ([start]) => start,
  });
  const count = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.maxSafeNat());
  fc.assert(
    fc.property(buckets, fc.record({ days: count, hours: count }), (buckets, stride) => {
      const text = chart(buckets, stride);
      if (text === "") return;

      expect(labels(text).length).toBeLessThanOrEqual(40);
      expect(new Set(labels(text)).size).toBe(labels(text).length);
      for (const label of labels(text)) expect(label).toMatch(/^-?[\d-]+( \d\d:\d\d)?$/);
      expect(text.split("\n")).toHaveLength(12);
      const sum = buckets.reduce((all, [, traces]) => all + traces, 0);
      expect(bars(text).reduce((all, bar) => all + bar)).toBe(sum);
    }),
  );
});
