import assert from "node:assert/strict";
import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { httpMethods } from "../http/request.ts";
import { isObject } from "../text/json.ts";
import { code, listOf, type Message, rawText, text } from "../text/message.ts";

/** The words for mistakes, by their text: the message of a schema is a plain string. */
const wordsByText = new Map<string, Message>();

/** Returns the message of a schema for a mistake. Its words must not quote the input. */
function mistake(words: Message): string {
  const message = rawText(words);
  wordsByText.set(message, words);
  return message;
}

const mistakes = {
  missing: mistake(text`must be set`),
  map: mistake(text`must be a map`),
  text: mistake(text`must be text that is not empty (in quotes if it looks like something else)`),
  texts: mistake(text`must be text or a list of texts, none of them empty (a number in quotes)`),
  boolean: mistake(text`must be true or false`),
  headers: mistake(text`has two names that differ only in case`),
  seconds: mistake(text`must be a number of seconds above 0 and up to 86400`),
  status: mistake(text`must be a whole number from 100 to 599`),
  count: mistake(text`must be a whole number from 1 to 100`),
  method: mistake(
    text`must be one of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS, before a space and a path, as in GET /ok`,
  ),
  pattern: mistake(text`must be a regular expression of JavaScript`),
  pointer: mistake(
    text`is not a JSON Pointer such as /answer: it must be empty or start with /, and have ~0 for ~`,
  ),
};

const MapSchema = v.custom<Readonly<Record<string, unknown>>>(isObject, mistakes.map);
const TextSchema = v.pipe(v.string(mistakes.text), v.nonEmpty(mistakes.text));
const TextsSchema = v.union(
  [TextSchema, v.pipe(v.array(TextSchema), v.nonEmpty(mistakes.texts))],
  mistakes.texts,
);
const SecondsSchema = v.pipe(
  v.number(mistakes.seconds),
  v.gtValue(0, mistakes.seconds),
  v.maxValue(86_400, mistakes.seconds),
);
const CountSchema = wholeNumber(1, 100, mistakes.count);

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
  entryCheck((key) => jsonPointer.test(key), mistakes.pointer),
);
const isUnambiguous = (headers: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
};
const HeadersSchema = v.pipe(
  MapSchema,
  v.check(isUnambiguous, mistakes.headers),
  entryCheck((_name, value) => typeof value === "string", mistakes.text),
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
    addIssue({ message: mistakes.method });
    return NEVER;
  }),
);

export function wordsOf(message: string): Message {
  const words = wordsByText.get(message);
  assert(words);
  return words;
}

/** Returns the schema of a map that has no other keys. */
function mapOf<const T extends v.ObjectEntries>(entries: T) {
  const keys = listOf(Object.keys(entries).map((key) => code(key)));
  const unknown = mistake(text`is not one of the keys ${keys}`);
  return v.strictObject(entries, ({ expected }) => {
    if (expected === "Object") return mistakes.map;
    return expected === "never" ? unknown : mistakes.missing;
  });
}

const expectEntries = {
  status: v.optional(wholeNumber(100, 599, mistakes.status)),
  contains: v.optional(TextsSchema),
  matches: v.optional(v.pipe(TextSchema, v.check(isPattern, mistakes.pattern))),
  json: v.optional(ValuesSchema, {}),
  max_seconds: v.optional(SecondsSchema, 60),
};
const RequestExpectSchema = mapOf(expectEntries);
const RunExpectSchema = mapOf({
  ...expectEntries,
  interrupted: v.optional(v.boolean(mistakes.boolean), false),
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
      pass,
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
    return { name, ...request, headers, body, run: undefined, expected: expectedOf(expect), repeat, pass };
  }),
);
