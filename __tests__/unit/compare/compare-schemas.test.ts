import { expect, test } from "@jest/globals";
import { compareSchemas } from "../../../src/compare/compare-schemas.ts";
import type { SchemaKind } from "../../../src/compare/contract-change.ts";
import { expandSchema } from "../../../src/compare/expand-schema.ts";
import { rawText } from "../../../src/text/message.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const none = { type: "null" };
const nullable = { anyOf: [string, none] };
const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: "object",
  properties,
  required,
});
const inP = (schema: unknown) => object({ p: schema });
const choice = (...values: unknown[]) => ({ enum: values });
const message = (type: string, more: object = {}) => object({ type: { const: type }, ...more });

/** Such as `! p: no longer allows string`: `!` is breaking, `?` to be checked by hand. */
function changes(kind: SchemaKind, before: unknown, after: unknown): string[] {
  const subject = { graph: "agent", kind, threadIds: ["t"] };
  const marks = { breaking: "! ", byHand: "? ", note: "" };
  return compareSchemas(subject, expandSchema(before), expandSchema(after)).map(
    ({ severity, path, message: words }) => {
      const what = /(?:the schema|property \S+) (.*?)\. /.exec(`${rawText(words)} `)?.[1];
      return `${marks[severity]}${path}: ${what}`;
    },
  );
}

/** Before, after, and what is found in a config, in an output, and in a state on which a thread waits. */
type Row = readonly [string, unknown, unknown, string[], string[], string[]];

/** The same for all three. */
const all = (...found: string[]) => [found, found, found] as const;
const byHand = (keyword: string) => all(`? p: differs in ${keyword}`);

