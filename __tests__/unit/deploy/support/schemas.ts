import { compareSchemas } from "../../../../src/deploy/compare/compare-schemas.ts";
import type { SchemaFinding } from "../../../../src/deploy/compare/schema-comparison.ts";
import type { SchemaKind } from "../../../../src/results/comparison.ts";

/** Such as `question gone`, or `tags type string > integer`. */
function describeFinding({ path, difference }: SchemaFinding): string {
  const place = path.join(".");
  switch (difference.kind) {
    case "type":
      return `${place} ${difference.change} type ${difference.before} > ${difference.after}`;
    case "values":
      return `${place} ${difference.change} values ${difference.values.join()}`;
    case "keyword":
      return `${place} keyword ${difference.keyword}`;
    case "reference":
      return `${place} reference ${difference.reference}`;
    default:
      return `${place} ${difference.kind}`;
  }
}

export function differences(before: unknown, after: unknown, kind: SchemaKind): string[] {
  return compareSchemas(kind, before, after).map(describeFinding);
}

export const string = { type: "string" };
export const integer = { type: "integer" };
export const nullable = { anyOf: [string, { type: "null" }] };
export const oneOf = (...values: unknown[]) => ({ enum: values });
export const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
export const inP = (schema: unknown) => object({ p: schema });
