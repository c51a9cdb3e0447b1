import { asObject } from "../../text/json.ts";
import { type Schema, saysNothing } from "./schema-document.ts";

export function propertiesOf({ properties }: Schema): Readonly<Record<string, unknown>> {
  return asObject(properties) ?? {};
}

export function requiredOf({ required }: Schema): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

/**
 * The schema of the properties that an object does not name, or undefined: an object that names some and only allows more
 * gets new ones like any other. One that names none is a map of anything, but at the root only if it says so.
 */
export function othersOf({ additionalProperties: others, properties }: Schema, depth: number): unknown {
  if (others === false || !saysNothing(others)) return others;
  return properties === undefined && (depth > 0 || others !== undefined) ? true : undefined;
}

/** A keyword that may say something of properties that an object does not name. */
export function keywordOnOthers(schema: Schema): string | undefined {
  return ["patternProperties", "unevaluatedProperties", "allOf"].find((keyword) => keyword in schema);
}

/** The only values that a schema may allow; undefined if it lists none. */
export function valuesOf(schema: Schema): unknown[] | undefined {
  if ("const" in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}
