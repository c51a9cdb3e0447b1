import { describe, expect, test } from "@jest/globals";
import { GitHubClient } from "../../../src/github/github-client.ts";
import { connectGitHub, readRecordInputs } from "../../../src/inputs/read-github-inputs.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { environmentOf, problem, reading, type Texts } from "./support/reading.ts";

const read = (reader: InputReader) => readRecordInputs(reader, { kind: "name", name: "agent" });

describe("a deployment record", () => {
  test.each<[string, Texts, boolean]>([
    ["staging", {}, false],
    ["reproduction", {}, false],
    ["production", {}, true],
    ["Prod-EU", {}, true],
    ["production", { production_environment: "" }, true],
    ["production", { production_environment: "false" }, false],
    ["staging", { production_environment: "true" }, true],
  ])("in %s with %j has production: %p", (environment, others, production) => {
    const inputs = { github_token: "some-token", environment: ` ${environment} `, ...others };

    expect(reading(inputs, read)).toEqual({
      result: { environment, task: "deploy:agent", isProduction: production },
      problems: [],
      notes: [],
    });
  });

  test.each<[string, Texts]>([
    ["missing", {}],
    ["empty", { environment: " ", production_environment: "false" }],
  ])("is not wanted if environment is %s, so there is no warning", (_what, inputs) => {
    expect(reading(inputs, read)).toEqual({ result: undefined, problems: [], notes: [] });
  });

  test("is checked for problems even if it is not wanted", () => {
    expect(reading({ production_environment: "yes" }, read).problems).toEqual([
      problem("production_environment", "true or false", '"yes"'),
    ]);
  });

  test("is missing without a token, and a warning says so", () => {
    const { notes } = reading({ github_token: " ", environment: "staging" }, read);

    expect(notes).toEqual([
      {
        kind: "warning",
        text: expect.stringMatching(/^github_token is empty: .*such as a record.*With act/),
      },
    ]);
  });
});

test("only a run with a token and a repository talks to GitHub", () => {
  const inWorkflow = recordingContext({ GITHUB_REPOSITORY: "octo-org/octo-repo" });
  const withToken = new InputReader(environmentOf({ github_token: "some-token" }));

  expect(connectGitHub(withToken, inWorkflow)).toBeInstanceOf(GitHubClient);
  expect(connectGitHub(new InputReader({}), inWorkflow)).toBeUndefined();
  expect(connectGitHub(withToken, recordingContext({}))).toBeUndefined();
});
