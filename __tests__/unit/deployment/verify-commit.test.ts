import { describe, expect, test } from "@jest/globals";
import { findCommitMismatch } from "../../../src/deployment/verify-commit.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { byId, onMain, planned, type Texts } from "./support/planned.ts";

const own = "0123456789abcdef0123456789abcdef01234567";
const other = "fedcba9876543210fedcba9876543210fedcba98";
const push: Texts = { ...onMain, GITHUB_SHA: own };
const tag: Texts = { ...push, GITHUB_REF: "refs/tags/v1" };

function mismatch(built: string | undefined, inputs: Texts = {}, env: Texts = push) {
  const { plan } = planned(inputs, { env, target: byId });
  return findCommitMismatch(built, plan, recordingContext(env).workflow);
}

test("a revision of another commit is a mismatch that names both", () => {
  expect(mismatch(other)).toEqual({
    isKnown: true,
    message: expect.stringMatching(`from commit ${other}, not from this run's ${own}\\.`),
    hint: expect.stringContaining("verify_commit"),
  });
});

test("a revision that shows no commit may be a mismatch", () => {
  expect(mismatch(undefined)).toEqual({
    isKnown: false,
    message: expect.stringMatching(`does not show which commit it built.* ${own}\\.`),
    hint: expect.stringContaining("verify_commit"),
  });
});

test.each([
  ["the same commit", own, false],
  ["the same commit in capitals", own.toUpperCase(), false],
  ["its first seven digits", own.slice(0, 7), false],
  ["its first six digits", own.slice(0, 6), true],
  ["seven other digits of it", own.slice(1, 8), true],
])("a revision that shows %s is a mismatch: %p", (_what, built, expected) => {
  expect(mismatch(built) !== undefined).toBe(expected);
});

test("another commit is quoted sanitized and cut", () => {
  expect(mismatch(`##[error]${"f".repeat(99)}`)?.message).toMatch(/commit ## \[error\]f{49}…, not/);
});

describe("the commit is compared", () => {
  test.each<[string, Texts, Texts]>([
    ["if the ref of the run is given", { repo_ref: "main" }, push],
    ["if the ref of the run is given with its prefix", { repo_ref: "refs/heads/main" }, push],
    ["if the tag of the run is deployed", {}, tag],
    [
      "if this repository is given in another spelling",
      { repo_url: "https://github.com/Octo-Org/octo-repo.git" },
      push,
    ],
  ])("%s", (_when, inputs, env) => {
    expect(mismatch(other, inputs, env)).toBeDefined();
  });

  test.each<[string, Texts, Texts]>([
    ["if another branch is deployed", { repo_ref: "release" }, push],
    ["if a branch named like the run's tag is deployed", { repo_ref: "v1" }, tag],
    ["if another repository is deployed", { repo_url: "https://github.com/a/b", repo_ref: "main" }, push],
    ["if an image is deployed", { image_uri: "image:1" }, push],
    ["if another source is deployed", { source: "internal_source", repo_ref: "main" }, push],
    [
      "if the run has neither branch nor tag",
      { repo_ref: "main" },
      { ...push, GITHUB_REF: "refs/pull/1/merge" },
    ],
    ["if the run has no commit", {}, onMain],
    [
      "outside of a workflow",
      { repo_url: "https://github.com/a/b", repo_ref: "main" },
      { GITHUB_SHA: own, GITHUB_REF: "refs/heads/main" },
    ],
  ])("not %s", (_when, inputs, env) => {
    expect(mismatch(other, inputs, env)).toBeUndefined();
    expect(mismatch(undefined, inputs, env)).toBeUndefined();
  });
});
