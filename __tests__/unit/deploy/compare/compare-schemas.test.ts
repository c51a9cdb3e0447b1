import { describe, expect, test } from "@jest/globals";
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

function differences(before: unknown, after: unknown, kind: SchemaKind): string[] {
  return compareSchemas(kind, before, after).map(describeFinding);
}

const string = { type: "string" };
const integer = { type: "integer" };
const nullable = { anyOf: [string, { type: "null" }] };
const oneOf = (...values: unknown[]) => ({ enum: values });
const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
/** An object with other properties of a schema. */
const open = (others: unknown, properties?: Record<string, unknown>) => ({
  type: "object",
  additionalProperties: others,
  ...(properties !== undefined && { properties }),
});
const tagged = (tag: string, ...required: string[]) => object({ kind: { const: tag } }, ...required);
const inP = (schema: unknown) => object({ p: schema });
/** A schema that the property `p` refers to, through another reference with keywords beside it. */
const chained = (first: object, second: object, last: object) => ({
  ...inP({ $ref: "#/$defs/A", ...first }),
  $defs: { A: { $ref: "#/$defs/B", ...second }, B: last },
});

/** Before, after, and what is found in a config, in an output, and in a state. */
type Row = readonly [string, unknown, unknown, string[], string[], string[]];

const rows: readonly Row[] = [
  ["the same", object({ p: string }, "p"), object({ p: string }, "p"), [], [], []],
  ["a property is gone", object({ p: string, q: string }), inP(string), ["q gone"], ["q gone"], ["q gone"]],
  ["an optional property is new", inP(string), object({ p: string, q: string }), [], [], []],
  [
    "a required property is new",
    inP(string),
    object({ p: string, q: string }, "q"),
    ["q newly_required"],
    [],
    [],
  ],
  ["a property is newly required", inP(string), object({ p: string }, "p"), ["p newly_required"], [], []],
  [
    "a property is no longer required",
    object({ p: string }, "p"),
    inP(string),
    [],
    ["p no_longer_required"],
    [],
  ],
  [
    "a required property is gone",
    object({ p: string, q: string }, "q"),
    inP(string),
    ["q gone"],
    ["q gone"],
    ["q gone"],
  ],
  [
    "a nested property is newly required",
    inP(object({ q: string })),
    inP(object({ q: string }, "q")),
    ["p.q newly_required"],
    [],
    ["p.q newly_required"],
  ],
  [
    "a property is newly required of what allows any type",
    inP(object({ q: string })),
    inP({ required: ["q", "r"] }),
    ["p.q newly_required", "p.r newly_required"],
    ["p wider type object > any"],
    ["p.q newly_required", "p.r newly_required", "p wider type object > any"],
  ],
  [
    "a property is newly required of a schema that refers to its root",
    object({ q: string, child: { $ref: "#" } }),
    object({ q: string, child: { $ref: "#" } }, "q"),
    ["q newly_required"],
    [],
    ["child.q newly_required"],
  ],
  [
    "a type is another",
    inP(string),
    inP(integer),
    ["p narrower type string > integer"],
    ["p wider type string > integer"],
    ["p narrower type string > integer"],
  ],
  [
    "a type is narrower",
    inP(nullable),
    inP(string),
    ["p narrower type string or null > string"],
    [],
    ["p narrower type string or null > string"],
  ],
  [
    "a type is wider",
    inP(string),
    inP(nullable),
    [],
    ["p wider type string > string or null"],
    ["p wider type string > string or null"],
  ],
  [
    "a number becomes an integer",
    inP({ type: "number" }),
    inP(integer),
    ["p narrower type number > integer"],
    [],
    ["p narrower type number > integer"],
  ],
  [
    "an integer becomes a number",
    inP(integer),
    inP({ type: "number" }),
    [],
    ["p wider type integer > number"],
    ["p wider type integer > number"],
  ],
  [
    "any value becomes a string",
    inP({}),
    inP(string),
    ["p narrower type any > string"],
    [],
    ["p narrower type any > string"],
  ],
  [
    "an object becomes any value",
    inP(object({ q: string })),
    inP({}),
    [],
    ["p wider type object > any"],
    ["p wider type object > any"],
  ],
  ["a list of types is the same as anyOf", inP({ type: ["null", "string"] }), inP(nullable), [], [], []],
  ["oneOf is the same as anyOf", inP({ oneOf: [string, { type: "null" }] }), inP(nullable), [], [], []],
  [
    "a value of an enum is gone",
    inP(oneOf("a", "b")),
    inP(oneOf("a")),
    ['p narrower values "b"'],
    [],
    ['p narrower values "b"'],
  ],
  [
    "a value of an enum is new",
    inP(oneOf("a")),
    inP(oneOf("a", "b")),
    [],
    ['p wider values "b"'],
    ['p wider values "b"'],
  ],
  ["const is the same as an enum", inP({ const: "a" }), inP(oneOf("a")), [], [], []],
  [
    "constants in anyOf are the same as an enum",
    inP({ anyOf: [{ const: "a" }, { const: "b" }] }),
    inP(oneOf("b", "a")),
    [],
    [],
    [],
  ],
  [
    "a string becomes an enum",
    inP(string),
    inP({ type: "string", enum: ["a"] }),
    ["p narrower type string > string of 1 values"],
    [],
    ["p narrower type string > string of 1 values"],
  ],
  [
    "a type of list items is another",
    inP({ type: "array", items: string }),
    inP({ type: "array", items: integer }),
    ["p narrower type string > integer"],
    ["p wider type string > integer"],
    ["p narrower type string > integer"],
  ],
  [
    "a property of list items is gone",
    inP({ type: "array", items: object({ q: string, r: string }) }),
    inP({ type: "array", items: object({ r: string }) }),
    ["p.q gone"],
    ["p.q gone"],
    ["p.q gone"],
  ],
  [
    "titles, descriptions and examples differ",
    { ...inP({ ...string, title: "P", description: "One." }), title: "A" },
    { ...inP({ ...string, title: "Q", examples: ["x"] }), title: "B" },
    [],
    [],
    [],
  ],
  [
    "another keyword differs",
    inP({ ...string, maxLength: 10 }),
    inP({ ...string, maxLength: 5 }),
    ["p keyword maxLength"],
    ["p keyword maxLength"],
    ["p keyword maxLength"],
  ],
  [
    "another keyword is the same",
    inP({ ...string, maxLength: 5 }),
    inP({ ...string, maxLength: 5 }),
    [],
    [],
    [],
  ],
  [
    "a default differs",
    inP({ ...nullable, default: null }),
    inP({ ...nullable, default: "a" }),
    ["p keyword default"],
    ["p keyword default"],
    ["p keyword default"],
  ],
  [
    "a union with keywords beside it differs",
    inP({ ...string, anyOf: [{ maxLength: 1 }] }),
    inP({ ...string, anyOf: [{ maxLength: 2 }] }),
    ["p keyword anyOf"],
    ["p keyword anyOf"],
    ["p keyword anyOf"],
  ],
  [
    "a list of item schemas differs",
    inP({ type: "array", items: [string] }),
    inP({ type: "array", items: [integer] }),
    ["p keyword items"],
    ["p keyword items"],
    ["p keyword items"],
  ],
  [
    "a keyword in the middle of a chain of references differs, and is at its start too",
    chained({ minimum: 0 }, { minimum: 1 }, integer),
    chained({ minimum: 0 }, { minimum: 100 }, integer),
    ["p keyword allOf"],
    ["p keyword allOf"],
    ["p keyword allOf"],
  ],
  [
    "a keyword in the middle of a chain of references differs, and is nowhere else",
    chained({ maximum: 200 }, { minimum: 1 }, integer),
    chained({ maximum: 200 }, { minimum: 100 }, integer),
    ["p keyword minimum"],
    ["p keyword minimum"],
    ["p keyword minimum"],
  ],
  [
    "beside a reference, what closes an object closes it to what it refers to as well",
    chained({}, {}, { ...object({ q: string }), additionalProperties: false }),
    chained({}, { additionalProperties: false }, object({ q: string })),
    ["p keyword allOf"],
    ["p keyword allOf"],
    ["p keyword allOf"],
  ],
  [
    "a new property is another type than the other properties were",
    inP(open(string)),
    inP(open(string, { a: integer })),
    ["p.a narrower type string > integer"],
    ["p.a wider type string > integer"],
    ["p.a narrower type string > integer"],
  ],
  [
    "a new property has the type of the other properties",
    inP(open(string)),
    inP(open(string, { a: string })),
    [],
    [],
    [],
  ],
  [
    "a map of anything has a new property",
    inP({ type: "object" }),
    inP(object({ a: integer })),
    ["p.a narrower type any > integer"],
    [],
    ["p.a narrower type any > integer"],
  ],
  [
    "an object that names properties and allows others has a new one",
    inP(open(true, { a: string })),
    inP(open(true, { a: string, b: integer })),
    [],
    [],
    [],
  ],
  [
    "a closed object has a new property",
    inP(open(false, { a: string })),
    inP(open(false, { a: string, b: string })),
    [],
    ["p.b keyword additionalProperties"],
    [],
  ],
  [
    "an object whose other properties depend on their name has a new property",
    inP({ type: "object", patternProperties: { "^a": string } }),
    inP({ type: "object", patternProperties: { "^a": string }, properties: { a: integer } }),
    ["p.a keyword patternProperties"],
    ["p.a keyword patternProperties"],
    ["p.a keyword patternProperties"],
  ],
  [
    "an integer becomes a oneOf of which two alternatives take it",
    inP(integer),
    inP({ oneOf: [{ type: "number" }, integer] }),
    ["p keyword oneOf"],
    ["p keyword oneOf"],
    ["p keyword oneOf"],
  ],
  [
    "a oneOf has an alternative twice",
    inP(string),
    { ...inP({ oneOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/A" }] }), $defs: { A: string } },
    ["p keyword oneOf"],
    ["p keyword oneOf"],
    ["p keyword oneOf"],
  ],
  [
    "a oneOf whose alternatives overlap is the same",
    inP({ oneOf: [{ type: "number" }, integer] }),
    inP({ oneOf: [{ type: "number" }, integer] }),
    [],
    [],
    [],
  ],
  [
    "a oneOf of objects that a required constant tells apart has a new one",
    inP({ oneOf: [tagged("a", "kind")], discriminator: { propertyName: "kind" } }),
    inP({
      oneOf: [tagged("a", "kind"), tagged("b", "kind")],
      discriminator: { propertyName: "kind", mapping: { b: "#/$defs/B" } },
    }),
    [],
    ['p.kind wider values "b"'],
    ['p.kind wider values "b"'],
  ],
  [
    "a oneOf of objects that an optional constant tells apart has a new one",
    inP({ oneOf: [tagged("a"), tagged("b")] }),
    inP({ oneOf: [tagged("a"), tagged("b"), tagged("c")] }),
    [],
    ['p.kind wider values "c"'],
    ['p.kind wider values "c"'],
  ],
  [
    "an object becomes a oneOf of objects that an optional constant tells apart",
    inP(tagged("a")),
    inP({ oneOf: [tagged("a"), tagged("b")] }),
    ["p keyword oneOf"],
    ['p.kind wider values "b"'],
    ["p keyword oneOf", 'p.kind wider values "b"'],
  ],
  [
    "an object of a union loses a property",
    inP({
      anyOf: [object({ kind: { const: "a" }, x: string }), object({ kind: { const: "b" }, y: string })],
    }),
    inP({ anyOf: [object({ kind: { const: "b" }, y: string }), object({ kind: { const: "a" } })] }),
    ["p.x gone"],
    ["p.x gone"],
    ["p.x gone"],
  ],
  [
    "a union has a constant of the same type, and other list items",
    inP({ type: "array", items: string }),
    inP({ anyOf: [{ const: [] }, { type: "array", items: integer }] }),
    ["p narrower type string > integer"],
    ["p wider type string > any", "p wider type string > integer"],
    ["p narrower type string > integer"],
  ],
  [
    "a union has a constant of the same type, and another keyword",
    inP(string),
    inP({ anyOf: [{ const: "x" }, { ...string, pattern: "y" }] }),
    ["p keyword pattern"],
    ["p keyword pattern"],
    ["p keyword pattern"],
  ],
  [
    "one of two values moves to what has another keyword",
    inP(oneOf("a", "b")),
    inP({ anyOf: [{ const: "a" }, { ...string, pattern: "b" }] }),
    ["p keyword pattern"],
    ["p wider type string of 2 values > string of 1 values or string"],
    ["p keyword pattern"],
  ],
];

describe("compareSchemas", () => {
  test.each(rows)("%s", (_title, before, after, config, output, state) => {
    expect(differences(before, after, "config")).toEqual(config);
    expect(differences(before, after, "output")).toEqual(output);
    expect(differences(before, after, "state")).toEqual(state);
  });

  test("references are followed, through definitions of any name and keywords beside them", () => {
    const before = {
      ...inP({ $ref: "#/$defs/P~1a", description: "One." }),
      $defs: { "P/a": object({ q: string }) },
    };
    const after = { ...inP({ $ref: "#/definitions/P" }), definitions: { P: object({ q: integer }) } };

    expect(differences(before, after, "config")).toEqual(["p.q narrower type string > integer"]);
    expect(differences(before, before, "config")).toEqual([]);
  });

  test("another keyword that refers to what differs is not compared, and one that refers to the same is", () => {
    const schema = (maxLength: number, title: string) => ({
      ...inP({ allOf: [{ $ref: "#/$defs/P" }] }),
      $defs: { P: { ...object({ title: { ...string, maxLength } }), title } },
    });

    expect(differences(schema(1, "P"), schema(1, "Q"), "config")).toEqual([]);
    expect(differences(schema(1, "P"), schema(2, "P"), "config")).toEqual(["p keyword allOf"]);
  });

  test.each(["https://example.com/schema.json", "#/$defs/Missing", "Other"])(
    "what refers to %s is not compared",
    ($ref) => {
      expect(differences(inP({ $ref }), inP({ $ref }), "config")).toEqual([`p reference ${$ref}`]);
    },
  );

  test("a schema that refers to itself is compared once", () => {
    const tree = (value: unknown) => ({
      $ref: "#/$defs/Tree",
      $defs: { Tree: object({ value, children: { type: "array", items: { $ref: "#/$defs/Tree" } } }) },
    });

    expect(differences(tree(string), tree(string), "config")).toEqual([]);
    expect(differences(tree(string), tree(integer), "config")).toEqual([
      "value narrower type string > integer",
    ]);
  });

  describe("schemas that refer to each other", () => {
    const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
    const kind = (value: string) => ({ const: value });
    const before = {
      W: object({ a: ref("A") }),
      A: object({ x: ref("X"), kind: kind("a") }),
      X: object({ back: ref("A") }),
    };
    const after = {
      ...before,
      A: object({ x: ref("X"), kind: kind("b") }),
      V: object({ a: ref("B") }),
      B: object({ x: ref("Y"), kind: kind("a") }),
      Y: object({ back: ref("B") }),
    };

    test.each([
      ["config", []],
      ["state", ['p.a.kind wider values "b"']],
    ] as const)("%s: an alternative that is not chosen hides nothing", (kind, wider) => {
      expect(
        differences(
          { ...object({ p: ref("W"), q: ref("X") }), $defs: before },
          { ...object({ p: { anyOf: [ref("W"), ref("V")] }, q: ref("X") }), $defs: after },
          kind,
        ),
      ).toEqual(['q.back.kind narrower values "a"', ...wider]);
    });

    test("a keyword that differs hides no other one", () => {
      const root = object({ p: { not: ref("A") }, q: { not: ref("X") } });

      expect(differences({ ...root, $defs: before }, { ...root, $defs: after }, "config")).toEqual([
        "p keyword not",
        "q keyword not",
      ]);
    });

    test.each(["properties", "not"])(
      "twenty that all refer to all are compared to their end in %s",
      (place) => {
        const names = Array.from({ length: 20 }, (_, index) => `N${index}`);
        const refs = object(Object.fromEntries(names.map((name) => [name, ref(name)])));
        const schema = () => ({
          ...inP(place === "not" ? { not: ref("N0") } : ref("N0")),
          $defs: Object.fromEntries(names.map((name) => [name, structuredClone(refs)])),
        });

        expect(differences(schema(), schema(), "config")).toEqual([]);
      },
    );
  });

  test.each([
    [
      "a circle of references",
      { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } } },
    ],
    ["a union of itself", { anyOf: [{ $ref: "#" }] }],
  ])("%s ends", (_title, schema) => {
    expect(() => differences(schema, schema, "config")).not.toThrow();
  });

  test("a schema that grows with each reference is not compared to its end", () => {
    const levels = 60;
    const level = (leaf: unknown) =>
      Object.fromEntries(
        Array.from({ length: levels }, (_, index) => {
          const next = index === levels - 1 ? leaf : { $ref: `#/$defs/L${index + 1}` };
          return [`L${index}`, object({ x: next, y: next })];
        }),
      );
    const before = { $ref: "#/$defs/L0", $defs: level(string) };
    const after = { $ref: "#/$defs/L0", $defs: level(integer) };

    expect(differences(before, before, "config")).toEqual([]);
    expect(differences(before, after, "config").at(-1)).toBe(" too_large");
    // Of the state, what is wider is found apart.
    const wider = { $ref: "#/$defs/L0", $defs: level({ type: ["string", "null"] }) };
    expect(differences(before, wider, "config")).toEqual([]);
    expect(differences(before, wider, "state")).toEqual([" too_large"]);
  });

  test("a schema with a hundred thousand properties is not compared to its end", () => {
    const properties = (type: string) =>
      Object.fromEntries(Array.from({ length: 110_000 }, (_, index) => [`p${index}`, { type }]));

    expect(differences(object(properties("string")), object(properties("string")), "config")).toEqual([
      " too_large",
    ]);
  });

  test("names of an object's own methods are names like others", () => {
    const before = object({ constructor: string, toString: string });

    expect(differences(before, object({ toString: string }), "config")).toEqual(["constructor gone"]);
    expect(
      differences(JSON.parse('{"properties":{"__proto__":{}},"type":"object"}'), object({}), "config"),
    ).toEqual(["__proto__ gone"]);
  });
});
