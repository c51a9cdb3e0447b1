import { expect, test } from "@jest/globals";
import {
  isPinnedImage,
  isSamePath,
  isSameRef,
  mayBeSameImage,
  showsOtherContent,
  withoutRoot,
} from "../../../src/platform/compare-content.ts";
import { isRepositoryOfRun, isSameRepository } from "../../../src/platform/same-repository.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { revisionOf } from "../support/wire.ts";

const own = "https://github.com/octo-org/octo-repo";

test.each([
  [own, own, true],
  ["HTTPS://GitHub.com/Octo-Org/OCTO-repo", own, true],
  [`${own}/`, own, true],
  [`${own}//`, own, true],
  [`${own}.git`, own, true],
  [`${own}.git/`, own, true],
  [`${own}.GIT`, own, true],
  [`${own}2`, own, false],
  [`${own}.github`, own, false],
  ["https://github.com/octo-org", own, false],
  [`${own}/tree`, own, false],
  ["https://gitlab.com/octo-org/octo-repo", own, false],
  ["https://github.com/octo-org/octo.github", "https://github.com/octo-org/octohub", false],
  ["https://github.com//octo-org//octo-repo", own, true],
  ["http://github.com/octo-org/octo-repo", own, true],
  ["git@github.com:octo-org/octo-repo.git", own, true],
  ["github.com:octo-org/octo-repo", own, true],
  ["git@github.com:/octo-org/octo-repo", own, true],
  ["ssh://git@github.com/octo-org/octo-repo.git", own, true],
  ["ssh://git@github.com:22/octo-org/octo-repo", own, true],
  ["git+ssh://git@github.com/octo-org/octo-repo", own, true],
  ["git://github.com/octo-org/octo-repo", own, true],
  ["https://token@github.com/octo-org/octo-repo", own, true],
  ["https://user:p@ss@github.com/octo-org/octo-repo", own, true],
  ["https://www.github.com/octo-org/octo-repo", own, true],
  ["https://github.com:443/octo-org/octo-repo", own, true],
  [`${own}#main`, own, true],
  [`${own}.git?ref=main#/x`, own, true],
  [` ${own} `, own, true],
  ["//github.com/octo-org/octo-repo", own, true],
  ["github.com/octo-org/octo-repo", own, true],
  ["git@gitlab.com:octo-org/octo-repo", own, false],
  ["git@github.com:123/app", "https://github.com/123/app", true],
  ["git@github.com:123/app", "git@github.com:456/app", false],
  ["https://github.com@evil.example/octo-org/octo-repo", own, false],
  ["https://evil.example/github.com/octo-org/octo-repo", own, false],
  ["https://evil.example/?x=github.com/octo-org/octo-repo", own, false],
  ["https://wwwgithub.com/octo-org/octo-repo", own, false],
  ["file:///srv/octo-repo", "/srv/octo-repo/", true],
  ["/srv/octo-repo", "/srv/other", false],
  ["", own, false],
  ["https://github.com/a/bc", "https://github.com/ab/c", false],
  ["https://github.comx", "https://github.com/", false],
  ["https://github.com", "https://github.com/m", false],
  ["https://github.com/a:b", "https://github.com/ab", false],
  ["https://a.www.github.com/b/c", "https://a.github.com/b/c", false],
  ["github.com//octo-org//octo-repo", own, true],
])("%j and %j are the same repository: %p", (one, other, same) => {
  expect(isSameRepository(one, other)).toBe(same);
  expect(isSameRepository(other, one)).toBe(same);
});

test.each([
  ["main", "main", true],
  ["main", "refs/heads/main", true],
  ["refs/tags/v1", "v1", true],
  ["refs/heads/v1", "refs/tags/v1", false],
  ["main", "Main", false],
  ["refs/heads/v1", "refs/heads/v2", false],
  ["refs/heads/v1", "refs/heads/v1", true],
  ["feature/refs/heads/x", "feature/x", false],
])("%s and %s are the same ref: %p", (one, other, same) => {
  expect(isSameRef(one, other)).toBe(same);
  expect(isSameRef(other, one)).toBe(same);
});

