import { expect, test } from "@jest/globals";
import type { GroupBy, UsageResponse } from "../../../src/usage/schemas.ts";
import { sumUsage, totalsTable } from "../../../src/usage/totals.ts";
import { recordingContext } from "../../support/recording-context.ts";

const stride = { days: 1, hours: 0 };

type UsageItem = UsageResponse["usage"][number];

function item(time_bucket: string, dimensions: UsageItem["dimensions"], traces: number): UsageItem {
  return { time_bucket, dimensions, traces };
}

function totalsOf(usage: UsageItem[], groupBy: GroupBy) {
  return sumUsage({ stride, usage }, groupBy);
}

const { render } = recordingContext({}).report;

function projects(...traces: number[]) {
  const items = traces.map((count, index) =>
    item("2026-01-05", { project_id: `p-${index}`, project_name: `Project ${index}` }, count),
  );
  return totalsOf(items, "project");
}

test("totals are sorted by traces", () => {
  expect(projects(1, 5, 3, 5).dimensions.map(({ id }) => id)).toEqual(["p-1", "p-3", "p-2", "p-0"]);
});

test("items of one id are one total with the last name that was given", () => {
  const items = [
    item("2026-01-05", { project_id: "p", project_name: "Old" }, 1),
    item("2026-01-06", { project_id: "p", project_name: "New" }, 2),
    item("2026-01-07", { project_id: "p" }, 4),
  ];

  expect(totalsOf(items, "project").dimensions).toEqual([{ id: "p", name: "New", traces: 7 }]);
});

test("only time buckets with usage are counted", () => {
  const items = [
    item("2026-01-05", {}, 0),
    item("2026-01-06", {}, 1),
    item("2026-01-06", { user_id: "u" }, 2),
  ];

  expect(totalsOf(items, "user")).toMatchObject({
    traces: 3,
    buckets: new Map([["2026-01-06", 3]]),
  });
});

test("items without an id are one total", () => {
  const totals = totalsOf(
    [item("2026-01-05", { api_key_short_key: null }, 1), item("2026-01-06", {}, 1)],
    "api_key",
  );

  expect(totals.dimensions).toEqual([{ id: "", name: undefined, traces: 2 }]);
  expect(totalsTable(totals, "api_key", render)).toContain("| (none) | 2 |");
});

const dimensions = {
  workspace_id: "i",
  workspace_name: "N",
  project_id: "i",
  project_name: "N",
  user_id: "i",
  user_email: "N",
  api_key_short_key: "i",
};
test.each<[GroupBy, string, string]>([
  ["workspace", "| Workspace | Workspace ID | Traces |", "| `N` | `i` | 1 |"],
  ["project", "| Project | Project ID | Traces |", "| `N` | `i` | 1 |"],
  ["user", "| User | User ID | Traces |", "| `N` | `i` | 1 |"],
  ["api_key", "| API key | Traces |", "| `i` | 1 |"],
])("the table by %s has a column for each dimension", (groupBy, titles, row) => {
  const table = totalsTable(totalsOf([item("2026-01-05", dimensions, 1)], groupBy), groupBy, render);

  expect(table.split("\n").at(0)).toBe(titles);
  expect(table.split("\n").at(-1)).toBe(row);
});

test("the totals after the first 50 are counted", () => {
  const totals = projects(...Array.from({ length: 60 }, (_, index) => 1000 + index));

  const rows = totalsTable(totals, "project", render).split("\n");

  expect(rows).toHaveLength(2 + 50 + 2);
  expect(rows.at(2)).toBe("| `Project 59` | `p-59` | 1,059 |");
  expect(rows.at(-1)).toBe("10 more.");
});

test("without usage there is no table", () => {
  expect(totalsTable(projects(), "project", render)).toBe("");
});
