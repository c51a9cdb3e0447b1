import { asObject } from "../../../../src/text/json.ts";

const ofType: Readonly<Record<string, readonly unknown[]>> = {
  string: ["", "x", "yy"],
  integer: [1, 0, -1, 2, 100],
  number: [1, 0.5, -1],
  boolean: [true],
  null: [null],
};
const anything = [1, "x", null, {}, { a: 1 }, { a: "x" }, [], [1], ["x"]];
const names = ["a", "b", "c"];

/**
 * Some values that a part of a schema allows, or nearly: those who send them know only the properties that it names, and always
 * send the `kind` of a `oneOf`.
 */
export function valuesOf(part: unknown, root: object, inOneOf = false): unknown[] {
  const schema = asObject(part) ?? {};
  if (typeof schema.$ref === "string") {
    return valuesOf(asObject(asObject(root)?.$defs)?.[schema.$ref.slice(8)], root, inOneOf);
  }
  for (const [keyword, isOneOf] of [
    ["anyOf", inOneOf],
    ["oneOf", true],
  ] as const) {
    const union = schema[keyword];
    if (Array.isArray(union)) return union.flatMap((one) => valuesOf(one, root, isOneOf)).slice(0, 60);
  }
  if ("const" in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.type === undefined) return anything;
  return [schema.type].flat().flatMap((type): readonly unknown[] => {
    if (type === "object") return objectsOf(schema, root, inOneOf);
    if (type === "array") return [[], ...valuesOf(schema.items, root).map((value) => [value])];
    return ofType[String(type)] ?? [];
  });
}

function objectsOf(schema: object, root: object, inOneOf: boolean): object[] {
  const { properties, additionalProperties } = asObject(schema) ?? {};
  // Who may send more than is named sends it only if nothing is named.
  const isOpen = properties === undefined;
  const own = asObject(properties) ?? {};
  const parts = Object.entries({
    ...(isOpen && Object.fromEntries(names.map((name) => [name, additionalProperties ?? true]))),
    ...own,
  }).map(([name, part]) => [name, valuesOf(part, root).slice(0, 8)] as const);
  const whole = Object.fromEntries(
    parts
      .filter(([name, values]) => name in own && values.length > 0)
      .map(([name, [first]]) => [name, first]),
  );
  const changed = parts.flatMap(([name, values]) => values.map((value) => ({ ...whole, [name]: value })));
  const without = Object.keys(whole)
    .filter((name) => !(inOneOf && name === "kind"))
    .map((left) => Object.fromEntries(Object.entries(whole).filter(([name]) => name !== left)));
  return [whole, ...changed, ...without];
}
