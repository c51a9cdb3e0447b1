import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { InputReader } from "../../../src/inputs/reader.ts";
import { readUsageInputs } from "../../../src/usage/inputs.ts";
import { usageSummary } from "../../../src/usage/summary.ts";
import { elements, outsideCode } from "../support/rendered.ts";
import { totalUsage } from "./support/total-usage.ts";

const surroundings = {
  now: Date.parse("2026-03-02T09:00:00Z"),
  workspace: "/workspace",
  disk: { isFreeForFile: () => true },
};

function inputsOf(environment: Record<string, string>) {
  return readUsageInputs(new InputReader(environment), surroundings);
}

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "@someone",
    "<img src=x onerror=y>",
    "[a](https://evil.example)",
    "|",
    "`",
    "a\n\n# b",
    "https://evil.example",
    "#1",
  ),
);

test("names from the platform and the inputs are never live in the summary", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hostile, hostile), { minLength: 1 }),
      hostile,
      hostile,
      (names, file, words) => {
        const inputs = inputsOf({ INPUT_GROUP_BY: "project", INPUT_CSV_FILE: file });
        const usage = names.map(([project_id, project_name]) => ({
          time_bucket: words,
          dimensions: { project_id, project_name },
          traces: 1,
        }));
        const summary = usageSummary(
          {
            inputs,
            totals: totalUsage(usage, { days: 1, hours: 0 }, "project"),
            notices: [words],
            files: [],
          },
          { outcome: "failed", message: words, hint: words },
        );
        expect(outsideCode(summary)).not.toMatch(/@someone|evil|href|onerror|#1/);
        const ours = ["blockquote", "h2", "p", "strong", "table", "tbody", "td", "th", "thead", "tr"];
        expect(elements(summary).filter((name) => !ours.includes(name))).toEqual([]);
      },
    ),
  );
});

test("no input makes the reader throw before it has read all of them", () => {
  const input = fc.oneof(fc.string(), fc.constantFrom("", ".", "..", "/", "a/b", "2026-01-01", "5", "true"));
  const names = [
    "BASE_URL",
    "API_KEY",
    "START_TIME",
    "END_TIME",
    "WORKSPACE_IDS",
    "GROUP_BY",
    "JSON_FILE",
    "CSV_FILE",
    "MAX_TRACES",
    "REQUEST_TIMEOUT_SECONDS",
    "ALLOW_HTTP",
  ];
  fc.assert(
    fc.property(fc.tuple(...names.map(() => input)), (values) => {
      const environment = Object.fromEntries(
        names.map((name, index) => [`INPUT_${name}`, values[index] ?? ""]),
      );
      expect(inputsOf(environment).query.groupBy).toBeDefined();
    }),
    { numRuns: 1000 },
  );
});
