import querystring from "node:querystring";
import { isDeepStrictEqual } from "node:util";
import { resolvePointer } from "../text/json.ts";

/** A part of a JSON Schema, and the document that its references refer to. */
export interface Part {
  readonly document: unknown;
  readonly value: unknown;
}

export type Keywords = Readonly<Record<string, unknown>>;

/** A part whose `$ref` is followed. */
export interface Schema extends Part {
  readonly value: Keywords;
}

/** They allow or forbid no value: https://json-schema.org/draft/2020-12/json-schema-validation#section-9 */
const annotations = new Set([
  ...["$schema", "$id", "$comment", "$anchor", "$defs", "definitions"],
  ...["title", "description", "examples", "example", "default", "deprecated", "discriminator"],
]);

/** Keywords whose value maps names to schemas: the names are no keywords. */
const maps = new Set(["properties", "patternProperties", "dependentSchemas"]);
/** Keywords whose value is a set. */
const sets = new Set(["required", "enum", "type"]);

/** More than any sensible schema nests. */
const maxDepth = 200;

export function isKeywords(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The names of the keywords that say what is allowed. */
export function keywordsOf(...schemas: readonly Schema[]): string[] {
  const names = new Set(schemas.flatMap(({ value }) => Object.keys(value)));
  return [...names].filter((name) => !annotations.has(name));
}

export function partOf({ document }: Part, value: unknown): Part {
  return { document, value };
}

/** The schema of a part. A reference that leads nowhere stays. */
export function resolve({ document, value }: Part): Schema {
  let schema = toKeywords(value);
  for (let hops = 0; typeof schema.$ref === "string" && hops < maxDepth; hops += 1) {
    const target = find(document, schema.$ref);
    if (target === undefined) break;
    const { $ref, ...beside } = schema;
    const isPlain = Object.keys(beside).every((name) => annotations.has(name));
    schema = isPlain ? toKeywords(target) : { ...toKeywords(target), ...beside };
  }
  return { document, value: schema };
}

function toKeywords(value: unknown): Keywords {
  if (value === false) return { not: {} };
  return isKeywords(value) ? value : {};
}

function find(document: unknown, reference: string): unknown {
  if (reference === "#") return document;
  if (!reference.startsWith("#/")) return undefined;
  return resolvePointer(document, querystring.unescape(reference));
}

/** Whether a schema allows everything. */
export function saysNothing(part: Part): boolean {
  return keywordsOf(resolve(part)).length === 0;
}

/** Whether two schemas say the same of what is allowed, with all that they refer to. */
export function isSame(one: Part, other: Part): boolean {
  return isSameSchema(one, other, new Map(), 0);
}

/** The keywords in which two schemas differ. */
export function differingKeywords(one: Schema, other: Schema): string[] {
  return keywordsOf(one, other).filter(
    (name) => !isSame(partOf(one, { [name]: one.value[name] }), partOf(other, { [name]: other.value[name] })),
  );
}

type SeenPairs = Map<unknown, Set<unknown>>;

function isSameSchema(one: Part, other: Part, seen: SeenPairs, depth: number): boolean {
  if (depth > maxDepth) return false;
  const [a, b] = [resolve(one), resolve(other)];
  const met = seen.get(a.value) ?? new Set();
  // A schema may refer to itself, which adds nothing.
  if (met.has(b.value)) return true;
  seen.set(a.value, met.add(b.value));
  return keywordsOf(a, b).every((name) => {
    const [left, right] = [a.value[name], b.value[name]];
    if (sets.has(name)) return isDeepStrictEqual(toSet(left), toSet(right));
    const isMap = maps.has(name);
    return isSameValue(partOf(a, left), partOf(b, right), isMap, seen, depth + 1);
  });
}

function toSet(value: unknown): unknown {
  return Array.isArray(value) ? new Set(value) : value;
}

function isSameValue(one: Part, other: Part, isMap: boolean, seen: SeenPairs, depth: number): boolean {
  const [left, right] = [one.value, other.value];
  const isSameEntry = (a: unknown, b: unknown) =>
    a !== undefined && b !== undefined && isSameValue(partOf(one, a), partOf(other, b), false, seen, depth);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameEntry(item, right[index]));
  }
  if (!isKeywords(left) || !isKeywords(right)) return isDeepStrictEqual(left, right);
  if (!isMap) return isSameSchema(one, other, seen, depth);
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameEntry(left[name], right[name]))
  );
}
