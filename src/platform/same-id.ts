/** Whether two ids, or names, are the same one: a platform may write it in another case than the user did. */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
