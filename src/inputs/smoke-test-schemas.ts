import assert from "node:assert/strict";
import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { httpMethods } from "../http/request.ts";
import { isObject } from "../text/json.ts";
import { code, listOf, type Message, text } from "../text/message.ts";

/** The words for mistakes. The message of a schema is a key of these, because it must be a plain string. */
const mistakes = {
  missing: text`must be set`,
  map: text`must be a map`,
  text: text`must be text that is not empty (in quotes if it looks like something else)`,
  texts: text`must be text or a list of texts, none of them empty (a number in quotes)`,
  boolean: text`must be true or false`,
  headers: text`has two names that differ only in case`,
  seconds: text`must be a number of seconds above 0 and up to 86400`,
  status: text`must be a whole number from 100 to 599`,
  count: text`must be a whole number from 1 to 100`,
  method: text`must be one of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS, before a space and a path, as in GET /ok`,
  pattern: text`must be a regular expression of JavaScript`,
  pointer: text`is not a JSON Pointer such as /answer: it must be empty or start with /, and have ~0 for ~`,
};

function mistake(key: keyof typeof mistakes): string {
  return key;
}

function isMistake(key: string): key is keyof typeof mistakes {
  return Object.hasOwn(mistakes, key);
}

/** Starts the message for an unknown key, before the known ones. */
const unknownKey = "unknown key: ";

/** Returns the words for a message of a schema, which must be one of this file: others may quote the input. */
export function wordsOf(message: string): Message {
  if (isMistake(message)) return mistakes[message];
  assert(message.startsWith(unknownKey));
  const known = message.slice(unknownKey.length).split(",");
  return text`is not one of the keys ${listOf(known.map((key) => code(key)))}`;
}

const MapSchema = v.custom<Readonly<Record<string, unknown>>>(isObject, mistake("map"));
const TextSchema = v.pipe(v.string(mistake("text")), v.nonEmpty(mistake("text")));
const TextsSchema = v.union(
  [TextSchema, v.pipe(v.array(TextSchema), v.nonEmpty(mistake("texts")))],
  mistake("texts"),
);
const SecondsSchema = v.pipe(
  v.number(mistake("seconds")),
  v.gtValue(0, mistake("seconds")),
  v.maxValue(86_400, mistake("seconds")),
);
const CountSchema = wholeNumber(1, 100, mistake("count"));

function wholeNumber(min: number, max: number, message: string) {
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

function isPattern(value: string): boolean {
  try {
    return Boolean(new RegExp(value));
  } catch {
    return false;
  }
}

/** Checks every entry of a map. `v.record` would drop keys such as `constructor`. */
function entryCheck(accepts: (key: string, value: unknown) => boolean, message: string) {
  return v.rawCheck<Readonly<Record<string, unknown>>>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const [key, value] of Object.entries(input)) {
      if (accepts(key, value)) continue;
      addIssue({ message, path: [{ type: "object", origin: "value", input, key, value }] });
    }
  });
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
const jsonPointer = /^(\/([^~/]|~[01])*)*$/u;
const ValuesSchema = v.pipe(
  MapSchema,
  entryCheck((key) => jsonPointer.test(key), mistake("pointer")),
);
const isUnambiguous = (headers: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
};
const HeadersSchema = v.pipe(
  MapSchema,
  v.check(isUnambiguous, mistake("headers")),
  entryCheck((_name, value) => typeof value === "string", mistake("text")),
  v.transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
  ),
);

/** A method and a path, such as `GET /ok`. */
const RequestLineSchema = v.pipe(
  TextSchema,
  v.rawTransform(({ dataset: { value: line }, addIssue, NEVER }) => {
    const method = httpMethods.find((known) => line.startsWith(`${known} `));
    if (method !== undefined) return { method, path: line.slice(method.length).replace(/^ +/, "") };
    addIssue({ message: mistake("method") });
    return NEVER;
  }),
);

/** Returns the schema of a map that has no other keys. */
function mapOf<const T extends v.ObjectEntries>(entries: T) {
  return v.strictObject(entries, ({ expected }) => {
    if (expected === "Object") return mistake("map");
    return expected === "never" ? `${unknownKey}${Object.keys(entries)}` : mistake("missing");
  });
}

const expectEntries = {
  status: v.optional(wholeNumber(100, 599, mistake("status"))),
  contains: v.optional(TextsSchema),
  matches: v.optional(v.pipe(TextSchema, v.check(isPattern, mistake("pattern")))),
  json: v.optional(ValuesSchema, {}),
  max_seconds: v.optional(SecondsSchema, 60),
};
const RequestExpectSchema = mapOf(expectEntries);
const RunExpectSchema = mapOf({
  ...expectEntries,
  interrupted: v.optional(v.boolean(mistake("boolean")), false),
});

function expectedOf(expect: v.InferOutput<typeof RequestExpectSchema>): SmokeTest["expected"] {
  const { status, contains = [], matches, json, max_seconds: seconds } = expect;
  return { status, contains: [contains].flat(), matches, json, maxMs: Math.ceil(seconds * 1000) };
}

const commonEntries = { name: TextSchema, repeat: v.optional(CountSchema, 1), pass: v.optional(CountSchema) };

export const RunSchema = v.pipe(
  mapOf({
    ...commonEntries,
    graph: TextSchema,
    input: MapSchema,
    config: v.optional(MapSchema),
    context: v.optional(MapSchema),
    expect: v.optional(RunExpectSchema, {}),
  }),
  v.transform(({ name, graph, input, config, context, expect, repeat, pass = repeat }): SmokeTest => {
    return {
      name,
      method: "POST",
      path: "/runs/wait",
      headers: {},
      body: { assistant_id: graph, input, config, context, on_completion: "delete" },
      run: { graph, interrupted: expect.interrupted },
      expected: expectedOf(expect),
      repeat,
      minPasses: pass,
    };
  }),
);

export const RequestSchema = v.pipe(
  mapOf({
    ...commonEntries,
    request: RequestLineSchema,
    body: v.optional(v.unknown()),
    headers: v.optional(HeadersSchema, {}),
    expect: v.optional(RequestExpectSchema, {}),
  }),
  v.transform(({ name, request, headers, body, expect, repeat, pass = repeat }): SmokeTest => {
    return {
      name,
      ...request,
      headers,
      body,
      run: undefined,
      expected: expectedOf(expect),
      repeat,
      minPasses: pass,
    };
  }),
);
