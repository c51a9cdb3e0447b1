import fc from "fast-check";

type Schema = Readonly<Record<string, unknown>>;
/** The schemas before and after, undefined if only the other one has a part there. */
type Pair = readonly [Schema | undefined, Schema | undefined];

export interface SchemaPair {
  readonly before: Schema;
  readonly after: Schema;
}

const leaf: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  ...["string", "integer", "number", "boolean", "null"].map((type) => ({ type })),
  {},
  { type: ["string", "null"] },
  { type: "integer", minimum: 0 },
  { type: "integer", minimum: 1, maximum: 2 },
  { type: "number", minimum: 1 },
  { type: "string", maxLength: 1 },
  { type: "string", default: "x" },
  { enum: ["x", "yy"] },
  { enum: ["x", 1, null] },
  { type: "string", enum: ["x"] },
  { const: "x" },
  { const: 1 },
  { const: { a: 1 } },
  { type: "object" },
  { type: "array" },
);
const same = (one: Schema): Pair => [one, one];
const leaves: fc.Arbitrary<Pair> = fc.oneof(
  { weight: 6, arbitrary: leaf.map(same) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf) },
);

/** One list for each side, without what only the other side has. No list is empty: that is no valid union. */
function sides(pairs: readonly Pair[]): [Schema[], Schema[]] {
  const side = (index: 0 | 1) => {
    const schemas = pairs.map((pair) => pair[index]).filter((one) => one !== undefined);
    return schemas.length > 0 ? schemas : [{ type: "null" }];
  };
  return [side(0), side(1)];
}

/** The same on both sides, mostly. */
function both<T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly [T, T]> {
  return fc.oneof(
    { weight: 5, arbitrary: value.map((one) => [one, one] as const) },
    { weight: 1, arbitrary: fc.tuple(value, value) },
  );
}

/** A pair that sometimes lacks a side. */
const partly = (pair: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> =>
  fc
    .tuple(pair, fc.constantFrom(0, 0, 0, 0, 0, 1, 2))
    .map(([[one, other], lacks]) => [lacks === 1 ? undefined : one, lacks === 2 ? undefined : other]);

function objects(part: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  const others = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...[undefined, true].map((one) => [one, one] as const)) },
    { weight: 1, arbitrary: fc.constantFrom([undefined, false] as const, [false, undefined] as const) },
  );
  const required = both(fc.subarray(["a", "b"], { maxLength: 1 }));
  return fc
    .tuple(fc.dictionary(fc.constantFrom("a", "b", "c"), partly(part)), required, others)
    .map(([properties, names, additional]) => {
      const side = (index: 0 | 1): Schema => {
        const own = Object.entries(properties).flatMap(([name, pair]) =>
          pair[index] === undefined ? [] : [[name, pair[index]] as const],
        );
        const open = additional[index] === undefined ? {} : { additionalProperties: additional[index] };
        return { type: "object", properties: Object.fromEntries(own), required: names[index], ...open };
      };
      return [side(0), side(1)];
    });
}

/** Objects that their property `kind` tells apart. */
function tagged(object: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  const withTag = (schema: Schema | undefined, kind: string, isRequired: boolean) =>
    schema && {
      ...schema,
      properties: { ...(schema.properties as object), kind: { const: kind } },
      required: [...(schema.required as string[]), ...(isRequired ? ["kind"] : [])],
    };
  return fc
    .tuple(fc.array(partly(object), { minLength: 1, maxLength: 3 }), both(fc.boolean()), fc.boolean())
    .map(([pairs, [before, after], single]) => {
      const [some, others] = sides(
        pairs.map(([one, other], index) => [
          withTag(one, `k${index}`, before),
          withTag(other, `k${index}`, after),
        ]),
      );
      return [single && some[0] ? some[0] : { oneOf: some }, { oneOf: others }];
    });
}

const beside = fc.constantFrom<Schema>({}, {}, { description: "One." }, { minimum: 1 }, { minimum: 2 });

/** A part of a schema that may refer to these definitions. */
function parts(definitions: readonly string[]): fc.Arbitrary<Pair> {
  return fc.letrec<{ part: Pair }>((tie) => {
    const unions = (keyword: string, ...more: Schema[]) =>
      fc.array(partly(tie("part")), { minLength: 1, maxLength: 3 }).map((pairs): Pair => {
        const [one, other] = sides(pairs);
        return [{ [keyword]: [...one, ...more] }, { [keyword]: [...other, ...more] }];
      });
    const refs = fc
      .tuple(fc.constantFrom(...definitions, "C"), both(beside))
      .map(([name, [one, other]]): Pair => {
        const $ref = `#/$defs/${name}`;
        return [
          { $ref, ...one },
          { $ref, ...other },
        ];
      });
    const items = tie("part").map(
      ([one, other]): Pair => [
        { type: "array", items: one },
        { type: "array", items: other },
      ],
    );
    const composite = fc.oneof(
      ...[objects(tie("part")), tagged(objects(tie("part"))), items, unions("anyOf", { type: "null" })],
      ...[unions("anyOf"), unions("oneOf"), ...(definitions.length > 0 ? [refs, refs] : [])],
    );
    return { part: fc.oneof({ maxDepth: 3, depthIdentifier: "part" }, leaves, composite) };
  }).part;
}

/** Pairs of schemas of the kinds that agents in Python and JavaScript show, most of whose parts are the same. */
export const schemaPairs: fc.Arbitrary<SchemaPair> = fc
  .tuple(objects(parts(["A", "B"])), parts(["B"]), parts(["C"]), parts([]))
  .map(([root, a, b, c]) => {
    const side = (index: 0 | 1): Schema => ({
      ...root[index],
      $defs: { A: a[index], B: b[index], C: c[index] },
    });
    return { before: side(0), after: side(1) };
  });
