/** Comparisons that ignore how a platform or user spells the same source. */

/** Whether two URLs name the same repository: without case, a final `/` or `.git`. */
export function isSameRepository(one: string, other: string): boolean {
  const normalized = (url: string) =>
    url
      .toLowerCase()
      .replace(/\/+$/, "")
      .replace(/\.git$/, "");
  return normalized(one) === normalized(other);
}

/** Whether two refs are the same; a branch or tag may be shown with or without its prefix. */
export function isSameRef(one: string, other: string): boolean {
  const shortName = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, "");
  return shortName(one) === shortName(other);
}

/** Whether two paths of a repository are the same; one may start with `./` or `/`. */
export function isSamePath(one: string, other: string): boolean {
  return withoutRoot(one) === withoutRoot(other);
}

/** A path of a repository without `./` or `/` at its start. */
export function withoutRoot(path: string): string {
  return path.replace(/^(\.?\/)+/, "");
}

/** Whether two images are the same; undefined if one has a digest, which says nothing about the other's tag. */
export function isSameImage(one: string, other: string): boolean | undefined {
  const hasDigest = (image: string) => image.includes("@");
  return one === other || (hasDigest(one) === hasDigest(other) ? false : undefined);
}
