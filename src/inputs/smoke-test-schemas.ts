import * as v from "valibot";
import { headerNameProblem, headerValueProblem, pathProblem } from "../agent/request-parts.ts";
import type { SmokeTest } from "../checks/smoke-test.ts";
import { httpMethods } from "../http/request.ts";
import { asObject } from "../text/json.ts";
import { type Message, rawText } from "../text/message.ts";

// The messages of these schemas hold nothing of the input.

const MapSchema = v.custom<Readonly<Record<string, unknown>>>(
  (value) => asObject(value) !== undefined,
  "must be a map",
);
const notText = "must be text that is not empty (in quotes if it looks like something else)";
const TextSchema = v.pipe(v.string(notText), v.nonEmpty(notText));
const TextsSchema = v.pipe(
  v.union(
    [TextSchema, v.pipe(v.array(TextSchema), v.nonEmpty("must name at least one text"))],
    "must be text or a list of texts that are not empty",
  ),
  v.transform((value) => (typeof value === "string" ? [value] : value)),
);
const notSeconds = "must be a number of seconds above 0 and up to 86400";
const SecondsSchema = v.pipe(
  v.number(notSeconds),
  v.gtValue(0, notSeconds),
  v.maxValue(86_400, notSeconds),
  v.transform((seconds) => Math.ceil(seconds * 1000)),
);
const PatternSchema = v.pipe(TextSchema, v.check(isPattern, "must be a regular expression of JavaScript"));

function isPattern(value: string): boolean {
  try {
    return Boolean(new RegExp(value));
  } catch {
    return false;
  }
}

function wholeNumber(min: number, max: number) {
  return v.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  );
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
const jsonPointer = /^(\/([^~/]|~[01])*)*$/u;
const PointerSchema = v.pipe(
  v.string(),
  v.regex(jsonPointer, "is not a JSON Pointer. It must be empty or start with /, and have ~0 for ~"),
);

function withoutProblem(problemOf: (value: string) => Message | undefined) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const problem = dataset.typed ? problemOf(dataset.value) : undefined;
    if (problem !== undefined) addIssue({ message: rawText(problem) });
  });
}

const ValuesSchema = v.pipe(
  MapSchema,
  v.record(PointerSchema, v.unknown()),
  v.check((values) => Object.keys(values).length > 0, "must name at least one JSON Pointer"),
);

const HeadersSchema = v.pipe(
  MapSchema,
  v.record(
    v.pipe(v.string(), withoutProblem(headerNameProblem), v.toLowerCase()),
    v.pipe(v.string("must have text as its value (in quotes)"), withoutProblem(headerValueProblem)),
  ),
);

/** A method and a path, such as `GET /ok`. */
const RequestLineSchema = v.pipe(
  TextSchema,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const [, name, path = ""] = /^(\S+) +(\S.*)$/s.exec(dataset.value) ?? [];
    const method = httpMethods.find((known) => known === name);
    const form = `must be a method (${httpMethods.join(", ")}), a space and a path, such as GET /ok`;
    const problem = method && pathProblem(path);
    if (method !== undefined && problem === undefined) return { method, path };
    addIssue({ message: problem === undefined ? form : rawText(problem) });
    return NEVER;
  }),
);

/** A map that has no other keys. */
function mapOf<const T extends v.ObjectEntries>(entries: T) {
  const unknown = `is not a known key. The known keys here are ${Object.keys(entries).join(", ")}`;
  return v.strictObject(entries, ({ expected }) => (expected === "never" ? unknown : "must be set"));
}

const expectEntries = {
  status: v.optional(wholeNumber(100, 599)),
  contains: v.optional(TextsSchema),
  matches: v.optional(PatternSchema),
  json: v.optional(ValuesSchema),
  max_seconds: v.optional(SecondsSchema, 60),
};
const RequestExpectSchema = mapOf(expectEntries);
const RunExpectSchema = mapOf({
  ...expectEntries,
  interrupted: v.optional(v.boolean("must be true or false"), false),
});

function expectedOf(expect: v.InferOutput<typeof RequestExpectSchema>): SmokeTest["expected"] {
  const { status, contains = [], matches, json = {}, max_seconds: maxMs } = expect;
  return { status, contains, matches, json, maxMs };
}

const commonEntries = {
  name: TextSchema,
  repeat: v.optional(wholeNumber(1, 100), 1),
  pass: v.optional(wholeNumber(1, 100)),
};

export const RunSchema = v.pipe(
  mapOf({
    ...commonEntries,
    graph: TextSchema,
    input: MapSchema,
    config: v.optional(MapSchema),
    context: v.optional(MapSchema),
    expect: v.optional(v.pipe(MapSchema, RunExpectSchema), {}),
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
    expect: v.optional(v.pipe(MapSchema, RequestExpectSchema), {}),
  }),
  v.transform(({ name, request, headers, body, expect, repeat, pass = repeat }): SmokeTest => {
    return { name, ...request, headers, body, run: undefined, expected: expectedOf(expect), repeat, pass };
  }),
);
