import { isDeepStrictEqual } from "node:util";
import { asObject } from "../../text/json.ts";
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

/** Keywords that refer to a schema. */
const referring = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

/**
 * Whether parts of two documents say the same, word for word but for descriptions, with all that they refer to. What only has
 * another name is not the same: it is then compared, or reported as not compared.
 */
export class SameSchema {
  readonly #documents: readonly [SchemaDocument, SchemaDocument];
  readonly #spend: () => void;
  /** What the target of a reference refers to; undefined if it is not the same in both documents, or there is none. */
  readonly #targets = new Map<string, ReadonlySet<string> | undefined>();

  /** `spend`: called for each step, throws when there have been too many. */
  constructor(one: SchemaDocument, other: SchemaDocument, spend: () => void) {
    this.#documents = [one, other];
    this.#spend = spend;
  }

  /** Whether both are the same reference to the same. */
  isSameReference(one: unknown, other: unknown): boolean {
    const isReference = typeof asObject(one)?.$ref === "string";
    return isReference && this.#hasSameTargets(this.#referencesOfSame(one, other));
  }

  /** Whether the values of a keyword are the same; undefined: the schema does not have it. */
  isSameKeyword(keyword: string, one: unknown, other: unknown): boolean {
    return this.#hasSameTargets(this.#referencesOfSame({ [keyword]: one }, { [keyword]: other }));
  }

  #hasSameTargets(references: ReadonlySet<string> | undefined): boolean {
    if (references === undefined) return false;
    const all = new Set(references);
    for (const reference of all) {
      this.#spend();
      if (!this.#targets.has(reference)) {
        const [one, other] = this.#documents.map((document) => document.find(reference));
        const isMissing = one === undefined;
        this.#targets.set(reference, isMissing ? undefined : this.#referencesOfSame(one, other));
      }
      const further = this.#targets.get(reference);
      if (further === undefined) return false;
      for (const next of further) all.add(next);
    }
    return true;
  }

  /** What both schemas refer to directly; undefined if they differ. */
  #referencesOfSame(one: unknown, other: unknown): ReadonlySet<string> | undefined {
    const same = this.#withoutAnnotations(one);
    if (!isDeepStrictEqual(same, this.#withoutAnnotations(other))) return undefined;
    const references = new Set<string>();
    JSON.stringify(same, (key, value) => {
      if (referring.has(key) && typeof value === "string") references.add(value);
      return value;
    });
    return references;
  }

  #withoutAnnotations(part: unknown): unknown {
    this.#spend();
    const schema = asObject(part);
    if (schema === undefined) return part;
    const kept = Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword));
    return Object.fromEntries(kept.map(([keyword, value]) => [keyword, this.#valueOf(keyword, value)]));
  }

  #valueOf(keyword: string, value: unknown): unknown {
    const map = withMaps.has(keyword) ? asObject(value) : undefined;
    if (map !== undefined) {
      return Object.fromEntries(
        Object.entries(map).map(([name, part]) => [name, this.#withoutAnnotations(part)]),
      );
    }
    if (!withSchemas.has(keyword)) return value;
    return Array.isArray(value)
      ? value.map((part) => this.#withoutAnnotations(part))
      : this.#withoutAnnotations(value);
  }
}

export function keywordsOf(one: Schema, other: Schema): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
