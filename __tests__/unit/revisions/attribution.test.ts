import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import * as v from "valibot";
import {
  attribute,
  deploys,
  knownRevisions,
  liveRevision,
  noRevisions,
} from "../../../src/deployment/attribution.ts";
import { type Revision, type RevisionSource, toRevision } from "../../../src/platform/deployment.ts";
import { RevisionSchema } from "../../../src/platform/schemas.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();

function revision(id: string, minute?: number, source?: RevisionSource, status = "QUEUED"): Revision {
  const wire = v.parse(RevisionSchema, {
    id,
    status,
    created_at: minute === undefined ? undefined : at(minute),
  });
  return { ...toRevision(wire), source };
}

const main: RevisionSource = { repoRef: "main", appConfigPath: "a.json" };
const theirs: RevisionSource = { repoRef: "theirs", appConfigPath: "a.json" };
const beforehand = () => knownRevisions([revision("old", 1, main, "DEPLOYED")], []);

describe("what was made long before the write", () => {
  const writtenAt = Date.parse(at(59));
  const longBefore = revision("late", 2, main, "DEPLOYED");

  test("isn't new where the list showed nothing before", () => {
    const before = { ...knownRevisions([], []), writtenAt };
    expect(attribute([longBefore], before, main)).toEqual({ kind: "not-yet", foreign: [] });
    expect(attribute([revision("new", 50, main)], before, main).kind).toBe("ours");
  });

  test("may be new by a platform's clock that is behind: after what it showed before", () => {
    const before = { ...beforehand(), writtenAt };
    expect(attribute([longBefore], before, main)).toMatchObject({ kind: "ours", id: "late" });
  });
});

describe("of a list, newest first, this run's is", () => {
  test.each<[string, Revision[], ReturnType<typeof attribute>]>([
    [
      "none while only old ones show",
      [revision("old", 1, main, "DEPLOYED")],
      { kind: "not-yet", foreign: [] },
    ],
    ["none in an empty list", [], { kind: "not-yet", foreign: [] }],
    [
      "the new one",
      [revision("new", 2, main), revision("old", 1, main)],
      { kind: "ours", id: "new", unsure: false },
    ],
    [
      "the one of the same source",
      [revision("b", 3, theirs), revision("a", 2, main)],
      { kind: "ours", id: "a", unsure: false },
    ],
    [
      "the one of the same source, later",
      [revision("b", 3, main), revision("a", 2, theirs)],
      { kind: "ours", id: "b", unsure: false },
    ],
    [
      "the oldest of the same source",
      [revision("c", 4, main), revision("b", 3, main), revision("a", 2, theirs)],
      { kind: "ours", id: "b", unsure: false },
    ],
    [
      "not one of another source",
      [revision("b", 3, theirs), revision("a", 2, theirs)],
      { kind: "not-yet", foreign: ["b", "a"] },
    ],
    ["the only one of which nothing is shown", [revision("a", 2)], { kind: "ours", id: "a", unsure: false }],
    [
      "the oldest of which nothing is shown, not for sure",
      [revision("b", 3), revision("a", 2)],
      { kind: "ours", id: "a", unsure: true },
    ],
    [
      "one of the same source rather than an older one of which nothing is shown",
      [revision("b", 3, main), revision("a", 2)],
      { kind: "ours", id: "b", unsure: false },
    ],
    [
      "none that is older than what was known, even if its id is new",
      [revision("ancient", 0, main)],
      { kind: "not-yet", foreign: [] },
    ],
    [
      "one of the same moment as the newest known",
      [revision("new", 1, main)],
      { kind: "ours", id: "new", unsure: false },
    ],
    [
      "one that tells no time",
      [revision("new", undefined, main)],
      { kind: "ours", id: "new", unsure: false },
    ],
  ])("%s", (_what, listed, expected) => {
    expect(attribute(listed, beforehand(), main)).toEqual(expected);
  });

  test("the oldest after a create", () => {
    expect(attribute([revision("b", 3, main), revision("a", 2, main)], noRevisions, main)).toEqual({
      kind: "ours",
      id: "a",
      unsure: false,
    });
  });
});

