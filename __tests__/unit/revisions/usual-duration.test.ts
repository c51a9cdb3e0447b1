import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { typicalDurationMs } from "../../../src/deployment/typical-duration.ts";
import type { Revision } from "../../../src/platform/deployment.ts";

const start = Date.parse("2026-03-02T09:00:00Z");
const hour = 3600;

interface Times {
  /** Seconds after `start`. */
  readonly created?: number;
  readonly updated?: number;
  readonly status?: string;
}

function revision({ created, updated, status = "DEPLOYED" }: Times): Revision {
  const text = (seconds: number | undefined) =>
    seconds === undefined ? undefined : new Date(start + seconds * 1000).toISOString();
  return {
    id: `r-${created}`,
    status,
    createdAt: text(created),
    updatedAt: text(updated),
    statusMessage: undefined,
    commitSha: undefined,
    source: undefined,
  };
}

/** Revisions of these lengths in seconds, newest first, an hour apart. */
function lasting(...seconds: readonly number[]): Revision[] {
  return seconds.map((length, index) => {
    const created = (seconds.length - index) * hour;
    return revision({ created, updated: created + length });
  });
}

test.each<[string, Revision[], number | undefined]>([
  ["none", [], undefined],
  ["one", lasting(200), 200],
  ["two: the shorter", lasting(300, 200), 200],
  ["three: the one in the middle", lasting(200, 900, 210), 210],
  ["four: the shorter of the two in the middle", lasting(40, 10, 30, 20), 20],
  ["one of three hours", lasting(3 * hour), 3 * hour],
  [
    "one that ended as the next one was made",
    [revision({ created: 200 }), revision({ created: 0, updated: 200 })],
    200,
  ],
  ["eleven: the ten newest", lasting(5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 1), 5],
])("of %s", (_which, listed, seconds) => {
  expect(typicalDurationMs(listed)).toBe(seconds === undefined ? undefined : seconds * 1000);
});

describe("left out is", () => {
  test.each<[string, Times]>([
    ["one that failed", { created: 0, updated: 50, status: "BUILD_FAILED" }],
    ["one that goes on", { created: 0, updated: 50, status: "BUILDING" }],
    ["one that was skipped", { created: 0, updated: 50, status: "SKIPPED" }],
    ["one without its creation", { updated: 50 }],
    ["one without its change", { created: 0 }],
    ["one that took no time", { created: 0, updated: 0 }],
    ["one that ended before it began", { created: 50, updated: 0 }],
    ["one that was changed hours later", { created: 0, updated: 3 * hour + 1 }],
  ])("%s", (_what, times) => {
    const others = lasting(100, 200, 300);
    expect(typicalDurationMs([revision(times)])).toBeUndefined();
    expect(typicalDurationMs([...others, revision(times)])).toBe(200_000);
  });

  test("one that was changed when the next one came: that isn't its end", () => {
    const touched = [
      revision({ created: 2000, updated: 2100 }),
      revision({ created: 1000, updated: 2100 }),
      revision({ created: 0, updated: 1100 }),
    ];
    expect(typicalDurationMs(touched)).toBe(100_000);
  });

  test("but not one whose next one failed later", () => {
    const listed = [
      revision({ created: 500, updated: 600, status: "BUILD_FAILED" }),
      revision({ created: 0, updated: 80 }),
    ];
    expect(typicalDurationMs(listed)).toBe(80_000);
  });

  test("a time that is none", () => {
    expect(
      typicalDurationMs([{ ...revision({ created: 0, updated: 9 }), updatedAt: "soon" }]),
    ).toBeUndefined();
  });
});

test("it is one of the durations, and half of the newest ten took at least as long", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: hour - 1 }), { minLength: 1, maxLength: 30 }),
      (seconds) => {
        const usual = (typicalDurationMs(lasting(...seconds)) ?? Number.NaN) / 1000;
        const newest = seconds.slice(0, 10);
        expect(newest).toContain(usual);
        expect(newest.filter((each) => each >= usual).length).toBeGreaterThanOrEqual(newest.length / 2);
        expect(newest.filter((each) => each <= usual).length).toBeGreaterThanOrEqual(newest.length / 2);
      },
    ),
  );
});
