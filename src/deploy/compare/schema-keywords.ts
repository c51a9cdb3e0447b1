import { asObject } from "../../text/json.ts";
import type { Schema } from "./schema-document.ts";

export function propertiesOf({ properties }: Schema): Readonly<Record<string, unknown>> {
  return asObject(properties) ?? {};
}

export function requiredOf({ required }: Schema): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

/**
 * The schema of the properties that an object does not name, if it says more than that there may be some: an object below
 * the root without `properties` is a map of anything.
 */
export function othersOf(schema: Schema, depth: number): unknown {
  const isMap = schema.properties === undefined && depth > 0;
  return schema.additionalProperties ?? (isMap ? true : undefined);
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
