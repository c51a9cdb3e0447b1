import { posix } from "node:path";
import { equalsIgnoringCase } from "../text/strings.ts";
import type { Revision, RevisionContent } from "./revision.ts";

/** Whether two refs are the same. The prefix of a branch or tag may be missing. */
export function isSameRef(a: string, b: string): boolean {
  if (a.startsWith("refs/") && b.startsWith("refs/")) return a === b;
  const shortName = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, "");
  return shortName(a) === shortName(b);
}

export function isSamePath(a: string, b: string): boolean {
  return withoutRoot(posix.normalize(a)) === withoutRoot(posix.normalize(b));
}

/** Returns a path in a repository without `./` or `/` at its start. */
export function withoutRoot(path: string): string {
  return path.replace(/^(\.?\/)+/, "");
}

/** Whether two images may be the same: in place of a tag, the platform may show the digest that it was resolved to. */
export function mayBeSameImage(a: string, b: string): boolean {
  const [nameA, digestA] = a.split("@", 2);
  const [nameB, digestB] = b.split("@", 2);
  if (digestA === undefined && digestB === undefined) return a === b;
  const isOther = digestA !== undefined && digestB !== undefined && digestA !== digestB;
  const withoutTag = (name = "") => name.replace(/:[^/:]*$/, "");
  return !isOther && withoutTag(nameA) === withoutTag(nameB);
}

/** Whether an image is named by its digest, which never moves to another image as a tag does. */
export function isPinnedImage(image: string): boolean {
  return /@sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i.test(image);
}

/** Whether a revision shows a different source from the one that was sent. Only fields that both have are compared. */
export function showsOtherContent({ content = {} }: Revision, sent: RevisionContent): boolean {
  const isOther = (field: keyof RevisionContent, isSame: (a: string, b: string) => boolean) => {
    const [shownValue, sentValue] = [content[field], sent[field]];
    return shownValue !== undefined && sentValue !== undefined && !isSame(shownValue, sentValue);
  };
  return (
    isOther("tarballPath", (a, b) => a === b) ||
    isOther("repoRef", isSameRef) ||
    isOther("appConfigPath", isSamePath) ||
    isOther("imageUri", mayBeSameImage) ||
    isOther("commitSha", equalsIgnoringCase)
  );
}
