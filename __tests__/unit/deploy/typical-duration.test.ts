import { expect, test } from "@jest/globals";
import { typicalDurationMs } from "../../../src/deploy/make/typical-duration.ts";
import { revisionOf } from "../support/wire.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 2) + seconds * 1000).toISOString();

/** A revision that was created at one time and updated at another, in seconds. */
function revision(created: number, updated: number, status = "DEPLOYED") {
  return revisionOf({ id: `r${created}`, status, created_at: at(created), updated_at: at(updated) });
}

/** In seconds, of revisions from the newest to the oldest. */
const typicalSeconds = (...listed: ReturnType<typeof revision>[]) => {
  const duration = typicalDurationMs(listed);
  return duration === undefined ? undefined : duration / 1000;
};

test("the typical duration is the median, the lower one of two", () => {
  expect(typicalSeconds()).toBeUndefined();
  expect(typicalSeconds(revision(0, 60))).toBe(60);
  expect(typicalSeconds(revision(200, 290), revision(100, 130))).toBe(30);
  expect(typicalSeconds(revision(400, 500), revision(200, 290), revision(100, 101))).toBe(90);
});

test("a revision that did not become live does not count", () => {
  const failed = [revision(400, 401, "BUILD_FAILED"), revision(300, 301, "BUILD_FAILED")];

  expect(typicalSeconds(...failed, revision(200, 290), revision(100, 160), revision(0, 30))).toBe(60);
});

test("a revision without a plausible end does not count", () => {
  const hours = (count: number) => count * 60 * 60;
  expect(typicalSeconds(revision(0, 0))).toBeUndefined();
  expect(typicalSeconds(revision(10, 5))).toBeUndefined();
  expect(typicalSeconds(revision(0, hours(3)))).toBe(hours(3));
  expect(typicalSeconds(revision(0, hours(3) + 1))).toBeUndefined();
});

test("a revision that was updated after the next one was created does not count", () => {
  expect(typicalSeconds(revision(200, 290), revision(195, 201))).toBe(90);
  expect(typicalSeconds(revision(200, 290), revision(100, 200))).toBe(90);
  expect(typicalSeconds(revision(200, 300, "BUILDING"), revision(100, 200))).toBe(100);
});

test("only the newest ten count", () => {
  const listed = Array.from({ length: 12 }, (_, index) => {
    const created = 10_000 - index * 500;
    return revision(created, created + (index < 10 ? 100 + index : 1));
  });
  expect(typicalSeconds(...listed)).toBe(104);
});
