import { expect, test } from "@jest/globals";
import { readSweepInputs } from "../../../src/inputs/sweep.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { reading, type Texts } from "./support/reading.ts";

const empty = { environment: " ", max_age_days: "", dry_run: "\n" };

test.each<[string, Texts]>([
  ["without the others", {}],
  ["with empty ones", empty],
])("what is needed is enough, %s", (_what, others) => {
  expect(reading({ ...access, github_token: "some-token", ...others }, readSweepInputs)).toEqual({
    result: {
      controlPlane,
      environment: "Preview",
      maxAgeDays: undefined,
      dryRun: false,
      githubToken: "some-token",
    },
    problems: [],
    remarks: [],
  });
});

test("everything that can be given", () => {
  const inputs = {
    ...access,
    request_timeout_seconds: "5",
    environment: "Reviews",
    max_age_days: "1",
    dry_run: "true",
    github_token: " some-token ",
  };
  expect(reading(inputs, readSweepInputs)).toEqual({
    result: {
      controlPlane: { ...controlPlane, requestTimeoutMs: 5_000 },
      environment: "Reviews",
      maxAgeDays: 1,
      dryRun: true,
      githubToken: "some-token",
    },
    problems: [],
    remarks: [],
  });
});

test("everything that is wrong is told at once", () => {
  const { problems } = reading({ max_age_days: "0", dry_run: "yes", github_token: " " }, readSweepInputs);
  expect(problems).toEqual([
    ...noAccess,
    'Input max_age_days has to be a whole number of at least 1, not "0".',
    'Input dry_run has to be true or false, not "yes".',
    "Input github_token is empty. A secret that doesn't exist comes in empty; leave github_token out to use the job's own token.",
  ]);
});
