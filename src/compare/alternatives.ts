import { isDeepStrictEqual } from "node:util";
import { asObject } from "../text/json.ts";
import type { Schema } from "./schema.ts";

const anything = "any value";

/** Splits an expanded schema into alternatives by its union, types or listed values. */
export function alternativesOf(value: unknown): readonly Schema[] {
  if (value === false) return [];
  const schema = asObject(value) ?? {};
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union) && Object.keys(schema).length === 1) return union.flatMap(alternativesOf);
  const values = "const" in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values) && hasOnly(schema, "type", "enum", "const")) {
    return values.map((listed: unknown) => ({ const: listed }));
  }
  const { type } = schema;
  if (Array.isArray(type)) return type.flatMap((name: unknown) => alternativesOf({ ...schema, type: name }));
  // The type has one value, and schemas name either.
  return type === "null" && hasOnly(schema, "type") ? [{ const: null }] : [schema];
}

/** The alternatives that only one side allows. `isUnclear`: whether others may be the same with changed keywords. */
interface AlternativesDifference {
  readonly lost: readonly Schema[];
  readonly added: readonly Schema[];
  readonly isUnclear: boolean;
}

/** Compares alternatives as sets, each as a whole. */
export function compareAlternatives(
  before: readonly Schema[],
  after: readonly Schema[],
): AlternativesDifference {
  const lost = before.filter((earlier) => !after.some((later) => covers(later, earlier)));
  const added = after.filter((later) => !before.some((earlier) => covers(earlier, later)));
  const surelyLost = lost.filter((earlier) => !added.some((later) => mayBecome(earlier, later)));
  const surelyAdded = added.filter((later) => !lost.some((earlier) => mayBecome(earlier, later)));
  return { lost: surelyLost, added: surelyAdded, isUnclear: surelyLost.length < lost.length };
}

/** Whether `wide` allows everything that `narrow` does. A type covers its values, and `number` covers `integer`. */
function covers(wide: Schema, narrow: Schema): boolean {
  if (isDeepStrictEqual(wide, narrow)) return true;
  const wideType = typeOf(wide);
  if (!hasOnly(wide, "type") || !includes(wideType, typeOf(narrow))) return false;
  return wideType === anything || isPlain(narrow);
}

/** Whether the difference of two alternatives may be only in their keywords. */
function mayBecome(before: Schema, after: Schema): boolean {
  const [typeBefore, typeAfter] = [typeOf(before), typeOf(after)];
  const overlap = includes(typeBefore, typeAfter) || includes(typeAfter, typeBefore);
  return overlap && !(isPlain(before) && isPlain(after));
}

/** Whether an alternative is a type or a value, and no more. */
function isPlain(schema: Schema): boolean {
  return hasOnly(schema, "type") || "const" in schema;
}

function hasOnly(schema: Schema, ...names: readonly string[]): boolean {
  return Object.keys(schema).every((name) => names.includes(name));
}

function includes(wide: string, narrow: string): boolean {
  return wide === narrow || wide === anything || (wide === "number" && narrow === "integer");
}

/** Returns the type of an alternative, or `any value`. */
export function typeOf({ type, ...others }: Schema): string {
  if (!("const" in others)) return typeof type === "string" ? type : anything;
  if (others.const === null) return "null";
  if (Array.isArray(others.const)) return "array";
  return Number.isInteger(others.const) ? "integer" : typeof others.const;
}

/** Returns the name of an alternative in messages: its type, or its value as JSON. */
export function labelOf(schema: Schema): string {
  return "const" in schema ? JSON.stringify(schema.const) : typeOf(schema);
}