test.each<Row>([
  ["nothing", object({ p: string }, "p"), object({ p: string }, "p"), ...all()],
  ["a property is gone", object({ p: string, q: string }), inP(string), ...all("! q: was removed")],
  [
    "one allows nothing any more",
    inP(string),
    inP(false),
    ["! p: no longer allows string"],
    [],
    ["! p: no longer allows string"],
  ],
  [
    "one allows something now",
    inP(false),
    inP(string),
    [],
    ["! p: now also allows string"],
    ["! p: now also allows string"],
  ],
  ["a required one is gone", object({ p: string, q: string }, "q"), inP(string), ...all("! q: was removed")],
  ["an optional one is new", inP(string), object({ p: string, q: string }), ...all()],
  [
    "a required one is new",
    inP(string),
    object({ p: string, q: string }, "q"),
    ["! q: is now required"],
    [],
    [],
  ],
  ["one is now required", inP(string), object({ p: string }, "p"), ["! p: is now required"], [], []],
  [
    "one is no longer required",
    object({ p: string }, "p"),
    inP(string),
    [],
    ["! p: is no longer required"],
    [],
  ],
  [
    "a nested one is now required",
    inP(object({ q: string })),
    inP(object({ q: string }, "q")),
    ["! p.q: is now required"],
    [],
    ["! p.q: is now required"],
  ],
  [
    "a nested one is no longer required",
    inP(object({ q: string }, "q")),
    inP(object({ q: string })),
    [],
    ["! p.q: is no longer required"],
    ["! p.q: is no longer required"],
  ],
  [
    "another type",
    inP(string),
    inP(integer),
    ["! p: no longer allows string"],
    ["! p: now allows integer in place of string"],
    ["! p: no longer allows string", "! p: now allows integer in place of string"],
  ],
  [
    "a wider type",
    inP(string),
    inP(nullable),
    [],
    ["! p: now also allows null"],
    ["! p: now also allows null"],
  ],
  [
    "a narrower type",
    inP({ type: ["string", "null"] }),
    inP(string),
    ["! p: no longer allows null"],
    [],
    ["! p: no longer allows null"],
  ],
  [
    "integers of numbers",
    inP({ type: "number" }),
    inP(integer),
    ["! p: no longer allows number"],
    [],
    ["! p: no longer allows number"],
  ],
  [
    "any value before",
    inP({}),
    inP(string),
    ["! p: no longer allows values of every type"],
    [],
    ["! p: no longer allows values of every type"],
  ],
  [
    "numbers of integers",
    inP(integer),
    inP({ type: "number" }),
    [],
    ["! p: now also allows number"],
    ["! p: now also allows number"],
  ],
  [
    "any value after",
    inP(choice("a", 1)),
    inP({}),
    [],
    ["! p: now also allows values of every type"],
    ["! p: now also allows values of every type"],
  ],
  [
    "values in place of their types",
    inP({ type: ["integer", "number", "null", "boolean"] }),
    inP(choice(1, 0.5, null, true)),
    ["! p: no longer allows integer, number, boolean"],
    [],
    ["! p: no longer allows integer, number, boolean"],
  ],
  [
    "an alternative of another type beside one that changed",
    inP({ anyOf: [message("human"), string] }),
    inP({ anyOf: [message("human", { name: string }), integer] }),
    ["! p: no longer allows string", "? p: differs in anyOf"],
    ["! p: now allows integer in place of string", "? p: differs in anyOf"],
    ["! p: no longer allows string", "! p: now allows integer in place of string", "? p: differs in anyOf"],
  ],
  [
    "another type with other keywords",
    inP({ ...string, maxLength: 1 }),
    inP(integer),
    ["! p: no longer allows string"],
    ["! p: now allows integer in place of string"],
    ["! p: no longer allows string", "! p: now allows integer in place of string"],
  ],
  [
    "values that other keywords restrict",
    inP({ ...choice("a"), minLength: 1 }),
    inP(choice("a")),
    ...byHand("minLength"),
  ],
  [
    "a value that other keywords restrict",
    inP({ const: "a", minLength: 1 }),
    inP({ const: "a" }),
    ...byHand("minLength"),
  ],
  [
    "a union that other keywords restrict",
    inP({ ...nullable, minLength: 1 }),
    inP(nullable),
    ...byHand("minLength"),
  ],
  [
    "values that hold the name of an annotation",
    inP(choice({ title: 1 })),
    inP(choice({ title: 2 })),
    ['! p: no longer allows {"title":1}'],
    ['! p: now allows {"title":2} in place of {"title":1}'],
    ['! p: no longer allows {"title":1}', '! p: now allows {"title":2} in place of {"title":1}'],
  ],
  [
    "an object that changed and may be null now",
    inP(object({ q: string })),
    inP({ anyOf: [object({ q: integer }), none] }),
    ["? p: differs in type, properties, required and anyOf"],
    ["! p: now also allows null", "? p: differs in type, properties, required and anyOf"],
    ["! p: now also allows null", "? p: differs in type, properties, required and anyOf"],
  ],
  [
    "an object without its type",
    inP({ type: "object", properties: {} }),
    inP({ properties: {} }),
    ...byHand("type"),
  ],
  ["a list of anything", inP({ type: "array", items: string }), inP({ type: "array" }), ...byHand("items")],
  [
    "what is only described in a union",
    inP({ anyOf: [{ ...string, title: "A" }, none] }),
    inP(nullable),
    ...all(),
  ],
  [
    "a value that holds the name of an annotation",
    inP({ const: { title: 1 } }),
    inP({ const: { title: 1, default: 2 } }),
    ['! p: no longer allows {"title":1}'],
    ['! p: now allows {"title":1,"default":2} in place of {"title":1}'],
    ['! p: no longer allows {"title":1}', '! p: now allows {"title":1,"default":2} in place of {"title":1}'],
  ],
  ["two ways to write a value", inP({ ...string, const: "a" }), inP(choice("a")), ...all()],
  [
    "fewer values of a type",
    inP({ ...string, ...choice("a", "b") }),
    inP(choice("a")),
    ['! p: no longer allows "b"'],
    [],
    ['! p: no longer allows "b"'],
  ],
  [
    "numbers in place of texts",
    inP(string),
    inP({ type: "number" }),
    ["! p: no longer allows string"],
    ["! p: now allows number in place of string"],
    ["! p: no longer allows string", "! p: now allows number in place of string"],
  ],
  [
    "values of every type in place of what other keywords restrict",
    inP({ ...string, pattern: "a" }),
    inP({}),
    [],
    ["! p: now also allows values of every type"],
    ["! p: now also allows values of every type"],
  ],
  ["two ways to write a union", inP({ type: ["string", "null"] }), inP({ oneOf: [none, string] }), ...all()],
  [
    "fewer values",
    inP(choice("a", "b")),
    inP({ const: "a" }),
    ['! p: no longer allows "b"'],
    [],
    ['! p: no longer allows "b"'],
  ],
  [
    "values in place of their type",
    inP(string),
    inP(choice("a")),
    ["! p: no longer allows string"],
    [],
    ["! p: no longer allows string"],
  ],
  [
    "more values than are named",
    inP(choice(1)),
    inP(choice(1, 2, 3, 4, 5, 6, 7)),
    [],
    ["! p: now also allows 2, 3, 4, 5, 6, 1 more"],
    ["! p: now also allows 2, 3, 4, 5, 6, 1 more"],
  ],
  [
    "fewer alternatives of a union",
    inP({ type: "array", items: { anyOf: [message("human"), message("tool")] } }),
    inP({ type: "array", items: message("human") }),
    ["! p[]: no longer allows object"],
    [],
    ["! p[]: no longer allows object"],
  ],
  [
    "an alternative of a union is another",
    inP({ anyOf: [message("human"), none] }),
    inP({ anyOf: [message("human", { name: string }), none] }),
    ...byHand("anyOf"),
  ],
  [
    "a property of the items of a list",
    inP({ type: "array", items: object({ q: string }) }),
    inP({ type: "array", items: object({}) }),
    ...all("! p[].q: was removed"),
  ],
  ["a pattern", inP({ ...string, pattern: "a" }), inP(string), ...byHand("pattern")],
  [
    "a limit of a list",
    inP({ type: "array", items: string }),
    inP({ type: "array", items: string, maxItems: 1 }),
    ...byHand("maxItems"),
  ],
  ["combined schemas", inP({ allOf: [string] }), inP({ allOf: [integer] }), ...byHand("allOf")],
  [
    "other properties",
    inP({ ...object({}), additionalProperties: false }),
    inP(object({})),
    ...byHand("additionalProperties"),
  ],
  [
    "an object that names properties now",
    inP({ type: "object" }),
    inP(object({ q: string })),
    ...byHand("properties and required"),
  ],
  [
    "what is only described",
    inP({ ...string, title: "A", default: 1 }),
    inP({ ...string, description: "B" }),
    ...all(),
  ],
  [
    "null as a type or as a value",
    inP({ anyOf: [{ const: "a" }, { type: "null" }] }),
    inP({ enum: ["a", null] }),
    ...all(),
  ],
  [
    "one value of a boolean",
    inP({ type: ["boolean", "null"] }),
    inP(choice(true, null)),
    ["! p: no longer allows boolean"],
    [],
    ["! p: no longer allows boolean"],
  ],
  [
    "the other value of a boolean",
    inP({ type: "boolean" }),
    inP(choice(false)),
    ["! p: no longer allows boolean"],
    [],
    ["! p: no longer allows boolean"],
  ],
  [
    "a list that its type replaces",
    inP({ enum: [[1]] }),
    inP({ type: "array" }),
    [],
    ["! p: now also allows array"],
    ["! p: now also allows array"],
  ],
  [
    "names of properties that are keywords",
    object({ title: string, default: integer }, "title"),
    object({ title: string }, "title"),
    ...all("! default: was removed"),
  ],
])("%s", (_what, before, after, config, output, state) => {
  expect(changes("config", before, after)).toEqual(config);
  expect(changes("output", before, after)).toEqual(output);
  expect(changes("state", before, after)).toEqual(state);
});

