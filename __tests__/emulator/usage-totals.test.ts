import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { DIMENSION_KEYS, GroupBySchema } from "../../src/usage/schemas.ts";
import { exported, OTHER_WORKSPACE, report, usageLine, WORKSPACE, withUsage } from "./support/usage.ts";

// Each run loads a file of its own: on a busy machine that takes a while.
jest.setTimeout(60_000);

const HOUR = 3_600_000;
const START = Date.parse("2026-01-05T00:00:00Z");

// Names as nasty as they come: CSV's own characters, formulas, other scripts.
const name = fc.oneof(
  fc.constantFrom("a", "b", "=c", '"', "d,e", "\r\n", "\t", ""),
  fc.string({ maxLength: 8 }),
);
const id = name.map((text) => `id ${text}`);

const line = fc.record({
  time: fc
    .integer({ min: -5 * 24, max: 800 * 24 })
    .map((hour) => new Date(START + hour * HOUR).toISOString()),
  workspace_id: fc.constantFrom(WORKSPACE, OTHER_WORKSPACE),
  workspace_name: name,
  project_id: id,
  project_name: name,
  user_id: id,
  user_email: fc.option(name, { nil: undefined }),
  api_key_short_key: id,
  traces: fc.integer({ min: 0, max: 1000 }),
});

const range = fc
  .tuple(
    fc.integer({ min: 0, max: 300 * 24 }),
    fc.oneof(fc.integer({ min: 1, max: 48 }), fc.integer({ min: 1, max: 500 * 24 })),
  )
  .map(([start, length]) => ({ start: START + start * HOUR, end: START + (start + length) * HOUR }));

const CSV_COLUMNS = [
  "",
  "",
  ...["workspace", "project", "user"].flatMap((group) => [`${group}_id`, `${group}_name`]),
  "api_key_short_key",
].map((key) => (key === "user_name" ? "user_email" : key));

/** Traces by what they are grouped by, as the file has them. */
function totalsOf(lines: readonly Record<string, unknown>[], keys: readonly string[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const each of lines) {
    const key = JSON.stringify(keys.map((one) => each[one] ?? ""));
    totals.set(key, (totals.get(key) ?? 0) + Number(each.traces));
  }
  return new Map([...totals].filter(([, traces]) => traces > 0).sort());
}

/** A cell without the tab that guards it. */
function unguarded(cell: string | undefined): string {
  return (cell ?? "").replace(/^\t(?=[=+\-@\t\r])/, "");
}

test("totals of the JSON report, the CSV export and the imported file agree, however they are grouped", () =>
  fc.assert(
    fc.asyncProperty(fc.array(line.map(usageLine), { maxLength: 40 }), range, (lines, { start, end }) =>
      withUsage(lines, async (emulator) => {
        const unit = end - start < 24 * HOUR ? HOUR : 24 * HOUR;
        const [from, to] = [Math.floor(start / unit) * unit, Math.ceil(end / unit) * unit];
        const counted = lines.filter(({ time, workspace_id }) => {
          const at = Date.parse(String(time));
          return workspace_id === WORKSPACE && at >= from && at < to;
        });
        for (const group_by of GroupBySchema.options) {
          const keys = DIMENSION_KEYS[group_by];
          const query = {
            start_time: new Date(start).toISOString(),
            end_time: new Date(end).toISOString(),
            group_by,
          };
          const expected = totalsOf(counted, keys);

          const { usage } = await report(emulator, query);
          expect(
            totalsOf(
              usage.map(({ dimensions, traces }) => ({ ...dimensions, traces })),
              keys,
            ),
          ).toEqual(expected);

          const [, ...rows] = await exported(emulator, query);
          const cells = rows.map((row) => ({
            ...Object.fromEntries(CSV_COLUMNS.map((key, column) => [key, unguarded(row[column])])),
            traces: row.at(-1),
          }));
          expect(totalsOf(cells, keys)).toEqual(expected);
          expect(rows).toHaveLength(usage.length);
        }
      }),
    ),
    { numRuns: 60 },
  ));
