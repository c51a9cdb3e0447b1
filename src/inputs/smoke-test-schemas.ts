import * as v from "valibot";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { httpMethods } from "../http/request.ts";
import { isObject } from "../text/json.ts";
import { code, listOf, type Message, text } from "../text/message.ts";

/** The words for mistakes, which never quote the input. */
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

/** Has the compiler check the name of a mistake. */
const mustBe = (mistake: keyof typeof mistakes) => mistake;

const MapSchema = v.custom<Readonly<Record<string, unknown>>>(isObject, mustBe("map"));
const TextSchema = v.pipe(v.string(mustBe("text")), v.nonEmpty(mustBe("text")));
const TextsSchema = v.union(
  [TextSchema, v.pipe(v.array(TextSchema), v.nonEmpty(mustBe("texts")))],
  mustBe("texts"),
);
const SecondsSchema = v.pipe(
  v.number(mustBe("seconds")),
  v.gtValue(0, mustBe("seconds")),
  v.maxValue(86_400, mustBe("seconds")),
);
const CountSchema = wholeNumber(1, 100, "count");

function wholeNumber(min: number, max: number, mistake: "count" | "status") {
  return v.pipe(v.number(mistake), v.integer(mistake), v.minValue(min, mistake), v.maxValue(max, mistake));
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
  entryCheck((key) => jsonPointer.test(key), mustBe("pointer")),
);
const isUnambiguous = (headers: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
};
const HeadersSchema = v.pipe(
  MapSchema,
  v.check(isUnambiguous, mustBe("headers")),
  entryCheck((_name, value) => typeof value === "string", mustBe("text")),
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
    addIssue({ message: mustBe("method") });
    return NEVER;
  }),
);

const mistakesByName: ReadonlyMap<string, Message> = new Map(Object.entries(mistakes));

/** Returns the words for a mistake by its name, which is the message of a schema. */
export function wordsOf(mistake: string): Message {
  const words = mistakesByName.get(mistake) ?? unknownKeyWords(mistake);
  if (words === undefined) throw new TypeError("A mistake in smoke_tests has no words.");
  return words;
}

/** `not in name,graph`: the name of a mistake for a key other than these. */
function unknownKeyWords(mistake: string): Message | undefined {
  const [, keys] = /^not in (.*)$/.exec(mistake) ?? [];
  if (keys === undefined) return undefined;
  return text`is not one of the keys ${listOf(keys.split(",").map((key) => code(key)))}`;
}

/** Returns the schema of a map that has no other keys. */
function mapOf<const T extends v.ObjectEntries>(entries: T) {
  const unknown = `not in ${Object.keys(entries)}`;
  return v.strictObject(entries, ({ expected }) => {
    if (expected === "Object") return mustBe("map");
    return expected === "never" ? unknown : mustBe("missing");
  });
}

const expectEntries = {
  status: v.optional(wholeNumber(100, 599, "status")),
  contains: v.optional(TextsSchema),
  matches: v.optional(v.pipe(TextSchema, v.check(isPattern, mustBe("pattern")))),
  json: v.optional(ValuesSchema, {}),
  max_seconds: v.optional(SecondsSchema, 60),
};
const RequestExpectSchema = mapOf(expectEntries);
const RunExpectSchema = mapOf({
  ...expectEntries,
  interrupted: v.optional(v.boolean(mustBe("boolean")), false),
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
