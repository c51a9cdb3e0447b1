import type { SchemaObstacle } from "../../results/comparison.ts";
import { isAnnotation, type Schema, type SchemaDocument } from "./schema-document.ts";

/** A schema for values of one JSON type, or (undefined) of any. */
export interface Alternative {
  readonly type: string | undefined;
  /** The only valid values, as JSON; undefined if the schema lists none. */
  readonly values: readonly string[] | undefined;
  readonly schema: Schema;
}

/** What a schema allows, or why it can't be taken apart. */
type Alternatives =
  | { readonly kind: "alternatives"; readonly alternatives: readonly Alternative[] }
  | Extract<SchemaObstacle, { kind: "keyword" | "reference" }>;

const unions = ["anyOf", "oneOf"] as const;
/** More than any sensible schema has, nested ones included. */
const maxAlternatives = 200;

/** Takes a schema apart by `type`, `enum`, `const`, `anyOf` and `oneOf`. */
export function alternativesOf(schema: Schema, document: SchemaDocument): Alternatives {
  const found: Alternative[] = [];
  // A union may refer to itself: that adds nothing.
  const queue = new Set([schema]);
  for (const next of queue) {
    // Which types are valid is then unknown.
    if ("allOf" in next && !("type" in next)) return { kind: "keyword", keyword: "allOf" };
    const union = unions.find((keyword) => keyword in next);
    if (union === undefined) found.push(...byType(next));
    const parts = union === undefined ? [] : partsOf(next, union);
    if (parts === undefined || found.length + queue.size > maxAlternatives) {
      return { kind: "keyword", keyword: union ?? "type" };
    }
    for (const part of parts) {
      const resolved = document.resolve(part);
      if (resolved.kind === "reference") return resolved;
      queue.add(resolved.schema);
    }
  }
  return { kind: "alternatives", alternatives: found };
}

/** The alternatives of a union; undefined if keywords beside it restrict them, which `default` does not. */
function partsOf(schema: Schema, union: (typeof unions)[number]): readonly unknown[] | undefined {
  const others = Object.keys(schema).filter((key) => ![union, "default"].includes(key) && !isAnnotation(key));
  const parts = schema[union];
  return others.length === 0 && Array.isArray(parts) ? parts : undefined;
}

/** A schema without a union, once for each of its types. */
function byType(schema: Schema): Alternative[] {
  const values = valuesOf(schema);
  const types = typesOf(schema);
  if (values === undefined) {
    if (types === undefined) return [{ type: undefined, values, schema }];
    return types.map((type) => ({ type, values, schema }));
  }
  const valid = values.filter((value) => types === undefined || types.some((type) => isOfType(value, type)));
  const present = [...new Set(valid.map(jsonTypeOf))];
  return present.map((type) => ({
    type,
    values: valid.filter((value) => jsonTypeOf(value) === type).map((value) => JSON.stringify(value)),
    schema,
  }));
}

function typesOf({ type }: Schema): string[] | undefined {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === "string") : undefined;
}

function valuesOf(schema: Schema): unknown[] | undefined {
  if ("const" in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function isOfType(value: unknown, type: string): boolean {
  return covers(type, jsonTypeOf(value));
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Whether each value of a type is one of another type too. Undefined: any type. */
export function covers(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (wide === "number" && narrow === "integer");
}

/** The listed values of an alternative that none of the candidates allow; `some` if it has no list but they have. */
export function rejectedValues(
  { values }: Alternative,
  candidates: readonly Alternative[],
): readonly string[] | "some" {
  if (candidates.some((candidate) => candidate.values === undefined)) return [];
  if (values === undefined) return candidates.length === 0 ? [] : "some";
  const allowed = new Set(candidates.flatMap((candidate) => candidate.values ?? []));
  return values.filter((value) => !allowed.has(value));
}

/** The types for people, such as `string or null`. */
export function describeTypes(alternatives: readonly Alternative[]): string {
  if (alternatives.length === 0) return "nothing";
  const names = alternatives.map(({ type = "any", values }) =>
    values === undefined || type === "null" ? type : `${type} of ${values.length} values`,
  );
  return [...new Set(names)].join(" or ");
}

/** The alternatives, the one at this place first: usually it is the same one. */
export function inFirstPlace(alternatives: readonly Alternative[], index: number): readonly Alternative[] {
  const same = alternatives[index];
  return same === undefined ? alternatives : [same, ...alternatives.filter((one) => one !== same)];
}
