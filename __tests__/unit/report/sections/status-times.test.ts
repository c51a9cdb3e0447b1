import { expect, test } from "@jest/globals";
import { classifyStatus } from "../../../../src/platform/status.ts";
import { statusTimes } from "../../../../src/report/sections/status-times.ts";
import { initialState, unknownRevision } from "../../../../src/state/run-state.ts";
import { phrase } from "../../../../src/text/message.ts";
import { elements } from "../../support/rendered.ts";
import { plainRenderer } from "../support/plain-renderer.ts";

const start = Date.parse("2026-03-02T09:00:00Z");
const at = (seconds: number) => start + seconds * 1000;
const seen = (...statuses: [string, number][]) =>
  statuses.map(([raw, seconds]) => ({ status: classifyStatus(raw), at: at(seconds) }));

type Seen = ReturnType<typeof seen>;

function timesOf(statuses: Seen, seconds: number, ofRollback?: Seen) {
  const revision = { ...unknownRevision, statuses };
  const rollbackRevision = ofRollback && {
    ...unknownRevision,
    label: phrase`Rollback: `,
    statuses: ofRollback,
  };
  const ended = { endedAt: at(seconds), revision, ...(rollbackRevision && { rollbackRevision }) };
  const state = { ...initialState({ title: "Deploy" }, start), ...ended };
  const [table = "", chart = ""] = statusTimes(state, plainRenderer).split("\n\n");
  return { table, chart };
}

const tableOf = (statuses: Seen, seconds: number) => timesOf(statuses, seconds).table;
const chartOf = (statuses: Seen, seconds: number) => timesOf(statuses, seconds).chart;

const deployed = seen(["QUEUED", 0], ["BUILDING", 5], ["DEPLOYED", 95]);

test("the table shows when each status was first seen, and how long it lasted unless it ended the revision", () => {
  expect(tableOf(deployed, 96).split("\n")).toEqual([
    "| Status | First seen after | Duration |",
    "|:---|---:|---:|",
    "| `QUEUED` | 0 s | 5 s |",
    "| `BUILDING` | 5 s | 1 min 30 s |",
    "| `DEPLOYED` | 1 min 35 s | |",
  ]);
});

test("the chart is a Mermaid Gantt chart of the statuses, whose axis begins at zero", () => {
  const chart = chartOf(deployed, 96).split("\n");

  expect(chart.slice(0, 2)).toEqual(["```mermaid", "gantt"]);
  expect(chart.slice(-4)).toEqual([
    "    Request sent :milestone, 0, 0",
    "    QUEUED :0, 5000",
    "    BUILDING :5000, 95000",
    "```",
  ]);
});

test("a rollback follows in table and chart", () => {
  const ofRollback = seen(["DEPLOYING", 98], ["DEPLOYED", 119]);
  const { table, chart } = timesOf(deployed, 120, ofRollback);

  expect(table.split("\n").slice(-3)).toEqual([
    "| `DEPLOYED` | 1 min 35 s | |",
    "| Rollback: `DEPLOYING` | 1 min 38 s | 21 s |",
    "| Rollback: `DEPLOYED` | 1 min 59 s | |",
  ]);
  expect(chart.split("\n").slice(-3)).toEqual([
    "    BUILDING :5000, 95000",
    "    Rollback DEPLOYING :98000, 119000",
    "```",
  ]);
});

test.each<[string, Seen, number, string, string]>([
  [
    "a pending one lasts until the end",
    seen(["CREATING", 0], ["QUEUED", 5]),
    1800,
    "| `QUEUED` | 5 s | 29 min 55 s |",
    "    QUEUED :5000, 1800000",
  ],
  [
    "a single one lasts until the end",
    seen(["QUEUED", 0]),
    60,
    "| `QUEUED` | 0 s | 1 min |",
    "    QUEUED :0, 60000",
  ],
  [
    "one seen late is counted from the write, as in the log",
    seen(["BUILDING", 4], ["DEPLOYED", 30]),
    30,
    "| `BUILDING` | 4 s | 26 s |",
    "    BUILDING :4000, 30000",
  ],
])("of the statuses, %s", (_what, statuses, now, row, bar) => {
  expect(tableOf(statuses, now)).toContain(row);
  expect(chartOf(statuses, now)).toContain(bar);
});

test.each([
  [19, false],
  [20, true],
])("a deploy of %i seconds has a chart: %s", (seconds, hasChart) => {
  const ended = seen(["BUILDING", 0], ["DEPLOYED", seconds]);

  // What comes after the end of the revision is not in the chart.
  expect(chartOf(ended, 60) !== "").toBe(hasChart);
  expect(chartOf(seen(["BUILDING", 0]), seconds) !== "").toBe(hasChart);
});

test("nothing is shown if no status was seen", () => {
  expect(tableOf([], 0)).toBe("");
  expect(chartOf([], 60)).toBe("");
});

test("a hostile status stays a cell and a label", () => {
  const hostile = seen(
    ["a:b, 1\n```\n<img src=x>|`x` ::error::", 0],
    ["%%{init}%%", 1],
    ["\u00e9", 2],
    ["DEPLOYED", 30],
  );

  expect(elements(tableOf(hostile, 3))).toEqual(["table", "tbody", "td", "th", "thead", "tr"]);
  expect(chartOf(hostile, 3).split("\n").slice(6, -1)).toEqual([
    "    a b 1 img src x x error :0, 1000",
    "    init :1000, 2000",
    "    unnamed :2000, 30000",
  ]);
});
