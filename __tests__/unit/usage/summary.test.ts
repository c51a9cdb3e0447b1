import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { InputReader } from "../../../src/inputs/reader.ts";
import { code, id, input, quote, text } from "../../../src/text/message.ts";
import { readUsageInputs } from "../../../src/usage/inputs.ts";
import { usageSummary } from "../../../src/usage/summary.ts";
import { sumUsage } from "../../../src/usage/totals.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { hostile } from "../support/hostile-markdown.ts";
import { elements, outsideCode } from "../support/rendered.ts";

const surroundings = {
  now: Date.parse("2026-03-02T09:00:00Z"),
  workspace: "/workspace",
};
const { render } = recordingContext({}).report;

function inputsOf(environment: Record<string, string>) {
  return readUsageInputs(new InputReader(environment), surroundings);
}

test("text of the platform and the inputs stays text in the summary", () => {
  const items = fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(items, hostile, hostile, (names, file, words) => {
      const inputs = inputsOf({ INPUT_GROUP_BY: "project", INPUT_CSV_FILE: file });
      const usage = names.map(([project_id, project_name]) => ({
        time_bucket: words,
        dimensions: { project_id, project_name },
        traces: 1,
      }));
      const totals = sumUsage({ usage, stride: { days: 1, hours: 0 } }, "project");

      const summary = usageSummary(
        { inputs, totals, notices: [text`${code(words)}`], files: [] },
        {
          outcome: "failed",
          message: text`${quote(words)}.`,
          hint: text`${code(words)}`,
          problems: [text`${id(words)}`],
        },
        render,
      );

      expect(outsideCode(summary)).not.toMatch(/@everyone|evil|href|onerror|#1/);
      const ours = [
        "blockquote",
        "h2",
        "li",
        "p",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
      ];
      expect(elements(summary).filter((name) => !ours.includes(name))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("the summary of a run without usable inputs says what happened", () => {
  const summary = usageSummary(
    { inputs: undefined, totals: undefined, notices: [], files: [] },
    {
      outcome: "failed",
      message: text`Input ${input("api_key")} is missing or empty.`,
      hint: text`Correct it.`,
    },
    render,
  );

  expect(summary).toContain("## ❌ Usage: failed\n");
  expect(summary).toContain("`api_key`");
  expect(summary).toContain("Correct it.");
  expect(summary).not.toContain("|");
});
