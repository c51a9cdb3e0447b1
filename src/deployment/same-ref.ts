/** Whether two refs are the same one; a branch or a tag may be shown with or without its prefix. */
export function sameRef(one: string, other: string): boolean {
  const bare = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, "");
  return bare(one) === bare(other);
}
