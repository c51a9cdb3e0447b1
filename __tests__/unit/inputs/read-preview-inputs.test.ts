import { describe, expect, test } from "@jest/globals";
import { readPreviewInputs } from "../../../src/inputs/read-preview-inputs.ts";
import type { InputReader } from "../../../src/inputs/reader.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const readFor = (repository: string) => (reader: InputReader) => readPreviewInputs(reader, repository, 7);
const read = (inputs: Texts) => reading({ ...access, ...inputs }, readFor("octo-org/octo-repo"));

test.each<[string, Texts]>([
  ["missing", {}],
  ["empty", { name: "", name_max_length: " ", environment: "\n", comment: "", label: "" }],
])("a preview has defaults for inputs that are %s", (_what, others) => {
  expect(read(others)).toStrictEqual({
    result: {
      settings: controlPlane,
      name: "octo-repo-7739a-pr-7",
      nameHasNumber: true,
      record: {
        environment: "Preview",
        task: "preview:octo-repo-7739a-pr-7",
        isProduction: false,
        pullRequest: 7,
      },
      comment: true,
      label: undefined,
      sourceKind: undefined,
      repoUrl: undefined,
      dryRun: false,
    },
    problems: [],
    notes: [],
  });
});

test("every input of a preview is read", () => {
  const inputs = {
    name: "octo-7",
    name_max_length: "20",
    environment: "Reviews",
    comment: "False",
    label: "deploy",
    source: "github",
    repo_url: "https://github.com/octo-org/other",
    dry_run: "TRUE",
  };

  expect(read(inputs)).toStrictEqual({
    result: {
      settings: controlPlane,
      name: "octo-7",
      nameHasNumber: true,
      record: { environment: "Reviews", task: "preview:octo-7", isProduction: false, pullRequest: 7 },
      comment: false,
      label: "deploy",
      sourceKind: "github",
      repoUrl: "https://github.com/octo-org/other",
      dryRun: true,
    },
    problems: [],
    notes: [],
  });
});

test("all problems are reported at once", () => {
  const inputs = { name_max_length: "19", comment: "on", dry_run: "1" };

  expect(reading(inputs, readFor("octo-org/octo-repo")).problems).toEqual([
    problem("name_max_length", "at least 20", '"19"'),
    ...noAccess,
    problem("comment", "true or false", '"on"'),
    problem("dry_run", "true or false", '"1"'),
  ]);
});

test("a preview of another source is not made from GitHub", () => {
  expect(read({ source: "external_docker" }).result.sourceKind).toBe("external_docker");
});

describe("the name of a preview", () => {
  test("is not that of the deployment to compare with, which would be deleted with the pull request", () => {
    expect(read({ name: "agent-7", compare_with: "agent-7" }).problems).toEqual([
      problem("name", "also in compare_with", "deleted when the pull request is closed"),
    ]);
  });

  test.each([
    ["octo-repo-7739a-pr-7", true],
    ["agent-7", true],
    ["pr-7-agent", true],
    ["agent", false],
    ["agent-v7", false],
    ["agent-17", false],
  ])("%s is of pull request 7 alone: %s", (name, nameHasNumber) => {
    expect(read({ name }).result.nameHasNumber).toBe(nameHasNumber);
  });

  test("is shortened if it is the default", () => {
    const { name } = reading({ name_max_length: "30" }, readFor(`octo-org/${"r".repeat(40)}`)).result;

    expect(name).toMatch(/^r{19}-[0-9a-f]{5}-pr-7$/);
  });
});
