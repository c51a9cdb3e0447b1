import querystring from "node:querystring";
import { isObject, resolvePointer } from "../text/json.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Keywords without an effect on the allowed values: https://json-schema.org/draft/2020-12/json-schema-validation#section-9 */
// biome-ignore format: several a line
const annotations = new Set([
  "$schema", "$id", "$comment", "$anchor", "$defs", "definitions",
  "title", "description", "examples", "example", "default", "deprecated", "discriminator",
]);

/** Keywords whose value is an object with names of properties, and not keywords, as keys. */
const namedParts = /^(?:properties|patternProperties|dependentSchemas|dependentRequired|dependencies)$/;

/** With all references, which may multiply. */
const maxParts = 100_000;

/**
 * Returns a JSON Schema with resolved references and without annotations. Two results that are deeply equal allow the
 * same; two that differ may do so too. One that is too large stays as it is.
 */
export function expandSchema(document: unknown): unknown {
  try {
    return new SchemaExpander(document).expand(document);
  } catch (error) {
    // Too many parts, or references that lead deeper than the stack.
    if (!(error instanceof RangeError)) throw error;
    return { $ref: [document] };
  }
}

class SchemaExpander {
  readonly #document: unknown;
  /** The references around the part that is being expanded. */
  readonly #following = new Set<unknown>();
  #partCount = 0;

  constructor(document: unknown) {
    this.#document = document;
  }

  /** @throws RangeError */
  expand(value: unknown): unknown {
    this.#partCount += 1;
    if (this.#partCount > maxParts) throw new RangeError("The schema is too large");
    if (Array.isArray(value)) return value.map((part) => this.expand(part));
    return isObject(value) ? this.#expandObject(value) : value;
  }

  #expandObject({ $ref: reference, ...others }: Schema): unknown {
    const keywords = Object.entries(others).filter(([name]) => !annotations.has(name));
    const expanded = Object.fromEntries(
      keywords.map(([name, value]) => [name, this.#expandKeyword(name, value)]),
    );
    if (reference === undefined) return expanded;
    const referenced = this.#expandReference(reference);
    return keywords.length === 0 ? referenced : { allOf: [referenced, expanded] };
  }

  #expandReference(reference: unknown): unknown {
    // A schema may contain itself.
    if (this.#following.has(reference)) return { $ref: reference };
    const definition = findDefinition(this.#document, reference);
    // A reference to another file, for example, may mean anything. It equals another one only in an equal document.
    if (definition === undefined) return { $ref: [reference, this.#document] };
    this.#following.add(reference);
    const expanded = this.expand(definition);
    this.#following.delete(reference);
    return expanded;
  }

  #expandKeyword(name: string, value: unknown): unknown {
    if (name === "const" || name === "enum") return value;
    // Where it leads depends on the whole document.
    if (name === "$dynamicRef") return [value, this.#document];
    // Their order has no meaning.
    if (name === "required" && Array.isArray(value)) return value.toSorted();
    if (!namedParts.test(name) || !isObject(value)) return this.expand(value);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.expand(part)]));
  }
}

function findDefinition(document: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return undefined;
  // Unlike decodeURIComponent, it does not throw for a `%` that escapes nothing.
  return resolvePointer(document, querystring.unescape(reference));
}
