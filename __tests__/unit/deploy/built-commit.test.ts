import { expect, test } from "@jest/globals";
import { findMismatch } from "../../../src/checks/commit-check.ts";
import { builtCommit } from "../../../src/deploy/built-commit.ts";
import { rawText } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { revisionOf } from "../support/wire.ts";
import { byId, onMain, planned, type Texts } from "./support/planned.ts";

const own = "0123456789abcdef0123456789abcdef01234567";
const other = "fedcba9876543210fedcba9876543210fedcba98";
const push: Texts = { ...onMain, GITHUB_SHA: own };
const tag: Texts = { ...push, GITHUB_REF: "refs/tags/v1" };

/** What speaks against the commit of a revision, as people read it; undefined if nothing does. */
function mismatch(commitSha: string | undefined, inputs: Texts = {}, env: Texts = push, repoUrl?: string) {
  const { plan } = planned(inputs, { env, target: byId });
  const revision = revisionOf({ source_revision_config: { repo_commit_sha: commitSha } });
  const commit = builtCommit({ plan, workflow: recordingContext(env).workflow }, { revision, repoUrl });
  const found = commit && findMismatch(commit);
  return found && rawText(found.what);
}

test("a revision of a different commit is a mismatch that names both", () => {
  expect(mismatch(other)).toMatch(new RegExp(`${other}.*${own}`));
});

test("a revision that shows no commit may be a mismatch", () => {
  expect(mismatch(undefined)).toMatch(new RegExp(`does not report .*${own}`));
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
])("a different commit of the run's own ref was built %s", (_when, inputs, env) => {
  expect(mismatch(other, inputs, env)).toContain("has probably moved");
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
  "a different commit of %s is not of the run's own ref, and the run's commit is no mismatch",
  (_what, inputs, env) => {
    expect(mismatch(other, inputs, env)).toMatch(/built from commit .{40}, not from this run's .{40}$/);
    expect(mismatch(own, inputs, env)).toBeUndefined();
  },
);

test.each<[string, Texts, Texts, string | undefined, string]>([
  [
    "if a different repository is deployed",
    { repo_url: "https://github.com/a/b", repo_ref: "main" },
    push,
    undefined,
    "is built from https://github.com/a/b",
  ],
  [
    "if the deployment shows a different repository",
    {},
    push,
    "https://github.com/a/b",
    "is built from https://github.com/a/b",
  ],
  ["if the run has no commit", {}, onMain, undefined, "this run has no commit"],
  [
    "outside of a workflow",
    { repo_url: "https://github.com/a/b", repo_ref: "main" },
    { GITHUB_SHA: own, GITHUB_REF: "refs/heads/main" },
    undefined,
    "this run has no commit",
  ],
])("no commit can be compared %s", (_when, inputs, env, repoUrl, what) => {
  for (const sha of [own, other, undefined]) {
    expect(mismatch(sha, inputs, env, repoUrl)).toContain(what);
  }
});

test("an upload holds what the run checked out, so there is nothing to compare", () => {
  expect(mismatch(undefined, { source_path: ".", platform: "langsmith" })).toBeUndefined();
});
