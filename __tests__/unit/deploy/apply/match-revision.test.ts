import { describe, expect, test } from "@jest/globals";
import {
  deploysSource,
  matchRevision,
  objectionTo,
  type RevisionMatch,
} from "../../../../src/deploy/apply/match-revision.ts";
import { revisionBaseline } from "../../../../src/deploy/apply/revision-history.ts";
import type { Revision, RevisionSource } from "../../../../src/platform/deployment.ts";
import { revisionOf } from "../../support/wire.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();

function revision(id: string, minute?: number, source?: RevisionSource, status = "QUEUED"): Revision {
  return { ...revisionOf({ id, status, ...(minute !== undefined && { created_at: at(minute) }) }), source };
}

const main: RevisionSource = { repoRef: "main", appConfigPath: "a.json" };
const other: RevisionSource = { repoRef: "other", appConfigPath: "a.json" };
/** One page of a list that may go on. */
const page = (...listed: Revision[]) => ({ listed, isComplete: false });
const baseline = revisionBaseline(page(revision("newer", 5, main), revision("old", 1, main, "DEPLOYED")), {});
const ours = (id: string, evidence = "source") => ({ revision: { id }, evidence });
const notYet = undefined;

function expectMatch(match: RevisionMatch | undefined, expected: object | undefined): void {
  if (expected === undefined) expect(match).toBeUndefined();
  else expect(match).toMatchObject(expected);
}

describe("of a list, newest first, this run's revision is", () => {
  test.each<[string, Revision[], object | undefined]>([
    ["none while only old ones are listed", [revision("old", 1, main, "DEPLOYED")], notYet],
    ["none if the list is empty", [], notYet],
    ["the new one", [revision("new", 2, main), revision("old", 1, main)], ours("new")],
    ["the one of this source", [revision("b", 3, other), revision("a", 2, main)], ours("a")],
    [
      "the one of this source, although it is newer",
      [revision("b", 3, main), revision("a", 2, other)],
      ours("b"),
    ],
    [
      "the oldest one of this source",
      [revision("c", 4, main), revision("b", 3, main), revision("a", 2, other)],
      ours("b"),
    ],
    ["no one of another source", [revision("b", 3, other), revision("a", 2, other)], notYet],
    ["the only one, if it does not show its source", [revision("a", 2)], ours("a", "only_new")],
    [
      "maybe the oldest one, if none shows its source",
      [revision("b", 3), revision("a", 2)],
      ours("a", "oldest"),
    ],
    [
      "maybe the one that does not show its source, beside one of another",
      [revision("b", 3, other), revision("a", 2)],
      ours("a", "oldest"),
    ],
    [
      "the one of this source, before an older one without",
      [revision("b", 3, main), revision("a", 2)],
      ours("b"),
    ],
    ["none older than the oldest known one, even with a new id", [revision("ancient", 0, main)], notYet],
    ["one between the known ones, because clocks differ", [revision("new", 3, main)], ours("new")],
    ["one created at the same time as the oldest known one", [revision("new", 1, main)], ours("new")],
    ["none that is listed in another case", [revision("OLD", 1, main)], notYet],
    ["one without a time", [revision("new", undefined, main)], ours("new")],
  ])("this run's revision is %s", (_what, listed, expected) => {
    expectMatch(matchRevision(listed, baseline, main), expected);
  });
});

describe("a revision that does not show its source is this run's only if it is shown to be new:", () => {
  const [early, late, timeless] = [revision("new", 1), revision("new", 2), revision("new")];
  const wholeList = revisionBaseline({ listed: [revision("old")], isComplete: true }, {});
  const timelessList = revisionBaseline(page(revision("old")), {});

  test.each<[string, Revision, typeof baseline, object | undefined]>([
    ["after a complete list", timeless, wholeList, ours("new", "only_new")],
    [
      "of a deployment that this run created",
      timeless,
      { ...revisionBaseline(page(), {}), isCreated: true, requestedAt: 0 },
      ours("new", "only_new"),
    ],
    ["if it was created after the oldest listed one", late, baseline, ours("new", "only_new")],
    ["if it was created at the same time", early, baseline, ours("new", "only_new")],
    ["not if its time is not shown", timeless, baseline, notYet],
    ["not if no time was listed", late, timelessList, notYet],
  ])("%s", (_when, listed, known, expected) => {
    expectMatch(matchRevision([listed], known, main), expected);
  });
});

test("a revision that does not show its source is not this run's if nothing was listed before an update", () => {
  expect(matchRevision([revision("a", 2)], revisionBaseline(page(), {}), main)).toEqual(notYet);
});

test.each([
  ["existed before", revision("old", 1, main), "existed_before"],
  ["deploys another source", revision("new", 6, other), "other_source"],
  ["deploys what was sent", revision("new", 6, main), undefined],
  ["does not show what it deploys", revision("new", 6), undefined],
])("a revision that %s meets the right objection", (_which, shown, expected) => {
  expect(objectionTo(shown, { baseline, source: main })).toBe(expected);
});

test.each<[RevisionSource | undefined, RevisionSource, boolean | undefined]>([
  [undefined, main, undefined],
  [{}, main, undefined],
  [{ repoRef: "main" }, main, true],
  [{ repoRef: "refs/heads/main" }, main, true],
  [{ appConfigPath: "./a.json" }, main, true],
  [{ repoRef: "main", appConfigPath: "b.json" }, main, false],
  [{ repoRef: "other", appConfigPath: "a.json" }, main, false],
  [{ repoRef: "main", appConfigPath: "b.json" }, { repoRef: "main" }, true],
  [{ imageUri: "x:1" }, main, undefined],
  [{ imageUri: "x:1", repoRef: "main" }, { imageUri: "x:1" }, true],
  [{ imageUri: "x:2" }, { imageUri: "x:1" }, false],
  [{ imageUri: "x@sha256:1" }, { imageUri: "x:1" }, undefined],
  [{ tarballPath: "a.tar" }, { tarballPath: "a.tar" }, true],
  [{ tarballPath: "b.tar" }, { tarballPath: "a.tar" }, false],
  [{ appConfigPath: "a.json" }, { tarballPath: "a.tar", appConfigPath: "a.json" }, undefined],
  [
    { tarballPath: "a.tar", appConfigPath: "a.json" },
    { tarballPath: "a.tar", appConfigPath: "a.json" },
    true,
  ],
])("a revision that shows %j deploys %j: %p", (shown, sent, expected) => {
  expect(deploysSource(revision("a", 1, shown), sent)).toBe(expected);
});
