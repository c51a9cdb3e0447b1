import { describe, expect, test } from "@jest/globals";
import { typicalDurationMs } from "../../../../src/deploy/watch/typical-duration.ts";
import type { Revision } from "../../../../src/platform/deployment.ts";
import { revisionOf } from "../../support/wire.ts";

const start = Date.parse("2026-03-02T09:00:00Z");
const hour = 3600;

interface Times {
  /** Seconds after `start`. */
  readonly created?: number;
  readonly updated?: number;
  readonly status?: string;
  readonly commit?: string;
  readonly archive?: string;
}

function revision({ created, updated, status = "DEPLOYED", commit, archive }: Times): Revision {
  const text = (seconds = Number.NaN) => new Date(start + seconds * 1000);
  return revisionOf({
    status,
    source_revision_config: { repo_commit_sha: commit, source_tarball_path: archive },
    ...(created !== undefined && { created_at: text(created).toISOString() }),
    ...(updated !== undefined && { updated_at: text(updated).toISOString() }),
  });
}

/** Revisions that took these seconds, newest first, an hour apart. */
function lasting(...seconds: readonly number[]): Revision[] {
  return seconds.map((length, index) => {
    const created = (seconds.length - index) * hour;
    return revision({ created, updated: created + length });
  });
}

test.each<[string, Revision[], number | undefined]>([
  ["none is unknown", [], undefined],
  ["one is its own", lasting(200), 200],
  ["two is the shorter one", lasting(300, 200), 200],
  ["three is the one in the middle", lasting(200, 900, 210), 210],
  ["four is the shorter one of the two in the middle", lasting(40, 10, 30, 20), 20],
  ["one of three hours counts", lasting(3 * hour), 3 * hour],
  [
    "one that ended when the next one was created counts",
    [revision({ created: 200 }), revision({ created: 0, updated: 200 })],
    200,
  ],
  ["eleven is that of the ten newest", lasting(5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7), 5],
  [
    "one whose next one failed later counts",
    [revision({ created: 500, updated: 600, status: "BUILD_FAILED" }), revision({ created: 0, updated: 80 })],
    80,
  ],
  [
    "ones that were updated when the next one was created do not count",
    [
      revision({ created: 2000, updated: 2100 }),
      revision({ created: 1000, updated: 2100 }),
      revision({ created: 0, updated: 1100 }),
    ],
    100,
  ],
])("the typical duration of %s", (_which, listed, seconds) => {
  expect(typicalDurationMs(listed)).toBe(seconds === undefined ? undefined : seconds * 1000);
});

const [x, y] = ["a".repeat(40), "b".repeat(40)];

test.each<[string, Times[], number]>([
  [
    "a rollback to an earlier commit does not count",
    [
      { created: 4000, updated: 4002, commit: x },
      { created: 3000, updated: 3300, commit: y },
      { created: 0, updated: 200, commit: x },
    ],
    200,
  ],
  [
    "a rollback to an earlier archive does not count",
    [
      { created: 4000, updated: 4002, archive: "1.tar.gz" },
      { created: 0, updated: 200, archive: "1.tar.gz" },
    ],
    200,
  ],
  [
    "a build of a commit that failed before counts",
    [
      { created: 4000, updated: 4100, commit: x },
      { created: 3000, updated: 3100, commit: x, status: "BUILD_FAILED" },
      { created: 0, updated: 200, commit: y },
    ],
    100,
  ],
  [
    "revisions that show neither commit nor archive count",
    [
      { created: 4000, updated: 4100 },
      { created: 0, updated: 200 },
    ],
    100,
  ],
])("%s for the typical duration", (_what, listed, seconds) => {
  expect(typicalDurationMs(listed.map(revision))).toBe(seconds * 1000);
});

describe("a revision does not count", () => {
  test.each<[string, Times]>([
    ["that failed", { created: 0, updated: 50, status: "BUILD_FAILED" }],
    ["that is still running", { created: 0, updated: 50, status: "BUILDING" }],
    ["that was superseded", { created: 0, updated: 50, status: "SKIPPED" }],
    ["without the time of its creation", { updated: 50 }],
    ["without the time of its update", { created: 0 }],
    ["that took no time", { created: 0, updated: 0 }],
    ["that was updated before it was created", { created: 50, updated: 0 }],
    ["that was updated hours later", { created: 0, updated: 3 * hour + 1 }],
  ])("a revision %s does not count", (_what, times) => {
    expect(typicalDurationMs([revision(times)])).toBeUndefined();
    expect(typicalDurationMs([...lasting(100, 200, 300), revision(times)])).toBe(200_000);
  });

  test("whose time can't be read", () => {
    const unreadable = { ...revision({ created: 0, updated: 9 }), updatedAt: "soon" };

    expect(typicalDurationMs([unreadable])).toBeUndefined();
  });
});