const withDefs = (schema: object, defs: Record<string, unknown>) => ({ ...schema, $defs: defs });
const ref = { $ref: "#/$defs/A", description: "An A." };

test.each<[string, object, object, object, string]>([
  [
    "a keyword beside a reference, which holds as well",
    { ...ref, required: ["x"] },
    { required: ["a"] },
    { required: ["a", "b"] },
    "allOf",
  ],
  [
    "an anchor",
    { $ref: "#anchor" },
    { $anchor: "anchor", ...string },
    { $anchor: "anchor", ...integer },
    "$ref",
  ],
  [
    "a relative reference",
    { $ref: "a.json" },
    { $id: "a.json", ...string },
    { $id: "a.json", ...integer },
    "$ref",
  ],
  [
    "a dynamic reference",
    { $dynamicRef: "#n" },
    { $dynamicAnchor: "n" },
    { $dynamicAnchor: "n", ...string },
    "$dynamicRef",
  ],
])("a definition that changed behind %s is checked by hand", (_what, schema, before, after, keyword) => {
  const document = (definition: object) => withDefs(inP(schema), { A: definition });

  expect(changes("config", document(before), document(after))).toEqual([`? p: differs in ${keyword}`]);
  expect(changes("config", document(before), document(before))).toEqual([]);
});

