import type { SchemaObstacle } from "../../results/comparison.ts";
import { type Alternative, covers, overlapOf, type Spend } from "./overlap.ts";
import { isAnnotation, type Schema, type SchemaDocument } from "./schema-document.ts";
import { valuesOf } from "./schema-keywords.ts";

/** What a schema allows, or why it can't be taken apart. */
type Alternatives =
  | {
      readonly kind: "alternatives";
      readonly alternatives: readonly Alternative[];
      /** Whether a value of a `oneOf` may be valid twice if it lacks an optional property, which tells its objects apart. */
      readonly needsTag: boolean;
    }
  | Obstacle;

type Obstacle = Extract<SchemaObstacle, { kind: "keyword" | "reference" }>;

const unions = ["anyOf", "oneOf"] as const;
/** More than any sensible schema has, nested ones included. */
const maxAlternatives = 200;

/** Takes a schema apart by `type`, `enum`, `const`, `anyOf` and `oneOf`. */
export function alternativesOf(schema: Schema, document: SchemaDocument, spend: Spend): Alternatives {
  const parts = flatten(schema, document);
  if (!("schemas" in parts)) return parts;
  const { alternatives } = parts;
  if (!parts.schemas.some((one) => "oneOf" in one)) {
    return { kind: "alternatives", alternatives, needsTag: false };
  }
  const overlap = parts.isRepeated ? "always" : overlapOf(alternatives, document, spend);
  if (overlap === "always") return { kind: "keyword", keyword: "oneOf" };
  return { kind: "alternatives", alternatives, needsTag: overlap === "without_tag" };
}

interface Parts {
  readonly schemas: readonly Schema[];
  readonly alternatives: readonly Alternative[];
  /** Whether one of them is there twice. */
  readonly isRepeated: boolean;
}

/** A schema with the parts of its unions, and those of their unions. */
function flatten(schema: Schema, document: SchemaDocument): Parts | Obstacle {
  // A union may refer to itself: that adds nothing.
  const queue = new Set([schema]);
  const alternatives: Alternative[] = [];
  let isRepeated = false;
  for (const next of queue) {
    const parts = partsOf(next);
    if (typeof parts === "string") return { kind: "keyword", keyword: parts };
    if (unionOf(next) === undefined) alternatives.push(...byType(next));
    if (alternatives.length + queue.size > maxAlternatives) {
      return { kind: "keyword", keyword: unionOf(next) ?? "type" };
    }
    for (const part of parts) {
      const resolved = document.resolve(part);
      if (resolved.kind === "reference") return resolved;
      isRepeated ||= queue.has(resolved.schema);
      queue.add(resolved.schema);
    }
  }
  return { schemas: [...queue], alternatives, isRepeated };
}

function unionOf(schema: Schema): "anyOf" | "oneOf" | undefined {
  return unions.find((keyword) => keyword in schema);
}

/**
 * The alternatives of a union, none if the schema is no union, or the keyword that prevents taking it apart: a union that
 * keywords beside it restrict, which `default` does not, or `allOf` alone, which does not show the types.
 */
function partsOf(schema: Schema): readonly unknown[] | string {
  const union = unionOf(schema);
  if (union === undefined) return "allOf" in schema && !("type" in schema) ? "allOf" : [];
  const others = Object.keys(schema).filter((key) => ![union, "default"].includes(key) && !isAnnotation(key));
  const parts = schema[union];
  return others.length === 0 && Array.isArray(parts) ? parts : union;
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

function isOfType(value: unknown, type: string): boolean {
  return covers(type, jsonTypeOf(value));
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** The listed values of an alternative that none of the candidates allow; `some` if it has no list but they have. */
export function rejectedValues(
  { values }: Alternative,
  candidates: readonly Alternative[],
): readonly string[] | "some" {
  if (candidates.some((candidate) => candidate.values === undefined)) return [];
  if (values === undefined) return "some";
  const allowed = new Set(candidates.flatMap((candidate) => candidate.values ?? []));
  return values.filter((value) => !allowed.has(value));
}

const maxNamedValues = 3;

/** The types for people, such as `string or null` or `string ("a", "b")`. */
export function describeTypes(alternatives: readonly Alternative[]): string {
  if (alternatives.length === 0) return "nothing";
  const names = alternatives.map(({ type = "any", values }) => {
    if (values === undefined || type === "null") return type;
    return `${type} (${values.length > maxNamedValues ? `${values.length} values` : values.join(", ")})`;
  });
  return [...new Set(names)].join(" or ");
}

/** The alternatives, the one at this place first: usually it is the same one. */
export function inFirstPlace(alternatives: readonly Alternative[], index: number): readonly Alternative[] {
  const same = alternatives[index];
  return same === undefined ? alternatives : [same, ...alternatives.filter((one) => one !== same)];
}
