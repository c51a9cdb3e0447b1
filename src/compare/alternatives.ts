import { asObject, canonicalJson } from "../text/json.ts";
import type { Schema } from "./expand-schema.ts";

/** One of the alternatives of a schema: `string | null`, for example, has two. */
export interface Alternative {
  readonly schema: Schema;
  /** The type of its values, or `values of every type`. */
  readonly type: string;
  /** Which values of the type are allowed: all, a single one, or those that other keywords allow (`restricted`). */
  readonly extent: "whole" | "value" | "restricted";
  /** Its name in messages. */
  readonly label: string;
}

type Alternatives = readonly Alternative[];

const anyType = "values of every type";

/** Splits an expanded schema by its union, types or listed values. */
export function alternativesOf(value: unknown): Alternatives {
  if (value === false) return [];
  const schema = asObject(value) ?? {};
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union) && Object.keys(schema).length === 1) return union.flatMap(alternativesOf);
  const values = "const" in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values) && hasOnly(schema, "type", "enum", "const")) return values.map(singleValue);
  const { type } = schema;
  if (Array.isArray(type)) return type.flatMap((name: unknown) => alternativesOf({ ...schema, type: name }));
  const isWhole = hasOnly(schema, "type");
  // `{type: null}` and `{const: null}` allow the same.
  if (isWhole && type === "null") return [singleValue(null)];
  const name = typeof type === "string" ? type : anyType;
  return [{ schema, type: name, extent: isWhole ? "whole" : "restricted", label: name }];
}

function hasOnly(schema: Schema, ...names: readonly string[]): boolean {
  return Object.keys(schema).every((name) => names.includes(name));
}

function singleValue(value: unknown): Alternative {
  return { schema: { const: value }, type: typeOf(value), extent: "value", label: JSON.stringify(value) };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/**
 * Compares alternatives as sets, each as a whole:
 * - From `string` to `string | null`, nothing is lost, and `null` is added.
 * - From `"a" | "b"` to `string`, nothing is lost, and `string` is added.
 * - From `string` to `string` with a pattern, the effect is unclear. So it is between two objects with different properties.
 */
export function compareAlternatives(before: Alternatives, after: Alternatives) {
  const missing = withoutCovered(before, after);
  const extra = withoutCovered(after, before);
  const lost = missing.filter((one) => !extra.some((other) => isSimilar(one, other)));
  const added = extra.filter((one) => !missing.some((other) => isSimilar(one, other)));
  return { lost, added, isUnclear: lost.length < missing.length };
}

/** Returns the alternatives that the others do not allow. */
function withoutCovered(alternatives: Alternatives, others: Alternatives): Alternatives {
  // There may be thousands of listed values.
  const same = new Set(others.map(({ schema }) => canonicalJson(schema)));
  const wholeTypes = others.filter(({ extent }) => extent === "whole");
  return alternatives.filter(
    (one) => !same.has(canonicalJson(one.schema)) && !wholeTypes.some((whole) => covers(whole, one)),
  );
}

/** Whether a whole type allows an alternative. It also allows a restricted one, but such a change is checked by hand. */
function covers(whole: Alternative, { type, extent }: Alternative): boolean {
  return whole.type === anyType || (extent !== "restricted" && includes(whole.type, type));
}

/** Whether two alternatives may be the same one, with keywords that changed. */
function isSimilar(one: Alternative, other: Alternative): boolean {
  const isRestricted = one.extent === "restricted" || other.extent === "restricted";
  return isRestricted && (includes(one.type, other.type) || includes(other.type, one.type));
}

function includes(wide: string, narrow: string): boolean {
  return wide === narrow || wide === anyType || (wide === "number" && narrow === "integer");
}
