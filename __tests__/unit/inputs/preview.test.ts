import { describe, expect, test } from "@jest/globals";
import {
  readPreviewGate,
  readPreviewInputs,
  warnOfPreviewWithoutToken,
} from "../../../src/inputs/preview.ts";
import type { InputReader } from "../../../src/inputs/reader.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { reading, type Texts } from "./support/reading.ts";

const forPullRequest = (reader: InputReader) => readPreviewInputs(reader, "octo-org/octo-repo", 7);
const withToken = { ...access, github_token: "some-token" };

const empty = { name: "", name_max_length: " ", environment: "\n", comment: "", label: "", dry_run: "" };

describe("inputs of a preview", () => {
  test.each<[string, Texts]>([
    ["without the others", {}],
    ["with empty ones", { ...empty, source: " ", repo_url: "" }],
  ])("what is needed is enough, %s", (_what, others) => {
    expect(reading({ ...withToken, ...others }, forPullRequest)).toEqual({
      result: {
        controlPlane,
        name: "octo-repo-pr-7",
        environment: "Preview",
        comment: true,
        githubToken: "some-token",
        label: undefined,
        source: undefined,
        repoUrl: undefined,
        dryRun: false,
      },
      problems: [],
      remarks: [],
    });
  });

  test("everything that can be given", () => {
    const inputs = {
      ...withToken,
      name: "octo-7",
      name_max_length: "20",
      environment: "Reviews",
      comment: "False",
      label: "deploy",
      source: "github",
      repo_url: "https://github.com/octo-org/other",
      dry_run: "TRUE",
    };
    expect(reading(inputs, forPullRequest)).toEqual({
      result: {
        controlPlane,
        name: "octo-7",
        environment: "Reviews",
        comment: false,
        githubToken: "some-token",
        label: "deploy",
        source: "github",
        repoUrl: "https://github.com/octo-org/other",
        dryRun: true,
      },
      problems: [],
      remarks: [],
    });
  });

  test("everything that is wrong is told at once", () => {
    const inputs = {
      name: "a".repeat(64),
      name_max_length: "19",
      comment: "on",
      dry_run: "1",
      github_token: "some-token",
    };
    expect(reading(inputs, forPullRequest).problems).toEqual([
      ...noAccess,
      'Input name_max_length has to be a whole number of at least 20, not "19".',
      "Input name has 64 characters, more than name_max_length (63).",
      'Input comment has to be true or false, not "on".',
      'Input dry_run has to be true or false, not "1".',
    ]);
  });

  test("an empty token is none", () => {
    const { result, problems } = reading({ ...access, github_token: "" }, forPullRequest);
    expect(problems).toEqual([]);
    expect(result.githubToken).toBeUndefined();
  });

  const howItComes =
    "A secret that doesn't exist comes in empty; leave github_token out to use the job's own token.";

  test.each([
    [
      "deploy",
      "github_token is empty: this preview gets no record and no comment on GitHub. Without a record sweep doesn't find it. If its pull request is closed while it is deployed, it stays. Whether ref and configuration file exist isn't checked first.",
    ],
    [
      "delete",
      "github_token is empty: the preview is looked for by its name alone. Its records and its comment on GitHub stay as they are.",
    ],
  ] as const)("an empty token is warned of with all that stays undone, to %s", (task, words) => {
    const warn = (reader: InputReader) => warnOfPreviewWithoutToken(reader, task);
    const text = `${words} ${howItComes}`;
    expect(reading({ github_token: " " }, warn).remarks).toEqual([{ kind: "warning", text }]);
    expect(reading({ github_token: "some-token" }, warn).remarks).toEqual([]);
  });
});

describe("a preview's name", () => {
  const named = (inputs: Texts) => reading({ ...withToken, ...inputs }, forPullRequest);

  test("may be as long as the platform allows", () => {
    const name = "a".repeat(63);
    expect(named({ name })).toMatchObject({ result: { name }, problems: [] });
    const longer = "a".repeat(64);
    expect(named({ name: longer, name_max_length: "64" })).toMatchObject({
      result: { name: longer },
      problems: [],
    });
  });

  test("is refused where it is longer", () => {
    expect(named({ name: "a".repeat(21), name_max_length: "20" }).problems).toEqual([
      "Input name has 21 characters, more than name_max_length (20).",
    ]);
  });

  test("is shortened where it is none that was given", () => {
    const long = (reader: InputReader) => readPreviewInputs(reader, `octo-org/${"r".repeat(40)}`, 7);
    const { name } = reading({ ...withToken, name_max_length: "30" }, long).result;
    expect(name).toMatch(/^r{18}-[0-9a-f]{6}-pr-7$/);
  });
});

describe("what decides whether there is anything to do", () => {
  test.each<[string, Texts, unknown]>([
    ["nothing", {}, { label: undefined, hasKey: false }],
    ["empty ones", { label: " ", api_key: "\n" }, { label: undefined, hasKey: false }],
    ["both", { label: " deploy ", api_key: "some-key" }, { label: "deploy", hasKey: true }],
  ])("%s", (_what, inputs, result) => {
    expect(reading(inputs, readPreviewGate)).toEqual({ result, problems: [], remarks: [] });
  });
});
