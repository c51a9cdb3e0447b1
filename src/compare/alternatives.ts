import { isDeepStrictEqual } from "node:util";
import { isSame, keywordsOf, type Part, partOf, resolve, type Schema } from "./schema.ts";

const anything = "any value";

/** One of the kinds of values that a schema allows. */
export interface Alternative {
  /** Of JSON, or `any value`. */
  readonly type: string;
  /** A value that is allowed, and what stands for a type alone. */
  readonly plain: "type" | { readonly value: unknown } | undefined;
  readonly schema: Schema;
}

/**
 * What a schema allows, by its unions, types and listed values. A union that other keywords restrict stays whole. `seen`: a
 * union may refer to itself, which adds nothing.
 */
export function alternativesOf(part: Part, seen: Set<unknown> = new Set()): readonly Alternative[] {
  if (seen.has(part.value)) return [];
  seen.add(part.value);
  const schema = resolve(part);
  const members = membersOf(schema);
  return members?.flatMap((member) => alternativesOf(partOf(schema, member), seen)) ?? byType(schema);
}

function membersOf(schema: Schema): readonly unknown[] | undefined {
  const [name, ...others] = keywordsOf(schema);
  if (others.length > 0 || (name !== "anyOf" && name !== "oneOf")) return undefined;
  const members = schema.value[name];
  return Array.isArray(members) ? members : undefined;
}

function byType(schema: Schema): Alternative[] {
  const { type, enum: listed } = schema.value;
  const names = keywordsOf(schema);
  const values = "const" in schema.value ? [schema.value.const] : listed;
  if (Array.isArray(values) && names.every((name) => ["type", "enum", "const"].includes(name))) {
    return values.map((value: unknown) => ({ type: typeOf(value), plain: { value }, schema }));
  }
  if (!Array.isArray(type)) return [whole(schema)];
  return type.map((one) => whole({ ...schema, value: { ...schema.value, type: one } }));
}

function whole(schema: Schema): Alternative {
  const { type, properties, items } = schema.value;
  const isBare = keywordsOf(schema).every((name) => name === "type");
  const implied = properties !== undefined ? "object" : items !== undefined ? "array" : anything;
  return { type: typeof type === "string" ? type : implied, plain: isBare ? "type" : undefined, schema };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** What of each side the other lacks. `unclear`: whether some of it may be the same with other keywords. */
export interface Difference {
  readonly lost: readonly Alternative[];
  readonly added: readonly Alternative[];
  readonly isUnclear: boolean;
}

/** Compares what schemas allow as sets, each alternative whole. */
export function compareAlternatives(
  before: readonly Alternative[],
  after: readonly Alternative[],
): Difference {
  const lost = before.filter((one) => !after.some((other) => covers(other, one)));
  const added = after.filter((one) => !before.some((other) => covers(other, one)));
  // With nothing on the other side, an alternative is gone or new. Otherwise it may have been changed into another.
  const isClear = (one: Alternative, others: readonly Alternative[]) =>
    others.every((other) => !overlap(one, other) || (one.plain && other.plain));
  const surelyLost = lost.filter((one) => isClear(one, added));
  const surelyAdded = added.filter((one) => isClear(one, lost));
  const isUnclear = surelyLost.length < lost.length || surelyAdded.length < added.length;
  return { lost: surelyLost, added: surelyAdded, isUnclear };
}

/** Whether `wide` allows all that `narrow` allows, as far as this can be told without a look into either. */
function covers(wide: Alternative, narrow: Alternative): boolean {
  if (wide.plain === "type" && (narrow.plain || wide.type === anything))
    return includes(wide.type, narrow.type);
  if (typeof wide.plain === "object" || typeof narrow.plain === "object") {
    return isDeepStrictEqual(wide.plain, narrow.plain);
  }
  return isSame(wide.schema, narrow.schema);
}

function includes(wide: string, narrow: string): boolean {
  return wide === narrow || wide === anything || (wide === "number" && narrow === "integer");
}

function overlap({ type: one }: Alternative, { type: other }: Alternative): boolean {
  return includes(one, other) || includes(other, one);
}

/** What people call an alternative: its type, or its value as JSON. */
export function labelOf({ type, plain }: Alternative): string {
  return typeof plain === "object" ? JSON.stringify(plain.value) : type;
}