test.each([
  ["a.json", "./a.json", true],
  ["a.json", "/a.json", true],
  ["a.json", ".//./a.json", true],
  ["b/a.json", "ba.json", false],
  ["b/./a.json", "ba.json", false],
  ["..a.json", "a.json", false],
])("%s and %s are the same path: %p", (one, other, same) => {
  expect(isSamePath(one, other)).toBe(same);
  expect(isSamePath(other, one)).toBe(same);
});

test("a path without its root keeps its folders", () => {
  expect(withoutRoot("./b/./a.json")).toBe("b/./a.json");
  expect(withoutRoot(".//./a.json")).toBe("a.json");
});

test.each([
  ["x:1", "x:1", true],
  ["x:1", "x:2", false],
  ["ghcr.io/org/x:1", "org/x:1", false],
  ["x@sha256:1", "x@sha256:1", true],
  ["x@sha256:1", "x@sha256:2", false],
  ["x@sha256:1", "x:1", true],
  ["x:1@sha256:1", "x", true],
  ["x:1.2@sha256:1", "x", true],
  ["h:5000/x@sha256:1", "h:5000/x:1", true],
  ["x:1@sha256:1", "x@sha256:1", true],
  ["x:1@sha256:1", "x:2@sha256:1", true],
  ["x@sha256:1", "y@sha256:1", false],
  ["x@sha256:1", "y:1", false],
  ["h:5000/x@sha256:1", "h/x:1", false],
])("%s and %s may be the same image: %p", (one, other, same) => {
  expect(mayBeSameImage(one, other)).toBe(same);
  expect(mayBeSameImage(other, one)).toBe(same);
});

test.each([
  [`x@sha256:${"a1".repeat(32)}`, true],
  [`ghcr.io/org/x:1@sha512:${"a1".repeat(64)}`, true],
  [`x@SHA256:${"A1".repeat(32)}`, true],
  [`x@sha256:${"a1".repeat(31)}`, false],
  [`x@sha256:${"a1".repeat(32)}:1`, false],
  [`x@sha512:${"a1".repeat(32)}`, false],
  ["x:1", false],
])("image %s is named by its digest: %p", (image, isPinned) => {
  expect(isPinnedImage(image)).toBe(isPinned);
});

test.each([
  [`${own}.git`, { GITHUB_REPOSITORY: "octo-org/octo-repo" }, true],
  [`${own}.git`, { GITHUB_REPOSITORY: "octo-org/other" }, false],
  [undefined, { GITHUB_REPOSITORY: "octo-org/octo-repo" }, false],
  [own, {}, false],
])("%j is the repository of a run with %j: %p", (url, env, expected) => {
  expect(isRepositoryOfRun(url, recordingContext({ ...env }).workflow)).toBe(expected);
});

const sent = {
  repoRef: "main",
  appConfigPath: "a.json",
  imageUri: "x:1",
  tarballPath: "t/1",
  commitSha: "a".repeat(40),
};

test.each([
  [{}, false],
  [{ repo_ref: "refs/heads/main", langgraph_config_path: "./a.json" }, false],
  [{ image_uri: "x:1", source_tarball_path: "t/1" }, false],
  [{ image_uri: "x@sha256:1" }, false],
  [{ repo_ref: "other" }, true],
  [{ langgraph_config_path: "b.json" }, true],
  [{ image_uri: "x:2" }, true],
  [{ source_tarball_path: "t/2" }, true],
  [{ repo_commit_sha: "b".repeat(40) }, true],
  [{ repo_commit_sha: "A".repeat(40) }, false],
])("a revision with %j shows another source than the one that was sent: %p", (shown, isOther) => {
  expect(showsOtherContent(revisionOf({ source_revision_config: shown }), sent)).toBe(isOther);
  expect(showsOtherContent(revisionOf({ source_revision_config: shown }), {})).toBe(false);
});

test("a revision that shows no source shows no other one", () => {
  expect(showsOtherContent(revisionOf({}), sent)).toBe(false);
});
