import assert from "node:assert/strict";
import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { httpMethods } from "../http/request.ts";
import { isObject } from "../text/json.ts";
import { code, listOf, type Phrase, phrase, rawText } from "../text/message.ts";

/** The words for the mistakes, by a schema's message, which must be a plain string. */
const mistakes = new Map<string, Phrase>();

function mistake(words: Phrase): string {
  const key = rawText(words);
  mistakes.set(key, words);
  return key;
}

/** Returns the words for a message of a schema, which must be one of this file: others may quote the input. */
export function wordsOf(message: string): Phrase {
  const words = mistakes.get(message);
  assert(words !== undefined);
  return words;
}

const missing = mistake(phrase`must be set`);
const notMap = mistake(phrase`must be a map`);
const notText = mistake(phrase`must be text that is not empty (in quotes if it looks like something else)`);
const notTexts = mistake(phrase`must be text or a list of texts, none of them empty (a number in quotes)`);
const notBoolean = mistake(phrase`must be true or false`);
const sameHeader = mistake(phrase`has two names that differ only in case`);
const notSeconds = mistake(phrase`must be a number of seconds above 0 and up to 86400`);
const notMethod = mistake(
  phrase`must be one of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS, before a space and a path, as in GET /ok`,
);
const notPattern = mistake(phrase`must be a regular expression of JavaScript`);
const notPointer = mistake(
  phrase`is not a JSON Pointer such as /answer: it must be empty or start with /, and have ~0 for ~`,
);

const MapSchema = v.custom<Readonly<Record<string, unknown>>>(isObject, notMap);
const TextSchema = v.pipe(v.string(notText), v.nonEmpty(notText));
const TextsSchema = v.union([TextSchema, v.pipe(v.array(TextSchema), v.nonEmpty(notTexts))], notTexts);
const SecondsSchema = v.pipe(v.number(notSeconds), v.gtValue(0, notSeconds), v.maxValue(86_400, notSeconds));
const CountSchema = wholeNumber(1, 100);

function wholeNumber(min: number, max: number) {
  const message = mistake(phrase`must be a whole number from ${min} to ${max}`);
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

function isPattern(value: string): boolean {
  try {
    return Boolean(new RegExp(value));
  } catch {
    return false;
  }
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
const jsonPointer = /^(\/([^~/]|~[01])*)*$/u;
const PointerSchema = v.pipe(v.string(), v.regex(jsonPointer, notPointer));
const ValuesSchema = v.pipe(MapSchema, v.record(PointerSchema, v.unknown()));
const isUnambiguous = (headers: Readonly<Record<string, string>>) => {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
};
const HeadersSchema = v.pipe(
  MapSchema,
  v.record(v.string(), v.string(notText)),
  v.check(isUnambiguous, sameHeader),
  v.transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  ),
);

/** A method and a path, such as `GET /ok`. */
const RequestLineSchema = v.pipe(
  TextSchema,
  v.rawTransform(({ dataset: { value: line }, addIssue, NEVER }) => {
    const method = httpMethods.find((known) => line.startsWith(`${known} `));
    if (method !== undefined) return { method, path: line.slice(method.length).replace(/^ +/, "") };
    addIssue({ message: notMethod });
    return NEVER;
  }),
);

/** What is wrong with an unknown key. */
export function notOneOf(keys: readonly string[]): Phrase {
  return phrase`is not one of the keys ${listOf(keys.map((key) => code(key)))}`;
}

function mapOf<const T extends v.ObjectEntries>(entries: T) {
  const unknownKey = mistake(notOneOf(Object.keys(entries)));
  return v.strictObject(entries, ({ expected }) => {
    if (expected === "Object") return notMap;
    return expected === "never" ? unknownKey : missing;
  });
}

const expectEntries = {
  status: v.optional(wholeNumber(100, 599)),
  contains: v.optional(TextsSchema),
  matches: v.optional(v.pipe(TextSchema, v.check(isPattern, notPattern))),
  json: v.optional(ValuesSchema, {}),
  max_seconds: v.optional(SecondsSchema, 60),
};
const RequestExpectSchema = mapOf(expectEntries);
const RunExpectSchema = mapOf({
  ...expectEntries,
  interrupted: v.optional(v.boolean(notBoolean), false),
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
