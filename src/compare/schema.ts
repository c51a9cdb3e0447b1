import querystring from "node:querystring";
import { Failure } from "../errors.ts";
import { isObject, resolvePointer } from "../text/json.ts";
import { text } from "../text/message.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Keywords that allow or forbid no value: https://json-schema.org/draft/2020-12/json-schema-validation#section-9 */
const annotations = new Set([
  ...["$schema", "$id", "$comment", "$anchor", "$defs", "definitions"],
  ...["title", "description", "examples", "example", "default", "deprecated", "discriminator"],
]);

/** The deepest schema that is read. No sensible one is deeper. */
const maxDepth = 200;
const maxParts = 100_000;

/**
 * Returns a JSON Schema with its references followed and without annotations, so that what is deeply equal allows the same.
 *
 * @throws Failure if it is too large
 */
export function expandSchema(document: unknown): unknown {
  /** The references that are being followed. */
  const following = new Set<string>();
  let parts = 0;

  function expand(value: unknown, depth: number): unknown {
    parts += 1;
    if (parts > maxParts || depth + following.size > maxDepth) {
      throw new Failure(text`A schema is too large.`, { hint: text`Compare it by hand.` });
    }
    if (Array.isArray(value)) return value.map((item) => expand(item, depth + 1));
    return isObject(value) ? expandReference(value, depth) : value;
  }

  function expandReference(schema: Schema, depth: number): unknown {
    const { $ref: reference, ...beside } = schema;
    const target = typeof reference === "string" ? find(document, reference) : undefined;
    // A schema may contain itself.
    if (typeof reference !== "string" || target === undefined || following.has(reference)) {
      return expandKeywords(schema, depth);
    }
    following.add(reference);
    const expanded = expand({ ...(isObject(target) && target), ...beside }, depth);
    following.delete(reference);
    return expanded;
  }

  function expandKeywords(schema: Schema, depth: number): Schema {
    const keywords = Object.entries(schema).filter(([name]) => !annotations.has(name));
    return Object.fromEntries(keywords.map(([name, value]) => [name, expandKeyword(name, value, depth + 1)]));
  }

  function expandKeyword(name: string, value: unknown, depth: number): unknown {
    if (name === "const" || name === "enum") return value;
    if (name !== "properties" || !isObject(value)) return expand(value, depth);
    // The names of properties are no keywords.
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expand(part, depth)]));
  }

  return expand(document, 0);
}

function find(document: unknown, reference: string): unknown {
  return /^#(\/|$)/.test(reference) ? resolvePointer(document, querystring.unescape(reference)) : undefined;
}
