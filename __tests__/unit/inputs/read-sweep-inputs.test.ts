import { expect, test } from "@jest/globals";
import { readSweepInputs } from "../../../src/inputs/read-preview-inputs.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

test.each<[string, Texts]>([
  ["missing", {}],
  ["empty", { environment: " ", max_age_days: "", dry_run: "\n" }],
])("a sweep has defaults for inputs that are %s", (_what, others) => {
  expect(reading({ ...access, github_token: "some-token", ...others }, readSweepInputs)).toStrictEqual({
    result: {
      settings: controlPlane,
      environment: "Preview",
      maxAgeDays: undefined,
      dryRun: false,
      githubToken: "some-token",
    },
    problems: [],
    notes: [],
  });
});

test("all problems are reported at once, also that a sweep needs a token", () => {
  const { result, problems } = reading(
    { max_age_days: "0", dry_run: "yes", github_token: " " },
    readSweepInputs,
  );

  expect(problems).toStrictEqual([
    ...noAccess,
    problem("max_age_days", "at least 1", '"0"'),
    problem("dry_run", "true or false", '"yes"'),
    problem("github_token", "is missing or empty"),
  ]);
  expect(result.githubToken).toBe("");
});
