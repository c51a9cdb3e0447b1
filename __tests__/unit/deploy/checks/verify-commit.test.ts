import { expect, test } from "@jest/globals";
import { findCommitMismatch } from "../../../../src/deploy/checks/verify-commit.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { revisionOf } from "../../support/wire.ts";
import { byId, onMain, planned, type Texts } from "../support/planned.ts";

const own = "0123456789abcdef0123456789abcdef01234567";
const other = "fedcba9876543210fedcba9876543210fedcba98";
const push: Texts = { ...onMain, GITHUB_SHA: own };
const tag: Texts = { ...push, GITHUB_REF: "refs/tags/v1" };

function mismatch(commitSha: string | undefined, inputs: Texts = {}, env: Texts = push, repoUrl?: string) {
  const { plan } = planned(inputs, { env, target: byId });
  const revision = revisionOf({ source_revision_config: { repo_commit_sha: commitSha } });
  const watched = { kind: "live", revision, url: undefined, repoUrl } as const;
  return findCommitMismatch({ plan, workflow: recordingContext(env).workflow }, watched);
}

test("a revision of a different commit is a mismatch that names both", () => {
  expect(mismatch(other)).toEqual({ kind: "other_commit", built: other, own, isOwnRef: true });
});

test("a revision that shows no commit may be a mismatch", () => {
  expect(mismatch(undefined)).toEqual({ kind: "not_shown", own });
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
  expect(mismatch(other, inputs, env)).toMatchObject({ kind: "other_commit", isOwnRef: true });
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
    expect(mismatch(other, inputs, env)).toMatchObject({ kind: "other_commit", isOwnRef: false });
    expect(mismatch(own, inputs, env)).toBeUndefined();
  },
);

test.each<[string, Texts, Texts, string | undefined, string]>([
  [
    "if a different repository is deployed",
    { repo_url: "https://github.com/a/b", repo_ref: "main" },
    push,
    undefined,
    "other_repository",
  ],
  ["if the deployment shows a different repository", {}, push, "https://github.com/a/b", "other_repository"],
  ["if the run has no commit", {}, onMain, undefined, "no_own_commit"],
  [
    "outside of a workflow",
    { repo_url: "https://github.com/a/b", repo_ref: "main" },
    { GITHUB_SHA: own, GITHUB_REF: "refs/heads/main" },
    undefined,
    "no_own_commit",
  ],
])("no commit can be compared %s", (_when, inputs, env, repoUrl, kind) => {
  for (const sha of [own, other, undefined]) {
    expect(mismatch(sha, inputs, env, repoUrl)).toMatchObject({ kind });
  }
});

test("an upload holds what the run checked out, so there is nothing to compare", () => {
  expect(mismatch(undefined, { source_path: ".", platform: "langsmith" })).toBeUndefined();
});
