/** Whether two ids or names are equal, ignoring case: a server may write one differently than the user did. */
export function equalsIgnoringCase(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
