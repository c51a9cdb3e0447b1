import { describe, expect, test } from "@jest/globals";
import { judge, previewsOf, type Verdict } from "../../../src/actions/sweep-plan.ts";

const dayMs = 24 * 60 * 60 * 1000;
const madeAt = Date.UTC(2026, 0, 1);

/** A record of the preview of pull request 7, unless told otherwise; `name`: the one in its payload. */
function record(id: number, { task = "preview:octo-repo-pr-7", name = "octo-repo-pr-7" } = {}) {
  const payload = { deployment_id: `deployment-${id}`, revision_id: "r-1", name, pull_request: 7 };
  return { id, nodeId: `node-${id}`, task, createdAt: madeAt, payload };
}

/** One that was written without a name, as a record of another kind may be. */
function nameless(id: number, task: string) {
  const { name: _, ...payload } = record(id).payload;
  return { ...record(id, { task }), payload };
}

describe("the previews that records tell of", () => {
  const other = { task: "preview:octo-repo-pr-12", name: "octo-repo-pr-12" };

  test("are what the newest record of each task says", () => {
    const records = [record(4), record(3, other), record(2), record(1, other)];
    const [four, three, two, one] = records;
    expect(previewsOf(records)).toEqual([
      {
        name: "octo-repo-pr-7",
        deploymentId: "deployment-4",
        pullRequest: 7,
        records: [four, two],
        newest: four,
      },
      {
        name: "octo-repo-pr-12",
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
    ["another preview's name", record(1, { name: "octo-repo-pr-12" })],
    ["a name that only begins like it", record(1, { name: "octo-repo-pr-70" })],
    ["no name", nameless(1, "preview:octo-repo-pr-7")],
    ["the root action's task", record(1, { task: "deploy:octo-repo-pr-7" })],
    ["the root action's task and no name", nameless(1, "deploy:octo-repo-pr-7")],
  ])("leave out a record with %s", (_what, odd) => {
    expect(previewsOf([odd])).toEqual([]);
    expect(previewsOf([odd, record(3, other)]).map(({ name }) => name)).toEqual(["octo-repo-pr-12"]);
  });

  test("leave out a task whose newest record is such a one, whatever the earlier ones say", () => {
    expect(previewsOf([record(2, { name: "octo-repo-pr-12" }), record(1)])).toEqual([]);
  });
});

describe("a preview", () => {
  const newest = record(2);
  const preview = {
    name: "octo-repo-pr-7",
    deploymentId: "deployment-2",
    pullRequest: 7,
    records: [newest, { ...record(1), createdAt: madeAt - 100 * dayMs }],
    newest,
  };
  const tooOld = { goes: true, why: "its newest record that isn't inactive is older than max_age_days (7)" };
  const closed = { goes: true, why: "pull request #7 is closed" };
  const open = { goes: false, why: "pull request #7 is open" };
  const unknown = { goes: false, why: "its record names no pull request" };

  test.each<[string, boolean | undefined, number | undefined, number, Verdict]>([
    ["goes when its pull request is closed", false, undefined, 0, closed],
    ["goes when its pull request is closed, however new it is", false, 7, 0, closed],
    ["that is old goes for the pull request, when that is closed", false, 7, 8 * dayMs, closed],
    ["stays while its pull request is open, at any age", true, undefined, 1000 * dayMs, open],
    ["stays when nothing is known of its pull request", undefined, undefined, 1000 * dayMs, unknown],
    ["stays up to max_age_days", true, 7, 7 * dayMs, open],
    ["goes after max_age_days", true, 7, 7 * dayMs + 1, tooOld],
    ["goes after max_age_days, when nothing is known of its pull request", undefined, 7, 8 * dayMs, tooOld],
  ])("%s", (_what, isOpen, maxAgeDays, ageMs, expected) => {
    expect(judge(preview, isOpen, maxAgeDays, madeAt + ageMs)).toEqual(expected);
  });
});
