import { describe, expect, test } from "@jest/globals";
import {
  existedBefore,
  isNew,
  liveRevision,
  newerRevisions,
  revisionBaseline,
} from "../../../../src/deploy/apply/revision-history.ts";
import type { Revision } from "../../../../src/platform/deployment.ts";
import { revisionOf } from "../../support/wire.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();

function revision(id: string, minute?: number, status = "QUEUED"): Revision {
  return revisionOf({ id, status, ...(minute !== undefined && { created_at: at(minute) }) });
}

/** One page of a list that may go on. */
const page = (...listed: Revision[]) => ({ listed, isComplete: false });

describe("a revision that was created long before the request", () => {
  const requestedAt = Date.parse(at(59));

  test("is not new if no revision was known before", () => {
    const nothingKnown = { ...revisionBaseline(page(), {}), requestedAt };

    expect(isNew(revision("late", 2), nothingKnown)).toBe(false);
    expect(isNew(revision("new", 50), nothingKnown)).toBe(true);
  });

  test.each<[string, (number | undefined)[], boolean]>([
    ["may be new by the platform's own clock, after the oldest known one", [5, 1], true],
    ["is not new if it is older than all that are known", [7, undefined, 3, 5], false],
    ["is not new by the runner's clock, if the known ones have no times", [undefined], false],
  ])("%s", (_what, minutes, expected) => {
    const known = revisionBaseline(
      page(...minutes.map((minute, index) => revision(`r${index}`, minute))),
      {},
    );

    expect(isNew(revision("late", 2), { ...known, requestedAt })).toBe(expected);
  });
});

describe("a new id is new, whatever the clocks say,", () => {
  const ancient = revision("new", 0);
  const requestedAt = Date.parse(at(59));
  const whole = (...listed: Revision[]) => ({ listed, isComplete: true });

  test.each<[string, Parameters<typeof revisionBaseline>, boolean]>([
    ["if the list was complete", [whole(revision("old", 1)), { latestRevisionId: "OLD" }], true],
    ["not if the list may go on", [page(revision("old", 1)), { latestRevisionId: "old" }], false],
    [
      "not if the deployment shows another latest one",
      [whole(revision("old", 1)), { latestRevisionId: "b" }],
      false,
    ],
    [
      "not if the deployment shows another live one",
      [whole(revision("old", 1)), { activeRevisionId: "b" }],
      false,
    ],
    ["if the deployment shows that it had none", [whole(), { latestRevisionId: null }], true],
    ["not if an empty list may lag", [whole(), {}], false],
  ])(
    "an ID that was not listed counts as new, whatever the clocks say: %s",
    (_when, [list, shown], expected) => {
      expect(isNew(ancient, { ...revisionBaseline(list, shown), requestedAt })).toBe(expected);
    },
  );
});

describe("known before the request are", () => {
  test("the ids of listed revisions and those that the deployment shows, without case", () => {
    const shown = { latestRevisionId: "latest", activeRevisionId: "Active" };
    const known = revisionBaseline(page(revision("Listed", 1)), shown);

    expect([...known.ids]).toEqual(["listed", "latest", "active"]);
    expect(existedBefore("ACTIVE", known)).toBe(true);
    expect(isNew(revision("latest", 5), known)).toBe(false);
  });
});

describe("live before the request was", () => {
  const listed = [
    revision("failed", 4, "BUILD_FAILED"),
    revision("newer", 3, "DEPLOYED"),
    revision("older", 2, "DEPLOYED"),
  ];

  test.each<[string, string | null | undefined, Revision[], ReturnType<typeof liveRevision>]>([
    ["the one that the deployment shows", "older", listed, { id: "older", isActive: true }],
    ["the one that it shows, even if it is not listed", "paged", [], { id: "paged", isActive: true }],
    ["otherwise the newest deployed one", undefined, listed, { id: "newer", isActive: false }],
    ["the newest deployed one if it shows none", null, listed, { id: "newer", isActive: false }],
    ["none if none is deployed", undefined, listed.slice(0, 1), undefined],
    ["none without revisions", null, [], undefined],
  ])(
    "the revision that was live before the request is %s",
    (_which, activeRevisionId, revisions, expected) => {
      expect(liveRevision({ activeRevisionId }, revisions)).toEqual(expected);
    },
  );
});

const [b, c] = [revision("b", 2), revision("c", 3)];

test.each<[string, Revision, Revision[], string[]]>([
  ["those listed before it", revision("A", 1), [c, b, revision("a", 1), revision("z", 0)], ["c", "b"]],
  ["those listed before it, whatever their times", revision("c", 9), [b, c], ["b"]],
  ["those created after it, wherever they are listed", revision("b", 2), [b, c], ["c"]],
  ["those created after it, if it is not listed", revision("own", 2), [c, b], ["c"]],
  ["none if it is the newest", c, [c, b], []],
  ["none that can be told, if it is not listed and has no time", revision("own"), [c, b], []],
])("newer than a revision are %s", (_which, ours, listed, expected) => {
  expect(newerRevisions(ours, listed).map(({ id }) => id)).toEqual(expected);
});
