import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { compareSchemas } from "../../../../src/deploy/compare/compare-schemas.ts";
import type { SchemaKind } from "../../../../src/results/comparison.ts";

/** A property of a definition, a constant or what other definitions describe: `0` is the first one. */
type Part = string | readonly number[];
type Definitions = readonly Readonly<Record<string, Part>>[];

const count = 4;
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.constantFrom("a", "b"),
  fc.array(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: 2 }),
  fc.array(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: 2 }),
);
const definitions: fc.Arbitrary<Definitions> = fc.array(fc.dictionary(fc.constantFrom("k", "x"), part), {
  minLength: count,
  maxLength: count,
});
const changes = fc.array(fc.tuple(fc.nat({ max: count - 1 }), fc.constantFrom("k", "x"), part), {
  maxLength: 3,
});
const roots = fc.dictionary(fc.constantFrom("p", "q", "r"), part, { minKeys: 2 });

function changed(all: Definitions, which: readonly (readonly [number, string, Part])[]): Definitions {
  return which.reduce<Definitions>(
    (before, [at, name, value]) =>
      before.map((one, index) => (index === at ? { ...one, [name]: value } : one)),
    all,
  );
}

/** The schema of an object, `refer` makes that of a definition. */
function object(parts: Readonly<Record<string, Part>>, refer: (index: number) => unknown): object {
  const schemaOf = (one: Part) =>
    typeof one === "string" ? { const: one } : { anyOf: one.map((index) => refer(index)) };
  const properties = Object.entries(parts).map(([name, one]) => [name, schemaOf(one)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

function withReferences(root: Readonly<Record<string, Part>>, all: Definitions): object {
  const refer = (index: number) => ({ $ref: `#/$defs/${index}` });
  return { ...object(root, refer), $defs: all.map((one) => object(one, refer)) };
}

/** The same without references: what is deeper than three of them allows anything. */
function inlined(root: Readonly<Record<string, Part>>, all: Definitions, depth = 3): object {
  return object(root, (index) => (depth === 0 ? {} : inlined(all[index] ?? {}, all, depth - 1)));
}

function propertiesWithFindings(before: object, after: object, kind: SchemaKind) {
  const findings = compareSchemas(kind, before, after);
  if (findings.some(({ difference }) => difference.kind === "too_large")) return undefined;
  return [...new Set(findings.map(({ path }) => path[0]))];
}

test.each(["config", "output", "state"] as const)("%s: references hide no property that differs", (kind) => {
  let compared = 0;
  fc.assert(
    fc.property(roots, definitions, roots, changes, fc.boolean(), (root, all, other, which, isSameRoot) => {
      const [rootAfter, after] = [isSameRoot ? root : other, changed(all, which)];
      const found = propertiesWithFindings(withReferences(root, all), withReferences(rootAfter, after), kind);
      const shown = propertiesWithFindings(inlined(root, all), inlined(rootAfter, after), kind);
      if (found === undefined || shown === undefined) return;
      if (shown.length > 0) compared += 1;

      expect(found).toEqual(expect.arrayContaining(shown));
    }),
    { seed: 1, numRuns: 100 },
  );

  expect(compared).toBeGreaterThan(50);
});
