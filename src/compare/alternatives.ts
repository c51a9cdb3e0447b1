import { isDeepStrictEqual } from "node:util";
import { isObject } from "../text/json.ts";
import type { Schema } from "./schema.ts";

const anything = "any value";

/** What an expanded schema allows, by its unions, types and listed values. A union that other keywords restrict stays whole. */
export function alternativesOf(value: unknown): readonly Schema[] {
  const schema = isObject(value) ? value : value === false ? { not: {} } : {};
  const { anyOf, oneOf, type, enum: listed } = schema;
  const names = Object.keys(schema);
  const members = names.length === 1 ? (anyOf ?? oneOf) : undefined;
  if (Array.isArray(members)) return members.flatMap(alternativesOf);
  const values = "const" in schema ? [schema.const] : listed;
  if (Array.isArray(values) && names.every((name) => ["type", "enum", "const"].includes(name))) {
    return values.map((one: unknown) => ({ const: one }));
  }
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : [schema];
}

/** What only one side allows. `isUnclear`: whether some of it may be the same with other keywords. */
interface AlternativesDifference {
  readonly lost: readonly Schema[];
  readonly added: readonly Schema[];
  readonly isUnclear: boolean;
}

/** Compares alternatives as sets, each whole. */
export function compareAlternatives(
  before: readonly Schema[],
  after: readonly Schema[],
): AlternativesDifference {
  const lost = before.filter((one) => !after.some((other) => covers(other, one)));
  const added = after.filter((one) => !before.some((other) => covers(other, one)));
  // An alternative may have been changed into another of its type.
  const isClear = (one: Schema, others: readonly Schema[]) =>
    others.every((other) => !overlap(typeOf(one), typeOf(other)) || (isPlain(one) && isPlain(other)));
  const surelyLost = lost.filter((one) => isClear(one, added));
  const surelyAdded = added.filter((one) => isClear(one, lost));
  const isUnclear = surelyLost.length < lost.length || surelyAdded.length < added.length;
  return { lost: surelyLost, added: surelyAdded, isUnclear };
}

function covers(wide: Schema, narrow: Schema): boolean {
  const isTypeOf = isBare(wide) && includes(typeOf(wide), typeOf(narrow));
  return isDeepStrictEqual(wide, narrow) || (isTypeOf && (isPlain(narrow) || typeOf(wide) === anything));
}

/** Whether an alternative is a type or a value, and no more. */
function isPlain(schema: Schema): boolean {
  return isBare(schema) || isValue(schema);
}

function isBare(schema: Schema): boolean {
  return Object.keys(schema).every((name) => name === "type");
}

function isValue(schema: Schema): boolean {
  return isDeepStrictEqual(Object.keys(schema), ["const"]);
}

function includes(wide: string, narrow: string): boolean {
  return wide === narrow || wide === anything || (wide === "number" && narrow === "integer");
}

function overlap(one: string, other: string): boolean {
  return includes(one, other) || includes(other, one);
}

/** The type of an alternative, or `any value`. */
export function typeOf(schema: Schema): string {
  if (isValue(schema)) return typeOfValue(schema.const);
  if (typeof schema.type === "string") return schema.type;
  if (schema.properties !== undefined) return "object";
  return schema.items === undefined ? anything : "array";
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** What people call an alternative: its type, or its value as JSON. */
export function labelOf(schema: Schema): string {
  return isValue(schema) ? JSON.stringify(schema.const) : typeOf(schema);
}
