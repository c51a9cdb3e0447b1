/** One character of ASCII as an address has it where it must not stand as itself (RFC 3986, 2.1). */
export function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
