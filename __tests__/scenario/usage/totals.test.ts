import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import * as v from "valibot";
import { DIMENSION_KEYS, GroupBySchema, UsageResponseSchema } from "../../../src/usage/schemas.ts";
import { parseCsv } from "../../emulator/support/csv-parser.ts";
import { OTHER_WORKSPACE, usageLine, WORKSPACE } from "../../emulator/support/usage.ts";
import { startUsage } from "./support/usage-scenario.ts";

jest.setTimeout(60_000);

const start = Date.parse("2026-01-05T00:00:00Z");
const dayMs = 86_400_000;

const id = fc.oneof(
  fc.constantFrom("a", "=b", 'c"', "d,\r\n", "| `e`"),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const line = fc
  .record({
    time: fc
      .integer({ min: -48, max: 120 * 24 })
      .map((hour) => new Date(start + hour * 3_600_000).toISOString()),
    workspace_id: fc.constantFrom(WORKSPACE, OTHER_WORKSPACE, "33333333-3333-4333-8333-333333333333"),
    project_id: id,
    user_id: id,
    user_email: fc.option(fc.constant("someone@agents.example"), { nil: undefined }),
    api_key_short_key: id,
    traces: fc.integer({ min: 0, max: 1000 }),
  })
  .map(usageLine);

/** Traces by the id of what they are grouped by. */
function totals(entries: readonly (readonly [unknown, unknown])[]): Map<unknown, number> {
  const sums = new Map<unknown, number>();
  for (const [key, traces] of entries) sums.set(key, (sums.get(key) ?? 0) + Number(traces));
  return new Map([...sums].filter(([, sum]) => sum > 0).sort());
}

const columns = ["", "", "workspace_id", "", "project_id", "", "user_id", "", "api_key_short_key"];

test("the totals of both files, the output and the imported lines agree, however they are grouped", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 25 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 1, max: 110 }),
      async (lines, firstDay, days) => {
        const [from, to] = [start + firstDay * dayMs, start + (firstDay + days) * dayMs];
        const asked = [WORKSPACE, OTHER_WORKSPACE];
        const counted = lines.filter(({ time, workspace_id }) => {
          const at = Date.parse(String(time));
          return asked.includes(String(workspace_id)) && at >= from && at < to;
        });
        const { usage, workspace } = await startUsage(lines);
        for (const group_by of GroupBySchema.options) {
          const [key] = DIMENSION_KEYS[group_by];
          const run = await usage({
            group_by,
            workspace_ids: asked.join(),
            start_time: new Date(from).toISOString(),
            end_time: new Date(to - dayMs).toISOString().slice(0, 10),
            json_file: "usage.json",
            csv_file: "usage.csv",
          });
          expect(run.succeeded).toBe(true);
          const expected = totals(counted.map((each) => [each[key], each.traces]));
          const sum = [...expected.values()].reduce((all, traces) => all + traces, 0);
          expect(run.outputs.total_traces).toBe(String(sum));

          const json: unknown = JSON.parse(readFileSync(join(workspace, "usage.json"), "utf8"));
          const items = v.parse(UsageResponseSchema, json).usage;
          expect(totals(items.map(({ dimensions, traces }) => [dimensions[key], traces]))).toEqual(expected);
          expect(run.outputs.buckets).toBe(String(new Set(items.map(({ time_bucket }) => time_bucket)).size));

          const [, ...rows] = parseCsv(readFileSync(join(workspace, "usage.csv"), "utf8"));
          const cells = rows.map(
            (row) => [row[columns.indexOf(key)]?.replace(/^\t/, ""), row.at(-1)] as const,
          );
          expect(totals(cells)).toEqual(expected);
        }
      },
    ),
    { numRuns: 20 },
  ));
