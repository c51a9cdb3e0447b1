import { posix } from "node:path";
import { equalsIgnoringCase } from "../text/equals-ignoring-case.ts";
import type { Revision, RevisionContent } from "./deployment.ts";
import { commitPattern } from "./schemas.ts";

/**
 * Whether two refs are the same. The prefix of a branch or tag may be missing. Undefined if only one ref is a commit, because
 * the other may be a branch or tag of that commit.
 */
export function isSameRef(a: string, b: string): boolean | undefined {
  const isCommit = (ref: string) => commitPattern.test(ref);
  if (isCommit(a) && isCommit(b)) return equalsIgnoringCase(a, b);
  if (a.startsWith("refs/") && b.startsWith("refs/")) return a === b;
  const shortName = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, "");
  return shortName(a) === shortName(b) || (isCommit(a) === isCommit(b) ? false : undefined);
}

export function isSamePath(a: string, b: string): boolean {
  return withoutRoot(posix.normalize(a)) === withoutRoot(posix.normalize(b));
}

/** Returns a path in a repository without `./` or `/` at its start. */
export function withoutRoot(path: string): string {
  return path.replace(/^(\.?\/)+/, "");
}

/** Whether two images are the same. Undefined if only one has a digest, because the other's tag may name the same image. */
export function isSameImage(a: string, b: string): boolean | undefined {
  const [one, other] = [imageParts(a), imageParts(b)];
  if (one.name !== other.name) return false;
  if (one.digest === undefined && other.digest === undefined) return one.tag === other.tag;
  return one.digest === undefined || other.digest === undefined ? undefined : one.digest === other.digest;
}

/** Docker's defaults are left out: https://docs.docker.com/reference/cli/docker/image/tag/#description */
function imageParts(image: string) {
  const [, name = "", tag = "latest", digest] = /^(.*?)(?::([^/:@]*))?(?:@(.*))?$/.exec(image) ?? [];
  return { name: name.replace(/^(?:index\.)?docker\.io\//, "").replace(/^library\//, ""), tag, digest };
}

/** Whether an image is named by its digest, which never moves to another image as a tag does. */
export function isPinnedImage(image: string): boolean {
  return /@sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i.test(image);
}

/**
 * Whether a revision has a different source from the one that this run sent. Only fields that both have are compared. If there
 * is none, and another kind of source is shown, that is a different one.
 */
export function showsOtherContent({ content = {} }: Revision, sent: RevisionContent): boolean {
  const isOther = (field: keyof RevisionContent, isSame: (a: string, b: string) => boolean | undefined) => {
    const [shownValue, sentValue] = [content[field], sent[field]];
    return shownValue !== undefined && sentValue !== undefined && isSame(shownValue, sentValue) === false;
  };
  return (
    isOther("tarballPath", (a, b) => a === b) ||
    isOther("repoRef", isSameRef) ||
    isOther("appConfigPath", isSamePath) ||
    isOther("imageUri", isSameImage) ||
    isOther("commitSha", equalsIgnoringCase) ||
    showsOtherKind(content, sent)
  );
}

function showsOtherKind(shown: RevisionContent, sent: RevisionContent): boolean {
  const kindsOf = ({ tarballPath, repoRef, imageUri }: RevisionContent) =>
    Object.entries({ tarballPath, repoRef, imageUri }).flatMap(([kind, value]) =>
      value === undefined ? [] : [kind],
    );
  const [shownKinds, sentKinds] = [kindsOf(shown), kindsOf(sent)];
  // Beside an upload, the platform may show the image that it built from it.
  const isImageOfUpload = sent.tarballPath !== undefined && shownKinds.join() === "imageUri";
  const hasBoth = shownKinds.length > 0 && sentKinds.length > 0;
  return hasBoth && !isImageOfUpload && !sentKinds.some((kind) => shownKinds.includes(kind));
}
