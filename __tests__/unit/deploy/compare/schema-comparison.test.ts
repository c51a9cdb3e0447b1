import { describe, expect, test } from "@jest/globals";
import { differences, inP, integer, object, string } from "../support/schemas.ts";

const strings = (count: number) =>
  object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, string])));

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

  test("an alternative that is not chosen hides nothing behind a chain of references", () => {
    const chain = (name: string, first: string) => ({
      [`${name}1`]: object({ next: ref(`${name}2`) }),
      [`${name}2`]: object({ back: ref(first) }),
    });
    const root = { W: object({ a: ref("A") }), A: object({ x: ref("X1"), kind: kind("a") }) };
    const chained = { ...root, ...chain("X", "A") };
    const changed = {
      ...chained,
      A: object({ x: ref("X1"), kind: kind("b") }),
      V: object({ a: ref("B") }),
    };
    const added = { B: object({ x: ref("Y1"), kind: kind("a") }), ...chain("Y", "B") };

    expect(
      differences(
        { ...object({ p: ref("W"), q: ref("X1") }), $defs: chained },
        {
          ...object({ p: { anyOf: [ref("W"), ref("V")] }, q: ref("X1") }),
          $defs: { ...changed, ...added },
        },
        "config",
      ),
    ).toEqual(['q.next.back.kind narrower values "a"']);
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
  expect(differences(strings(110_000), strings(110_000), "config")).toEqual([" too_large"]);
});

test.each([
  ["objects", (part: unknown) => inP(part)],
  ["lists", (part: unknown) => ({ type: "array", items: part })],
])("%s in more than two hundred others are not compared to their end", (_title, nest) => {
  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce((part: unknown) => nest(part), string);

  expect(differences(nested(200), nested(200), "config")).toEqual([]);
  expect(differences(nested(201), nested(201), "config")).toEqual([" too_large"]);
});

test("more than a hundred differences are too many", () => {
  expect(differences(strings(100), object({}), "config")).toHaveLength(100);
  expect(differences(strings(101), object({}), "config")).toHaveLength(102);
  expect(differences(strings(150), object({}), "config").at(-1)).toBe(" too_large");
  expect(differences(inP(strings(150)), inP(object({})), "config")).toEqual([" too_large"]);
});

test("a union of a hundred schemas is not compared, a smaller one is to its end", () => {
  const union = (count: number, value: unknown) =>
    inP({
      anyOf: Array.from({ length: count }, (_, index) =>
        object({ kind: { const: index }, value, ...strings(20).properties }),
      ),
    });

  expect(differences(union(99, string), union(99, string), "config")).toEqual([]);
  expect(differences(union(100, string), union(100, integer), "config")).toEqual(["p keyword type"]);
});

test("a keyword with more than a hundred thousand schemas is not compared", () => {
  const schema = () => inP({ not: strings(110_000) });

  expect(differences(schema(), schema(), "config")).toEqual([" too_large"]);
});

test.each<readonly [string, unknown, unknown, readonly string[]]>([
  ["is new", inP(string), object({ p: string, q: string }), ["q required_hidden"]],
  ["is new with a default", inP(string), object({ p: string, q: { default: null } }), []],
  [
    "is new, and the old schema shows which are required",
    object({ p: string }, "p"),
    object({ p: string, q: true }),
    [],
  ],
  [
    "is new, and the new schema shows which are required",
    inP(string),
    { ...object({ p: string, q: string }), required: [] },
    [],
  ],
  [
    "is new in a definition",
    inP(string),
    { $ref: "#/$defs/x", $defs: { x: object({ p: string, q: true }) } },
    ["q required_hidden"],
  ],
  ["is new, and the old schema has none", { type: "object" }, inP(string), ["p required_hidden"]],
  ["is no longer described", inP(string), { type: "object" }, ["p gone"]],
  ["may be in what is not found", inP(string), { $ref: "#/x" }, [" reference #/x"]],
])("a property of an input %s", (_title, before, after, expected) => {
  expect(differences(before, after, "input")).toEqual(expected);
});

test("names of an object's own methods are names like others", () => {
  const before = object({ constructor: string, toString: string });

  expect(differences(before, object({ toString: string }), "config")).toEqual(["constructor gone"]);
  expect(
    differences(JSON.parse('{"properties":{"__proto__":{}},"type":"object"}'), object({}), "config"),
  ).toEqual(["__proto__ gone"]);
});