test("ids that the deployment itself showed were there before", () => {
  const known = knownRevisions([], ["latest", null, undefined, "active"]);
  expect([...known.ids]).toEqual(["latest", "active"]);
  expect(attribute([revision("latest", 5, main)], known, main).kind).toBe("not-yet");
});

test.each<[string, readonly (number | undefined)[], number]>([
  ["none", [], Number.NaN],
  ["one that doesn't tell its time", [undefined], Number.NaN],
  ["several", [3, undefined, 7, 5], Date.UTC(2026, 2, 2, 9, 7)],
])("the newest of %s was made then", (_which, minutes, newestAt) => {
  const listed = minutes.map((minute, index) => revision(`r${index}`, minute));
  expect(knownRevisions(listed, []).newestAt).toBe(newestAt);
});

describe("live before the write is", () => {
  const listed = [
    revision("failed", 4, main, "BUILD_FAILED"),
    revision("newer", 3, main, "DEPLOYED"),
    revision("older", 2, main, "DEPLOYED"),
  ];

  test.each<[string, string | null | undefined, Revision[], ReturnType<typeof liveRevision>]>([
    ["the one that the deployment shows", "older", listed, { id: "older", shown: true }],
    ["the one that it shows, though it isn't listed", "paged", [], { id: "paged", shown: true }],
    ["otherwise the newest that is deployed", undefined, listed, { id: "newer", shown: false }],
    ["also where it shows none", null, listed, { id: "newer", shown: false }],
    ["none where none is deployed", undefined, listed.slice(0, 1), undefined],
    ["none where there are no revisions", null, [], undefined],
  ])("%s", (_which, activeRevisionId, revisions, expected) => {
    expect(liveRevision({ activeRevisionId }, revisions)).toEqual(expected);
  });
});

test("a revision that was there before is never this run's", () => {
  const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 6 });
  const sources = fc.constantFrom(undefined, main, theirs, {});
  fc.assert(
    fc.property(ids, ids, fc.array(sources, { minLength: 6, maxLength: 6 }), (old, listed, shown) => {
      const known = knownRevisions(
        old.map((id) => revision(id, 1, main)),
        [],
      );
      const found = attribute(
        listed.map((id, index) => revision(id, 9 - index, shown[index])),
        known,
        main,
      );
      if (found.kind === "ours") expect(old).not.toContain(found.id);
      else for (const id of found.foreign) expect(old).not.toContain(id);
    }),
  );
});

describe("whether a revision deploys a source", () => {
  test.each<[RevisionSource | undefined, RevisionSource, boolean | undefined]>([
    [undefined, main, undefined],
    [{}, main, undefined],
    [{ repoRef: "main" }, main, true],
    [{ repoRef: "refs/heads/main" }, main, true],
    [{ repoRef: "refs/tags/main" }, main, true],
    [{ appConfigPath: "./a.json" }, main, true],
    [{ appConfigPath: "/a.json" }, main, true],
    [{ appConfigPath: ".//./a.json" }, main, true],
    [{ appConfigPath: "b/a.json" }, { appConfigPath: "ba.json" }, false],
    [{ appConfigPath: "b/./a.json" }, { appConfigPath: "ba.json" }, false],
    [{ imageUri: "registry.example/a@sha256:1" }, { imageUri: "registry.example/a:1" }, undefined],
    [{ imageUri: "registry.example/a:2" }, { imageUri: "registry.example/a:1" }, false],
    [{ repoRef: "main", appConfigPath: "b.json" }, main, false],
    [{ repoRef: "main", appConfigPath: "b.json" }, { repoRef: "main" }, true],
    [{ imageUri: "x:1" }, main, undefined],
    [{ imageUri: "x:1", repoRef: "main" }, { imageUri: "x:1" }, true],
    [{ imageUri: "x:2" }, { imageUri: "x:1" }, false],
  ])("%j for %j: %p", (shown, sent, expected) => {
    expect(deploys(revision("a", 1, shown), sent)).toBe(expected);
  });
});
