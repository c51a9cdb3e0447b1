import { expect, test } from "@jest/globals";
import { phasesOf, statusChart, statusTable } from "../../../src/report/status-times.ts";
import { elements } from "../support/rendered.ts";

const start = Date.parse("2026-03-02T09:00:00Z");
const seen = (...statuses: [string, number][]) =>
  statuses.map(([status, seconds]) => ({ status, at: start + seconds * 1000 }));
const at = (seconds: number) => start + seconds * 1000;

const deployed = seen(["QUEUED", 0], ["BUILDING", 5], ["DEPLOYED", 95]);

test("how long each status was seen", () => {
  expect(phasesOf(deployed, start, at(96))).toEqual([
    { status: "QUEUED", startedAfterMs: 0, lastedMs: 5_000 },
    { status: "BUILDING", startedAfterMs: 5_000, lastedMs: 90_000 },
    { status: "DEPLOYED", startedAfterMs: 95_000, lastedMs: 1_000 },
  ]);
});

test("the table tells it; a status that ended the revision doesn't last", () => {
  expect(statusTable(deployed, start, at(96))).toBe(
    [
      "| Status | first seen after | lasted |",
      "|---|---:|---:|",
      "| `QUEUED` | 0 s | 5 s |",
      "| `BUILDING` | 5 s | 1 min 30 s |",
      "| `DEPLOYED` | 1 min 35 s |  |",
    ].join("\n"),
  );
});

test("a status in which it is stuck lasts until now", () => {
  const stuck = seen(["CREATING", 0], ["QUEUED", 5]);
  expect(statusTable(stuck, start, at(1800))).toContain("| `QUEUED` | 5 s | 29 min 55 s |");
  expect(statusChart(stuck, start, at(1800))).toContain("    QUEUED :5000, 1800000");
});

test("one status alone has a length, too", () => {
  expect(statusTable(seen(["QUEUED", 0]), start, at(60))).toContain("| `QUEUED` | 0 s | 1 min |");
  expect(statusChart(seen(["QUEUED", 0]), start, at(60))).toContain("    QUEUED :0, 60000");
});

test("the chart is a Mermaid Gantt chart", () => {
  const chart = statusChart(deployed, start, at(96)).split("\n");
  expect(chart[0]).toBe("```mermaid");
  expect(chart[1]).toBe("gantt");
  expect(chart.slice(-3)).toEqual(["    QUEUED :0, 5000", "    BUILDING :5000, 95000", "```"]);
});

test("what is seen late is counted from the write, as in the log", () => {
  const late = seen(["BUILDING", 4], ["DEPLOYED", 10]);
  expect(statusTable(late, start, at(10))).toContain("| `BUILDING` | 4 s | 6 s |");
  expect(statusChart(late, start, at(10))).toContain("    BUILDING :4000, 10000");
});

test("nothing seen, nothing shown", () => {
  expect(statusTable([], start, at(0))).toBe("");
  expect(statusChart([], start, at(0))).toBe("");
  expect(statusChart(seen(["DEPLOYED", 0]), start, at(1))).toBe("");
});

test("a hostile status stays a label and a cell", () => {
  const hostile = seen(["a:b, 1\n```\n<img src=x>|`x` ::error::", 0], ["%%{init}%%", 1], ["DEPLOYED", 2]);
  expect(elements(statusTable(hostile, start, at(2)))).toEqual(["table", "tbody", "td", "th", "thead", "tr"]);
  const lines = statusChart(hostile, start, at(2)).split("\n");
  expect(lines.slice(5, -1)).toEqual(["    a b 1 img src x x error :0, 1000", "    init :1000, 2000"]);
});
