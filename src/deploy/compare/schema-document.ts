import type { SchemaObstacle } from "../../results/comparison.ts";
import { asObject, resolvePointer } from "../../text/json.ts";

/** A JSON Schema, or an unresolvable reference in its place. */
type Resolved =
  | { readonly kind: "schema"; readonly schema: Schema }
  | Extract<SchemaObstacle, { kind: "reference" }>;

/** The keywords of a schema. The same part of a document is always the same object. */
export type Schema = Readonly<Record<string, unknown>>;

/** They describe, and allow or forbid no value: https://json-schema.org/draft/2020-12/json-schema-validation#section-9 */
const annotations = new Set([
  ...["$schema", "$id", "$comment", "$anchor", "$defs", "definitions"],
  ...["title", "description", "examples", "example", "deprecated", "discriminator"],
]);

export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword);
}

/** Keywords whose effect depends on those in the same schema, such as `additionalProperties` on `properties`. */
const dependent = /(properties|items|contains)$|^(if|then|else)$/i;

const anything: Schema = {};
const nothing: Schema = { enum: [] };
const maxReferences = 100;

/** A document with a JSON Schema at its root, to which its references refer. */
export class SchemaDocument {
  readonly root: unknown;
  /** Merged schemas, so that the same part stays the same object. */
  readonly #merged = new WeakMap<Schema, Schema>();

  constructor(root: unknown) {
    this.root = root;
  }

  /** A part of the document, with `$ref` followed to the end: the schema there, with the keywords beside each `$ref` added. */
  resolve(part: unknown): Resolved {
    let current = part;
    const beside: Schema[] = [];
    for (let count = 0; count < maxReferences; count += 1) {
      const schema = toSchema(current);
      const { $ref: reference } = schema;
      if (typeof reference !== "string") return this.#merge(schema, beside, part);
      const own = Object.entries(schema).filter(([key]) => key !== "$ref" && !isAnnotation(key));
      if (own.length > 0) beside.push(Object.fromEntries(own));
      const target = this.find(reference);
      if (target === undefined) return { kind: "reference", reference };
      current = target;
    }
    return { kind: "reference", reference: "a circle of $ref" };
  }

  /** What a reference refers to; undefined if that is not in this document. */
  find(reference: string): unknown {
    if (reference === "#") return this.root;
    if (!reference.startsWith("#/")) return undefined;
    try {
      return resolvePointer(this.root, decodeURIComponent(reference));
    } catch {
      // Not percent-encoded.
      return resolvePointer(this.root, reference);
    }
  }

  #merge(schema: Schema, beside: readonly Schema[], part: unknown): Resolved {
    if (beside.length === 0) return { kind: "schema", schema };
    const known = this.#merged.get(toSchema(part));
    if (known !== undefined) return { kind: "schema", schema: known };
    const all = [schema, ...beside];
    const keywords = beside.flatMap(Object.keys);
    // A keyword that is there twice restricts twice, which is compared like any other keyword.
    const isTwice = new Set(keywords).size < keywords.length || keywords.some((key) => key in schema);
    const canMerge = !isTwice && !keywords.some((key) => dependent.test(key));
    const merged: Schema = canMerge ? Object.assign({}, ...all) : { allOf: all };
    this.#merged.set(toSchema(part), merged);
    return { kind: "schema", schema: merged };
  }
}

function toSchema(part: unknown): Schema {
  if (part === false) return nothing;
  return isSchema(part) ? part : anything;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

/** Whether a schema allows everything, and so says nothing. */
export function saysNothing(schema: unknown): boolean {
  const keywords = asObject(schema);
  return keywords === undefined || Object.keys(keywords).every(isAnnotation);
}

/** How many keywords and members of their lists a schema has. */
export function sizeOf(schema: Schema): number {
  return Object.values(schema).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
}
