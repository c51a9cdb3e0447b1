import fc from "fast-check";

/** One character of any kind: much cheaper than fast-check's own units, which load Unicode's tables. */
const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0x24f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Text of any characters. */
export function anyText(constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...constraints });
}
