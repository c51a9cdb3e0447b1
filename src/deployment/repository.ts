/** Whether two addresses name the same repository: compared without case, a final `/` or `.git` (contract, 3.1). */
export function sameRepository(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(url: string): string {
  return url
    .toLowerCase()
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}
