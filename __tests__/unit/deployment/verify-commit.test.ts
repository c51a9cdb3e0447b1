import { expect, test } from "@jest/globals";
import { findCommitMismatch } from "../../../src/deploy/checks/verify-commit.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { byId, onMain, planned, type Texts } from "./support/planned.ts";

const own = "0123456789abcdef0123456789abcdef01234567";
const other = "fedcba9876543210fedcba9876543210fedcba98";
const push: Texts = { ...onMain, GITHUB_SHA: own };
const tag: Texts = { ...push, GITHUB_REF: "refs/tags/v1" };

function mismatch(sha: string | undefined, inputs: Texts = {}, env: Texts = push, repoUrl?: string) {
  const { plan } = planned(inputs, { env, target: byId });
  return findCommitMismatch({ sha, repoUrl }, plan, recordingContext(env).workflow);
}

test("a revision of another commit is an unexpected mismatch that names both", () => {
  expect(mismatch(other)).toEqual({
    isUnexpected: true,
    message: expect.stringMatching(`from commit ${other}, not from this run's ${own}\\.`),
    hint: expect.stringContaining("verify_commit"),
  });
});

test("a revision that shows no commit may be a mismatch", () => {
  expect(mismatch(undefined)).toEqual({
    isUnexpected: false,
    message: expect.stringMatching(`does not show which commit it built.* ${own}\\.`),
    hint: expect.stringContaining("verify_commit"),
  });
});

test("another commit is quoted sanitized and cut", () => {
  expect(mismatch(`##[error]${"f".repeat(99)}`)?.message).toMatch(/commit ## \[error\]f{49}…, not/);
});

test.each<[string, Texts, Texts]>([
  ["if the ref of the run is given", { repo_ref: "main" }, push],
  ["if the ref of the run is given with its prefix", { repo_ref: "refs/heads/main" }, push],
  ["if the tag of the run is deployed", {}, tag],
  [
    "if this repository is given in another spelling",
    { repo_url: "git@github.com:Octo-Org/octo-repo.git" },
    push,
  ],
])("another commit is unexpected %s", (_when, inputs, env) => {
  expect(mismatch(other, inputs, env)?.isUnexpected).toBe(true);
});

test.each<[string, Texts, Texts]>([
  ["another branch", { repo_ref: "release" }, push],
  ["a branch named like the run's tag", { repo_ref: "v1" }, tag],
  [
    "the ref of a run that has neither branch nor tag",
    { repo_ref: "main" },
    { ...push, GITHUB_REF: "refs/pull/1/merge" },
  ],
  ["another source", { source: "other", repo_ref: "main" }, push],
])(
  "another commit of %s is a mismatch that is not unexpected, and the run's commit is none",
  (_what, inputs, env) => {
    expect(mismatch(other, inputs, env)?.isUnexpected).toBe(false);
    expect(mismatch(own, inputs, env)).toBeUndefined();
  },
);

test.each<[string, Texts, Texts, string | undefined]>([
  [
    "if another repository is deployed",
    { repo_url: "https://github.com/a/b", repo_ref: "main" },
    push,
    undefined,
  ],
  ["if the deployment shows another repository", {}, push, "https://github.com/a/b"],
  ["if the run has no commit", {}, onMain, undefined],
  [
    "outside of a workflow",
    { repo_url: "https://github.com/a/b", repo_ref: "main" },
    { GITHUB_SHA: own, GITHUB_REF: "refs/heads/main" },
    undefined,
  ],
])("no commit can be compared %s", (_when, inputs, env, repoUrl) => {
  for (const sha of [own, other, undefined]) {
    expect(mismatch(sha, inputs, env, repoUrl)).toMatchObject({
      isUnexpected: false,
      message: expect.stringContaining("can't be compared"),
    });
  }
});

test("an upload holds what the run checked out, so there is nothing to compare", () => {
  expect(mismatch(undefined, { source_path: ".", platform: "langsmith" })).toBeUndefined();
});