test.each(["patternProperties", "dependentSchemas", "dependentRequired", "dependencies"])(
  "a name in %s is no annotation",
  (keyword) => {
    const schema = (value: unknown) => inP({ type: "object", [keyword]: { title: value } });

    expect(changes("config", schema(["a"]), schema(["b"]))).toEqual([`? p: differs in ${keyword}`]);
  },
);

test("a reference to a schema that allows nothing differs from one to values of every type", () => {
  const before = withDefs(inP({ $ref: "#/$defs/A" }), { A: false });
  const after = withDefs(inP({ $ref: "#/$defs/A" }), { A: true });

  expect(changes("output", before, after)).toEqual(["! p: now also allows values of every type"]);
});

test.each<[string, unknown, unknown, string[]]>([
  ["is followed", withDefs(inP(ref), { A: object({ q: string }) }), inP(object({})), ["! p.q: was removed"]],
  [
    "may have another name",
    withDefs(inP(ref), { A: object({ q: string }) }),
    withDefs(inP({ $ref: "#/$defs/B" }), { B: object({ q: string }) }),
    [],
  ],
  [
    "to the items of a list is followed",
    withDefs(inP({ type: "array", items: ref }), { A: object({ q: string }) }),
    inP({ type: "array", items: object({}) }),
    ["! p[].q: was removed"],
  ],
  ["may be percent-encoded", withDefs(inP({ $ref: "#/$defs/a%20b" }), { "a b": string }), inP(string), []],
  ["may lead nowhere", inP({ $ref: "#/%" }), inP({ $ref: "#/%" }), []],
  [
    "that leads nowhere is checked by hand",
    inP({ $ref: "other.json" }),
    inP(string),
    ["? p: differs in $ref and type"],
  ],
  ["may lead to the root", inP({ $ref: "#" }), inP(string), ["! p: no longer allows object"]],
  [
    "to another document is not followed",
    withDefs(inP({ $ref: "other.json#/$defs/A" }), { A: string }),
    inP(string),
    ["? p: differs in $ref and type"],
  ],
  ["may lead to itself", withDefs(inP(ref), { A: ref }), inP(string), ["? p: differs in $ref and type"]],
  [
    "may be repeated in what it refers to",
    withDefs(inP(ref), { A: object({ q: string, next: ref }) }),
    withDefs(inP(ref), { A: object({ q: integer, next: ref }) }),
    ["! p.q: no longer allows string"],
  ],
  [
    "that is repeated under another name is checked by hand",
    withDefs(inP(ref), { A: object({ q: string, next: ref }) }),
    withDefs(inP({ $ref: "#/$defs/B" }), { B: object({ q: string, next: { $ref: "#/$defs/B" } }) }),
    ["? p.next: differs in $ref"],
  ],
])("a reference %s", (_what, before, after, expected) => {
  expect(changes("config", before, after)).toEqual(expected);
});

const notReported = (mark: string, agent: string) => [
  `${mark} : was not compared, because ${agent} does not report it`,
];
const [compared, newVersion] = ["the agent to compare with", "the new version"];

test.each<[string, SchemaKind, unknown, unknown, string[]]>([
  ["no state before", "state", undefined, inP(string), notReported("?", compared)],
  ["no output after", "output", inP(string), {}, notReported("!", newVersion)],
  ["no input after", "input", inP(string), null, notReported("!", newVersion)],
  ["no state after", "state", inP(string), {}, notReported("?", newVersion)],
  ["no context after", "context", inP(string), null, notReported("?", newVersion)],
  ["no input at all", "input", null, null, notReported("?", compared)],
  ["no config at all", "config", {}, undefined, []],
  ["no context at all", "context", null, null, []],
])("%s", (_what, kind, before, after, expected) => {
  expect(changes(kind, before, after)).toEqual(expected);
});

test("a change of the state is a note if no thread waits on the graph", () => {
  const subject = { graph: "agent", kind: "state", threadIds: [] } as const;

  const found = compareSchemas(subject, object({ p: string, q: string }), inP(integer));

  expect(found.map(({ path, severity }) => [path, severity])).toEqual([
    ["q", "note"],
    ["p", "note"],
    ["p", "note"],
  ]);
});

