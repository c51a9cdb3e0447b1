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

const maxParts = 100_000;
/** With its references. The stack must not overflow. */
const maxDepth = 500;

/**
 * Returns a JSON Schema with resolved references and without annotations. Two results that are deeply equal allow the
 * same; two that differ may do so too. One that is too large stays as it is.
 */
export function expandSchema(document: unknown): unknown {
  const following = new Set<unknown>();
  let parts = 0;
  let depth = 0;

  function expand(value: unknown): unknown {
    parts += 1;
    if (parts > maxParts || depth > maxDepth) throw new TooLargeError();
    depth += 1;
    const expanded = Array.isArray(value) ? value.map(expand) : isObject(value) ? expandObject(value) : value;
    depth -= 1;
    return expanded;
  }

  function expandObject({ $ref: reference, ...others }: Schema): unknown {
    const keywords = Object.entries(others).filter(([name]) => !annotations.has(name));
    const expanded = Object.fromEntries(keywords.map(([name, value]) => [name, expandKeyword(name, value)]));
    if (reference === undefined) return expanded;
    const referenced = expandReference(reference);
    return keywords.length === 0 ? referenced : { allOf: [referenced, expanded] };
  }

  function expandReference(reference: unknown): unknown {
    // A schema may contain itself.
    if (following.has(reference)) return { $ref: reference };
    const definition = findDefinition(document, reference);
    // A reference to another file, for example, may mean anything. It equals another one only in an equal document.
    if (definition === undefined) return { $ref: [reference, document] };
    following.add(reference);
    const expanded = expand(definition);
    following.delete(reference);
    return expanded;
  }

  function expandKeyword(name: string, value: unknown): unknown {
    if (name === "const" || name === "enum") return value;
    // Where it leads depends on the whole document.
    if (name === "$dynamicRef") return [value, document];
    // Their order has no meaning.
    if (name === "required" && Array.isArray(value)) return value.toSorted();
    if (!namedParts.test(name) || !isObject(value)) return expand(value);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expand(part)]));
  }

  try {
    return expand(document);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return { $ref: [document] };
  }
}

class TooLargeError extends Error {}

function findDefinition(document: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) return undefined;
  // Unlike decodeURIComponent, it does not throw for a `%` that escapes nothing.
  return resolvePointer(document, querystring.unescape(reference));
}
