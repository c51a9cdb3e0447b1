import { expect, test } from "@jest/globals";
import { commitCheck } from "../../../src/checks/commit-check.ts";
import { rawText } from "../../../src/text/message.ts";

const [ours, theirs] = ["a".repeat(40), "b".repeat(40)];

test.each<[string, string | undefined, string, string]>([
  ["this run's", ours.toUpperCase(), `built from ${ours}`, ""],
  ["no", undefined, "the platform does not report which commit it built", "Remove verify_commit if"],
  ["another", theirs, `built from commit ${theirs}, not from this run's ${ours}`, "If the branch has moved"],
])("if the platform built %s commit, the check says so", (_which, built, description, hint) => {
  const outcome = commitCheck(ours, built);

  expect(outcome.verdict).toBe(hint === "" ? "passed" : "failed");
  expect(rawText(outcome.description)).toContain(description);
  expect(outcome.verdict === "failed" ? rawText(outcome.hint) : "").toContain(hint);
});
