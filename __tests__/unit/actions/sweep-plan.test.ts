import { describe, expect, test } from "@jest/globals";
import { decideSweep, previewsOf } from "../../../src/actions/sweep-plan.ts";

const dayMs = 24 * 60 * 60 * 1000;
const createdAt = Date.UTC(2026, 0, 1);

/** A record of the preview of pull request 7; `name`: the one in its payload. */
function record(id: number, { task = "preview:octo-repo-7739a-pr-7", name = "octo-repo-7739a-pr-7" } = {}) {
  const payload = { deployment_id: `deployment-${id}`, revision_id: "r-1", name, pull_request: 7 };
  return { id, nodeId: `node-${id}`, task, createdAt, payload };
}

/** A record without a name, as one of another kind may be. */
function nameless(id: number, task: string) {
  const { name: _, ...payload } = record(id).payload;
  return { ...record(id, { task }), payload };
}

const other = { task: "preview:octo-repo-7739a-pr-12", name: "octo-repo-7739a-pr-12" };

describe("the previews of records", () => {
  test("are what the newest record of each task describes", () => {
    const records = [record(4), record(3, other), record(2), record(1, other)];
    const [four, three, two, one] = records;

    expect(previewsOf(records)).toEqual([
      {
        name: "octo-repo-7739a-pr-7",
        deploymentId: "deployment-4",
        pullRequest: 7,
        records: [four, two],
        newest: four,
      },
      {
        name: "octo-repo-7739a-pr-12",
        deploymentId: "deployment-3",
        pullRequest: 7,
        records: [three, one],
        newest: three,
      },
    ]);
  });

  test("are none without records", () => {
    expect(previewsOf([])).toEqual([]);
  });

  test.each([
    ["another preview's name", record(1, { name: "octo-repo-7739a-pr-12" })],
    ["a name that only starts the same", record(1, { name: "octo-repo-7739a-pr-70" })],
    ["no name", nameless(1, "preview:octo-repo-7739a-pr-7")],
    ["the task of the root action", record(1, { task: "deploy:octo-repo-7739a-pr-7" })],
    ["the task of the root action and no name", nameless(1, "deploy:octo-repo-7739a-pr-7")],
  ])("do not include a record with %s", (_what, odd) => {
    expect(previewsOf([odd])).toEqual([]);
    expect(previewsOf([odd, record(3, other)]).map(({ name }) => name)).toEqual(["octo-repo-7739a-pr-12"]);
  });

  test("do not include a task whose newest record is such a one, whatever earlier ones say", () => {
    expect(previewsOf([record(2, { name: "octo-repo-7739a-pr-12" }), record(1)])).toEqual([]);
  });
});

const newest = record(2);
const preview = {
  name: "octo-repo-7739a-pr-7",
  deploymentId: "deployment-2",
  pullRequest: 7,
  records: [newest, { ...record(1), createdAt: createdAt - 100 * dayMs }],
  newest,
};
const tooOld = { shouldDelete: true, reason: { kind: "too_old", maxAgeDays: 7 } };
const closed = { shouldDelete: true, reason: { kind: "pull_request", number: 7, isOpen: false } };
const open = { shouldDelete: false, reason: { kind: "pull_request", number: 7, isOpen: true } };
const unknown = { shouldDelete: false, reason: { kind: "no_pull_request" } };

test.each<[string, boolean | undefined, number | undefined, number, unknown]>([
  ["is deleted if its pull request is closed", false, undefined, 0, closed],
  ["is deleted if its pull request is closed, however new it is", false, 7, 0, closed],
  ["that is too old is deleted because its pull request is closed", false, 7, 8 * dayMs, closed],
  ["stays while its pull request is open, at any age", true, undefined, 1000 * dayMs, open],
  ["stays if its pull request is unknown", undefined, undefined, 1000 * dayMs, unknown],
  ["stays up to max_age_days", true, 7, 7 * dayMs, open],
  ["is deleted after max_age_days", true, 7, 7 * dayMs + 1, tooOld],
  ["is deleted after max_age_days if its pull request is unknown", undefined, 7, 8 * dayMs, tooOld],
])("a preview %s", (_what, isOpen, maxAgeDays, ageMs, expected) => {
  expect(decideSweep(preview, isOpen, maxAgeDays, createdAt + ageMs)).toEqual(expected);
});
