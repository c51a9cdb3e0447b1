import { isDeepStrictEqual } from "node:util";
import { isAnnotation, type Schema, type SchemaDocument } from "./schema-document.ts";

/** Keywords whose value is a schema or a list of them. */
const withSchemas = new Set(
  (
    "allOf anyOf oneOf not if then else items prefixItems additionalItems contains additionalProperties " +
    "propertyNames unevaluatedItems unevaluatedProperties contentSchema"
  ).split(" "),
);
/** Keywords whose value is a map of schemas. */
const withMaps = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** Whether parts of two documents are the same, references followed and descriptions ignored. */
export class SameSchema {
  readonly #before: SchemaDocument;
  readonly #after: SchemaDocument;
  readonly #spend: () => void;
  /** Whether pairs are the same. Those in progress are supposed to be: a schema may refer to itself. */
  readonly #pairs = new Map<Schema, Map<Schema, boolean>>();
  /** Forgets the pairs that may be the same only because of what was supposed. */
  #forget: (() => void)[] = [];

  /** `spend`: called for each step, throws when there have been too many. */
  constructor(before: SchemaDocument, after: SchemaDocument, spend: () => void) {
    this.#before = before;
    this.#after = after;
    this.#spend = spend;
  }

  /** Whether the values of a keyword are the same; undefined: the schema does not have it. */
  isSameKeyword(keyword: string, before: unknown, after: unknown): boolean {
    const isSame = this.#isSameValue(keyword, before, after);
    if (!isSame) for (const forget of this.#forget) forget();
    this.#forget = [];
    return isSame;
  }

  #isSameValue(keyword: string, before: unknown, after: unknown): boolean {
    if (before === undefined || after === undefined) return before === after;
    if (withMaps.has(keyword)) return this.#isSameMap(before, after);
    if (!withSchemas.has(keyword)) return isDeepStrictEqual(before, after);
    if (!Array.isArray(before) || !Array.isArray(after)) return this.#isSame(before, after);
    return before.length === after.length && before.every((part, index) => this.#isSame(part, after[index]));
  }

  #isSameMap(before: unknown, after: unknown): boolean {
    if (!isMap(before) || !isMap(after)) return isDeepStrictEqual(before, after);
    const names = Object.keys(before);
    return (
      names.length === Object.keys(after).length &&
      names.every((name) => Object.hasOwn(after, name) && this.#isSame(before[name], after[name]))
    );
  }

  #isSame(before: unknown, after: unknown): boolean {
    this.#spend();
    if (typeof before === "boolean" || typeof after === "boolean") return before === after;
    const one = this.#before.resolve(before);
    const other = this.#after.resolve(after);
    if (one.kind === "reference" || other.kind === "reference") return false;
    const known = this.#pairs.get(one.schema) ?? new Map<Schema, boolean>();
    this.#pairs.set(one.schema, known);
    const earlier = known.get(other.schema);
    if (earlier !== undefined) return earlier;
    known.set(other.schema, true);
    const keywords = keywordsOf(one.schema, other.schema);
    const isSame = keywords.every((key) => this.#isSameValue(key, one.schema[key], other.schema[key]));
    if (isSame) this.#forget.push(() => known.delete(other.schema));
    else known.set(other.schema, false);
    return isSame;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The keywords of two schemas that may allow or forbid values. */
export function keywordsOf(before: Schema, after: Schema): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((keyword) => !isAnnotation(keyword));
}
