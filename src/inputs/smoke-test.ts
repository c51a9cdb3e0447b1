import * as v from "valibot";
import { type Headers, headerProblem, pathProblem } from "../agent/request-parts.ts";
import type { Expected, SmokeTest } from "../checks/smoke-test.ts";
import { httpMethods } from "../http/request.ts";
import { asObject } from "../text/json.ts";
import { rawText, text } from "../text/message.ts";

// The messages of these schemas are words of this action only: they hold nothing of the input.

/** No sensible value is nested deeper. */
const maxDepth = 50;
const notJson = `must be JSON of at most ${maxDepth} levels, without .inf, .nan, whole numbers beyond 2^53 and loops`;

/** Whether a value of YAML can be sent as JSON. An alias may make a value contain itself. */
function isJson(value: unknown, ancestors: readonly unknown[] = []): boolean {
  // A larger whole number may have been rounded, and would equal its neighbours.
  if (typeof value === "number") {
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object" || ancestors.length >= maxDepth || ancestors.includes(value)) return false;
  return Object.values(value).every((part) => isJson(part, [...ancestors, value]));
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

const JsonSchema = v.custom<unknown>((value) => isJson(value), notJson);
const MapSchema = v.custom<Readonly<Record<string, unknown>>>(
  (value) => asObject(value) !== undefined,
  "must be a map",
);
const JsonMapSchema = v.pipe(
  MapSchema,
  v.check((map) => isJson(map), notJson),
);
const TextSchema = v.custom<string>(
  isText,
  "must be text that is not empty (in quotes if it looks like something else)",
);
const TextsSchema = v.pipe(
  v.custom<string | readonly string[]>(
    (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
    "must be text or a list of texts that are not empty",
  ),
  v.transform((value) => (typeof value === "string" ? [value] : value)),
);
const SecondsSchema = v.pipe(
  v.custom<number>(
    (value) => typeof value === "number" && value > 0 && value <= 86_400,
    "must be a number of seconds above 0 and up to 86400",
  ),
  v.transform((seconds) => Math.ceil(seconds * 1000)),
);

function wholeNumber(min: number, max: number) {
  return v.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  );
}

export const notPattern = "must be a regular expression of JavaScript";

/** Why a text is not a regular expression, in the engine's words. */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
const jsonPointer = /^(\/([^~/]|~[01])*)*$/u;

const FilledMapSchema = v.pipe(
  MapSchema,
  v.check((map) => Object.keys(map).length > 0, "must not be empty"),
);

const PointerSchema = v.pipe(
  v.string(),
  v.regex(jsonPointer, "is not a JSON Pointer. It must be empty or start with /, and have ~0 for ~"),
);
const PointersSchema = v.pipe(
  FilledMapSchema,
  // A record would leave out keys such as __proto__.
  v.transform((map) => new Map(Object.entries(map))),
  v.map(PointerSchema, JsonSchema),
);

const HeadersSchema = v.pipe(
  MapSchema,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value: input } = dataset;
    for (const [key, value] of Object.entries(input)) {
      const problem =
        typeof value === "string" ? headerProblem(key, value) : text`must have text as its value (in quotes)`;
      if (problem === undefined) continue;
      addIssue({
        message: rawText(problem),
        path: [{ type: "object", origin: "value", input, key, value }],
      });
    }
  }),
  v.transform(
    (map): Headers =>
      Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), String(value)])),
  ),
);

/** Such as `GET /ok`. */
const RequestLineSchema = v.pipe(
  TextSchema,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const [, name, path = ""] = /^(\S+) +(\S.*)$/s.exec(dataset.value) ?? [];
    const method = httpMethods.find((known) => known === name);
    const problem = pathProblem(path);
    if (method !== undefined && problem === undefined) return { method, path };
    const form = `must be a method (${httpMethods.join(", ")}), a space and a path, such as GET /ok`;
    addIssue({ message: method !== undefined && problem !== undefined ? rawText(problem) : form });
    return NEVER;
  }),
);

const expectEntries = {
  status: v.optional(wholeNumber(100, 599)),
  contains: v.optional(TextsSchema),
  matches: v.optional(
    v.pipe(
      TextSchema,
      v.check((pattern) => patternProblem(pattern) === undefined, notPattern),
    ),
  ),
  json: v.optional(PointersSchema),
  max_seconds: v.optional(SecondsSchema),
};
export const RunExpectSchema = v.strictObject({
  ...expectEntries,
  interrupted: v.optional(v.boolean("must be true or false")),
});
export const RequestExpectSchema = v.strictObject(expectEntries);

function expectedOf(expect: v.InferOutput<typeof RequestExpectSchema> = {}): Expected {
  const { status, contains = [], matches, json = new Map(), max_seconds: maxMs = 60_000 } = expect;
  return { status, contains, matches, json, maxMs };
}

const maxRepeat = 100;

const commonEntries = {
  name: v.pipe(
    TextSchema,
    v.check((name) => name.trim() !== "", "must be more than white space"),
  ),
  repeat: v.optional(wholeNumber(1, maxRepeat)),
  pass: v.optional(wholeNumber(1, maxRepeat)),
};

export const RunSchema = v.pipe(
  v.strictObject({
    ...commonEntries,
    graph: TextSchema,
    input: JsonMapSchema,
    config: v.optional(JsonMapSchema),
    context: v.optional(JsonMapSchema),
    expect: v.optional(v.pipe(FilledMapSchema, RunExpectSchema)),
  }),
  v.transform(({ name, graph, input, config, context, expect, repeat = 1, pass = repeat }): SmokeTest => {
    const options = { ...(config && { config }), ...(context && { context }), on_completion: "delete" };
    return {
      name,
      method: "POST",
      path: "/runs/wait",
      headers: {},
      body: { assistant_id: graph, input, ...options },
      run: { graph, interrupted: expect?.interrupted ?? false },
      expected: expectedOf(expect),
      repeat,
      pass,
    };
  }),
);

export const RequestSchema = v.pipe(
  v.strictObject({
    ...commonEntries,
    request: RequestLineSchema,
    body: v.optional(JsonSchema),
    headers: v.optional(HeadersSchema, {}),
    expect: v.optional(v.pipe(FilledMapSchema, RequestExpectSchema)),
  }),
  v.transform(({ name, request, headers, body, expect, repeat = 1, pass = repeat }): SmokeTest => {
    const expected = expectedOf(expect);
    return { name, ...request, headers, body, run: undefined, expected, repeat, pass };
  }),
);