const root = (properties: Record<string, unknown>, more: object = {}) => ({
  type: "object",
  properties,
  ...more,
});
const maybeRequired = ["? q: is new, and neither agent reports which inputs are required"];

test.each<[string, SchemaKind, unknown, unknown, string[]]>([
  ["may be required", "input", root({ p: string }), root({ p: string, q: string }), maybeRequired],
  ["is optional if none is required now", "input", root({}), root({ q: string }, { required: [] }), []],
  ["is optional if none was required", "input", root({}, { required: [] }), root({ q: string }), []],
  ["of a config is optional", "config", root({}), root({ q: string }), []],
])("a new property %s", (_what, kind, before, after, expected) => {
  expect(changes(kind, before, after)).toEqual(expected);
});

test.each<[SchemaKind, string[], unknown, unknown, string]>([
  [
    "input",
    [],
    object({ p: string }),
    object({}),
    "Graph agent, input: property p was removed. Keep accepting what callers send until all callers are updated.",
  ],
  [
    "output",
    ["t"],
    string,
    nullable,
    "Graph agent, output: the schema now also allows null. Keep returning what clients expect until all clients are updated.",
  ],
  [
    "state",
    ["t"],
    inP(string),
    inP({ ...string, pattern: "a" }),
    "Graph agent, state: property p differs in pattern. Check it by hand.",
  ],
  ["state", [], inP(string), object({}), "Graph agent, state: property p was removed."],
  [
    "state",
    ["t"],
    inP(string),
    object({}),
    "Graph agent, state: property p was removed. 1 thread is waiting with this state: t. Keep the former property and its values until no thread is waiting, or resume or delete each one first.",
  ],
])("a change of the %s says what to do (threads: %j)", (kind, threadIds, before, after, message) => {
  const found = compareSchemas({ graph: "agent", kind, threadIds }, before, after);

  expect(found.map((change) => rawText(change.message))).toEqual([message]);
});

test("the order of required properties is no difference", () => {
  const either = (...required: string[]) =>
    inP({ anyOf: [object({ q: string, r: string }, ...required), none] });

  expect(changes("config", either("q", "r"), either("r", "q"))).toEqual([]);
});

test.each<[string, (index: number) => unknown]>([
  ["listed values", (index) => index],
  ["types with keywords", (index) => ({ type: "string", minLength: index })],
  // If their JSON were compared in pairs, it would take far longer than Jest's time limit.
])("10,000 %s are compared, whatever their order", (_what, item) => {
  const items = Array.from({ length: 20_000 }, (_, index) => item(index));
  const schemaOf = (some: unknown[]) => inP(typeof some[0] === "object" ? { anyOf: some } : choice(...some));
  const [before, moved, others] = [
    items.slice(0, 10_000),
    items.slice(1, 10_001).toReversed(),
    items.slice(10_000),
  ].map((some) => schemaOf(some));

  expect(changes("config", before, moved)).toHaveLength(1);
  expect(changes("config", before, others)).toHaveLength(1);
});

test("a schema that is too large with its references equals only itself", () => {
  const large = (last: unknown) => {
    const defs = Array.from({ length: 20 }, (_, index) => {
      const next = { $ref: `#/$defs/${index + 1}` };
      return [String(index), object({ a: next, b: next })];
    });
    return { $ref: "#/$defs/0", $defs: { ...Object.fromEntries(defs), 20: last } };
  };

  expect(changes("output", large(string), large(string))).toEqual([]);
  expect(changes("output", large(string), large({}))).toEqual(["? : differs in $ref"]);
  expect(changes("output", object({ a: string }), large(string))).not.toEqual([]);
});

test.each(["input", "output", "config", "context", "state"] as const)(
  "a change of the %s names it",
  (kind) => {
    const before = { type: "object", properties: { user: { type: "string" } } };

    const after = { type: "object", properties: {} };
    const [change] = compareSchemas({ graph: "agent", kind, threadIds: ["t"] }, before, after);

    expect(change && rawText(change.message)).toContain(`Graph agent, ${kind}: property user was removed.`);
  },
);

test("a schema that is nested too deeply to be read stays as it is", () => {
  let document: object = {};
  for (let depth = 0; depth < 20_000; depth += 1) document = { not: document };

  expect(expandSchema(document)).toEqual({ $ref: [expect.anything()] });
});
