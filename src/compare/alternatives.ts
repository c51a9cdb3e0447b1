import { asObject, canonicalJson } from "../text/json.ts";
import type { Schema } from "./schema.ts";

const anything = "values of every type";

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
  // `{type: null}` and `{const: null}` allow the same.
  return type === "null" && hasOnly(schema, "type") ? [{ const: null }] : [schema];
}

/**
 * Compares alternatives as sets, each as a whole: from `string` to `string | null`, nothing is lost and `null` is added. From
 * `string` to `string` with a pattern, that is unclear. There may be thousands, so each is only looked up in the other set.
 */
export function compareAlternatives(before: readonly Schema[], after: readonly Schema[]) {
  const lost = uncovered(before, after);
  const added = uncovered(after, before);
  const surelyLost = withoutSimilar(lost, added);
  return { lost: surelyLost, added: withoutSimilar(added, lost), isUnclear: surelyLost.length < lost.length };
}

/** Returns those that others do not allow. A type covers its values, and `number` covers `integer`. */
function uncovered(alternatives: readonly Schema[], others: readonly Schema[]): readonly Schema[] {
  const same = new Set(others.map(canonicalJson));
  const wideTypes = typesOf(others.filter((other) => hasOnly(other, "type")));
  const covers = (wide: string, narrow: Schema) =>
    includes(wide, typeOf(narrow)) && (wide === anything || isPlain(narrow));
  return alternatives.filter(
    (schema) => !same.has(canonicalJson(schema)) && !wideTypes.some((wide) => covers(wide, schema)),
  );
}

/** Returns those that differ from each of the others in more than their keywords. */
function withoutSimilar(alternatives: readonly Schema[], others: readonly Schema[]): readonly Schema[] {
  const types = typesOf(others);
  const typesWithKeywords = typesOf(others.filter((other) => !isPlain(other)));
  return alternatives.filter((schema) => {
    const type = typeOf(schema);
    const candidates = isPlain(schema) ? typesWithKeywords : types;
    return !candidates.some((other) => includes(type, other) || includes(other, type));
  });
}

function typesOf(alternatives: readonly Schema[]): readonly string[] {
  return [...new Set(alternatives.map(typeOf))];
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

/** Returns the type of an alternative, or `values of every type`. */
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
