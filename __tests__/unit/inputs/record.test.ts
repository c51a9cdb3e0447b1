import { expect, test } from "@jest/globals";
import { readRecordInputs } from "../../../src/inputs/record.ts";
import { reading, type Texts } from "./support/reading.ts";

const github_token = "some-token";

test.each<[string, Texts, boolean]>([
  ["staging", {}, false],
  ["reproduction", {}, false],
  ["production", {}, true],
  ["Prod-EU", {}, true],
  ["production", { production_environment: "" }, true],
  ["production", { production_environment: "false" }, false],
  ["staging", { production_environment: "true" }, true],
])("a record in %s, with %j", (environment, others, production) => {
  expect(reading({ github_token, environment: ` ${environment} `, ...others }, readRecordInputs)).toEqual({
    result: { environment, production },
    problems: [],
    remarks: [],
  });
});

test.each<[string, Texts]>([
  ["given", {}],
  ["empty", { environment: " ", production_environment: "true" }],
])("without an environment that is %s there is no record, nor a warning of one", (_what, inputs) => {
  expect(reading(inputs, readRecordInputs)).toEqual({ result: undefined, problems: [], remarks: [] });
});

test("what is wrong is told also where no record is wanted", () => {
  expect(reading({ production_environment: "yes" }, readRecordInputs).problems).toEqual([
    'Input production_environment has to be true or false, not "yes".',
  ]);
});

test("an empty token is warned of with what stays undone", () => {
  expect(reading({ environment: "pro\nduction", github_token: " " }, readRecordInputs).remarks).toEqual([
    {
      kind: "warning",
      text: `github_token is empty: this deployment isn't recorded in the environment "pro duction", and whether ref and configuration file exist isn't checked first. A secret that doesn't exist comes in empty; leave github_token out to use the job's own token.`,
    },
  ]);
});
