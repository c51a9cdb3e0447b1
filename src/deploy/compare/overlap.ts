import type { Schema, SchemaDocument } from "./schema-document.ts";
import { propertiesOf, requiredOf, valuesOf } from "./schema-keywords.ts";

/** Counts steps. @throws TooLarge if there have been too many */
export type Spend = (count: number) => void;

type Overlap = "never" | "without_tag" | "always";

/** A schema for values of one JSON type, or (undefined) of any. */
export interface Alternative {
  readonly type: string | undefined;
  /** The only valid values, as JSON; undefined if the schema lists none. */
  readonly values: readonly string[] | undefined;
  readonly schema: Schema;
}

interface Tagged extends Alternative {
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly required: ReadonlySet<string>;
}

/**
 * Whether a value may be valid for two alternatives, as far as their types, listed values and constant properties show.
 * `without_tag`: only one that lacks an optional property that would tell them apart.
 */
export function overlapOf(
  alternatives: readonly Alternative[],
  document: SchemaDocument,
  spend: Spend,
): Overlap {
  const all = alternatives.map((alternative) => ({
    ...alternative,
    tags: tagsOf(alternative.schema, document, spend),
    required: requiredOf(alternative.schema),
  }));
  const overlaps = all.flatMap((one, index) =>
    all.slice(index + 1).map((other) => {
      spend(1 + one.tags.size);
      return overlapOfTwo(one, other);
    }),
  );
  return (["always", "without_tag"] as const).find((overlap) => overlaps.includes(overlap)) ?? "never";
}

function overlapOfTwo(one: Tagged, other: Tagged): Overlap {
  if (!covers(one.type, other.type) && !covers(other.type, one.type)) return "never";
  if (isDisjoint(one.values, other.values)) return "never";
  if (one.type !== "object" || other.type !== "object") return "always";
  const tags = [...one.tags].filter(([name, values]) => isDisjoint(values, other.tags.get(name)));
  if (tags.length === 0) return "always";
  return tags.some(([name]) => one.required.has(name) && other.required.has(name)) ? "never" : "without_tag";
}

/** The properties of an object with listed values, such as `"kind": { "const": "cat" }`. */
function tagsOf(schema: Schema, document: SchemaDocument, spend: Spend): Map<string, readonly string[]> {
  const properties = Object.entries(propertiesOf(schema));
  spend(properties.length);
  return new Map(
    properties.flatMap(([name, part]) => {
      const resolved = document.resolve(part);
      const values = resolved.kind === "schema" ? valuesOf(resolved.schema) : undefined;
      return values === undefined ? [] : [[name, values.map((value) => JSON.stringify(value))] as const];
    }),
  );
}

function isDisjoint(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return !one.some((value) => other.includes(value));
}

/** Whether each value of a type is one of another type too. Undefined: any type. */
export function covers(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (wide === "number" && narrow === "integer");
}
