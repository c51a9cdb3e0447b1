import { repositoryUrl, type WorkflowRun } from "../workflow-run.ts";
import type { Revision, RevisionContent } from "./deployment.ts";

/** Whether two URLs name the same repository: the same host and path, without case. */
export function isSameRepository(one: string, other: string): boolean {
  return hostAndPath(one) === hostAndPath(other);
}

/** Whether a URL names the repository of the run. False outside of a workflow. */
export function isRepositoryOfRun(url: string | undefined, run: WorkflowRun): boolean {
  const ofRun = repositoryUrl(run);
  return url !== undefined && ofRun !== undefined && isSameRepository(url, ofRun);
}

/**
 * Returns host and path of a repository's URL in any form that Git takes (https://git-scm.com/docs/git-clone#_git_urls),
 * without credentials, `www.`, port, query, fragment and a final `.git`.
 */
function hostAndPath(url: string): string {
  const [address = ""] = url.trim().toLowerCase().split(/[?#]/);
  const parts = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:[^/]*@)?(?:www\.)?([^:/]*)(?::\d+(?=\/))?[:/]*(.*)$/.exec(
    address,
  );
  const [, host = "", path = ""] = parts ?? [];
  const segments = path.split("/").filter((segment) => segment !== "");
  return [host, ...segments].join("/").replace(/\.git$/, "");
}

/**
 * Whether two refs are the same; a branch or tag may be shown with or without its prefix. Undefined if one is a commit, which
 * says nothing about the other's branch or tag.
 */
export function isSameRef(one: string, other: string): boolean | undefined {
  const isCommit = (ref: string) => /^[0-9a-f]{40}$/i.test(ref);
  if (one.startsWith("refs/") && other.startsWith("refs/")) return one === other;
  const shortName = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, "");
  return shortName(one) === shortName(other) || (isCommit(one) === isCommit(other) ? false : undefined);
}

/** Whether two paths of a repository are the same; one may start with `./` or `/`. */
export function isSamePath(one: string, other: string): boolean {
  return withoutRoot(one) === withoutRoot(other);
}

/** Returns a path of a repository without `./` or `/` at its start. */
export function withoutRoot(path: string): string {
  return path.replace(/^(\.?\/)+/, "");
}

/** Whether two images are the same; undefined if one has a digest, which says nothing about the other's tag. */
export function isSameImage(one: string, other: string): boolean | undefined {
  const hasDigest = (image: string) => image.includes("@");
  return one === other || (hasDigest(one) === hasDigest(other) ? false : undefined);
}

/** Whether an image is named by its digest, so that the name never means another image. */
export function isPinnedImage(image: string): boolean {
  return /@sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i.test(image);
}

/** Whether a revision shows another source than this run sent. A field that one of both lacks is not compared. */
export function showsOtherSource({ content: shown }: Revision, sent: RevisionContent): boolean {
  const isOther = (
    field: keyof RevisionContent,
    isSame: (one: string, other: string) => boolean | undefined,
  ) => {
    const [one, other] = [shown?.[field], sent[field]];
    return one !== undefined && other !== undefined && isSame(one, other) === false;
  };
  return (
    isOther("tarballPath", (one, other) => one === other) ||
    isOther("repoRef", isSameRef) ||
    isOther("appConfigPath", isSamePath) ||
    isOther("imageUri", isSameImage)
  );
}
