import querystring from "node:querystring";
import { Failure } from "../errors.ts";
import { isObject, resolvePointer } from "../text/json.ts";
import { text } from "../text/message.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Keywords without an effect on the allowed values: https://json-schema.org/draft/2020-12/json-schema-validation#section-9 */
// biome-ignore format: several a line
const annotations = new Set([
  "$schema", "$id", "$comment", "$anchor", "$defs", "definitions",
  "title", "description", "examples", "example", "default", "deprecated", "discriminator",
]);

/** Keywords whose value is an object with names of properties, and not keywords, as keys. */
const namedParts = /^(?:properties|patternProperties|dependentSchemas|dependentRequired|dependencies)$/;

const maxDepth = 200;
const maxParts = 100_000;

/**
 * Returns a JSON Schema with resolved references and without annotations. Two results that are deeply equal allow the
 * same; two that differ may do so too.
 *
 * @throws Failure if it is too large
 */
export function expandSchema(document: unknown): unknown {
  const following = new Set<unknown>();
  let parts = 0;

  function expand(value: unknown, depth: number): unknown {
    parts += 1;
    if (parts > maxParts || depth + following.size > maxDepth) {
      throw new Failure(text`A schema is too large.`, { hint: text`Compare it by hand.` });
    }
    if (Array.isArray(value)) return value.map((item) => expand(item, depth + 1));
    return isObject(value) ? expandObject(value, depth) : value;
  }

  function expandObject({ $ref: reference, ...others }: Schema, depth: number): unknown {
    const keywords = expandKeywords(others, depth);
    if (reference === undefined) return keywords;
    const referenced = expandReference(reference, depth);
    return Object.keys(keywords).length === 0 ? referenced : { allOf: [referenced, keywords] };
  }

  function expandReference(reference: unknown, depth: number): unknown {
    // A schema may contain itself.
    if (following.has(reference)) return { $ref: reference };
    const definition = findDefinition(document, reference);
    // A reference to another file, for example, may mean anything. It equals another one only in an equal document.
    if (definition === undefined) return { $ref: [reference, document] };
    following.add(reference);
    const expanded = expand(definition, depth);
    following.delete(reference);
    return expanded;
  }

  function expandKeywords(schema: Schema, depth: number): Schema {
    const keywords = Object.entries(schema).filter(([name]) => !annotations.has(name));
    return Object.fromEntries(keywords.map(([name, value]) => [name, expandKeyword(name, value, depth + 1)]));
  }

  function expandKeyword(name: string, value: unknown, depth: number): unknown {
    if (name === "const" || name === "enum") return value;
    if (name === "$dynamicRef" || name === "$recursiveRef") return [value, document];
    // Their order has no meaning.
    if (name === "required" && Array.isArray(value)) return expand(value.toSorted(), depth);
    if (!namedParts.test(name) || !isObject(value)) return expand(value, depth);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expand(part, depth)]));
  }

  return expand(document, 0);
}

function findDefinition(document: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return undefined;
  // Unlike decodeURIComponent, it does not throw for a `%` that escapes nothing.
  return resolvePointer(document, querystring.unescape(reference));
}
