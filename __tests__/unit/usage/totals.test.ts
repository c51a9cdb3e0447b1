import { expect, test } from "@jest/globals";
import type { GroupBy, UsageItem } from "../../../src/usage/schemas.ts";
import { totalsLines, totalsTable } from "../../../src/usage/totals-table.ts";
import { totalUsage } from "./support/total-usage.ts";

const stride = { days: 1, hours: 0 };
const item = (time_bucket: string, dimensions: UsageItem["dimensions"], traces: number): UsageItem => ({
  time_bucket,
  dimensions,
  traces,
});

function projects(...traces: number[]) {
  const usage = traces.map((count, index) =>
    item("2026-01-05", { project_id: `p-${index}`, project_name: `Project ${index}` }, count),
  );
  return totalUsage(usage, stride, "project");
}

test("the largest come first, those of one size by their id", () => {
  expect(projects(1, 5, 3, 5).dimensions.map(({ id }) => id)).toEqual(["p-1", "p-3", "p-2", "p-0"]);
});

test("one id is one line, under the last name that was told", () => {
  const usage = [
    item("2026-01-05", { project_id: "p", project_name: "Old" }, 1),
    item("2026-01-06", { project_id: "p", project_name: "New" }, 2),
    item("2026-01-07", { project_id: "p" }, 4),
  ];
  expect(totalUsage(usage, stride, "project").dimensions).toEqual([{ id: "p", name: "New", traces: 7 }]);
});

test("only buckets with usage count", () => {
  const usage = [
    item("2026-01-05", {}, 0),
    item("2026-01-06", {}, 1),
    item("2026-01-06", { user_id: "u" }, 2),
  ];
  expect(totalUsage(usage, stride, "user")).toMatchObject({
    traces: 3,
    buckets: [{ start: "2026-01-06", traces: 3 }],
  });
});

test("what has no id is one line of its own", () => {
  const usage = [item("2026-01-05", { api_key_short_key: null }, 1), item("2026-01-06", {}, 1)];
  const totals = totalUsage(usage, stride, "api_key");
  expect(totals.dimensions).toEqual([{ id: "", name: undefined, traces: 2 }]);
  expect(totalsTable(totals, "api_key")).toContain("| (none) | 2 | 100.0 % |");
});

test.each<[GroupBy, string, string]>([
  ["workspace", "| Workspace | Workspace id | Traces | Share |", "| `N` | `i` | 1 | 100.0 % |"],
  ["project", "| Project | Project id | Traces | Share |", "| `N` | `i` | 1 | 100.0 % |"],
  ["user", "| User | User id | Traces | Share |", "| `N` | `i` | 1 | 100.0 % |"],
  ["api_key", "| API key | Traces | Share |", "| `i` | 1 | 100.0 % |"],
])("a table by %s", (groupBy, head, row) => {
  const dimensions = {
    workspace_id: "i",
    workspace_name: "N",
    project_id: "i",
    project_name: "N",
    user_id: "i",
    user_email: "N",
    api_key_short_key: "i",
  };
  const table = totalsTable(totalUsage([item("2026-01-05", dimensions, 1)], stride, groupBy), groupBy);
  expect(table.split("\n").at(0)).toBe(head);
  expect(table.split("\n").at(-1)).toBe(row);
});

test("more than 50 are added up in a last line", () => {
  const totals = projects(...Array.from({ length: 60 }, (_, index) => 1000 + index));
  const rows = totalsTable(totals, "project").split("\n");
  expect(rows).toHaveLength(2 + 50 + 1);
  expect(rows.at(2)).toBe("| `Project 59` | `p-59` | 1,059 | 1.7 % |");
  expect(rows.at(-1)).toBe("| 10 others |  | 10,045 | 16.3 % |");
  expect(totalsLines(totals).at(-1)).toBe("10,045  16.3 %  10 others");
  expect(totalsTable(projects(...Array<number>(51).fill(1)), "project")).toContain("| 1 other |");
});

test("a small share is not told as none", () => {
  expect(totalsTable(projects(1_000_000, 1), "project")).toContain("| 1 | < 0.1 % |");
});

test("no usage has no table", () => {
  expect(totalsTable(projects(), "project")).toBe("");
});
