import { expect, test } from "@jest/globals";
import { input, text } from "../../../src/text/message.ts";
import { usageSummary } from "../../../src/usage/summary.ts";
import { recordingContext } from "../../support/recording-context.ts";

const { render } = recordingContext({}).report;

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
