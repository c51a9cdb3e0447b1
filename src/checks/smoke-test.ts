import * as v from "valibot";
import { httpMethods } from "../http/request.ts";
import { isObject } from "../text/json.ts";

// Each schema has a message of its own. Those of valibot quote the input, which may be secret.
const notMap = "must be a map";
const notText = "must be text that is not empty (in quotes if it looks like something else)";
const notTexts = "must be text or a list of texts, none of them empty (a number in quotes)";
const notBoolean = "must be true or false";
const notSeconds = "must be a number of seconds above 0 and up to 86400";
const notMethod = `must be one of ${httpMethods.join(", ")}, before a space and a path, as in GET /ok`;
const notPattern = "must be a regular expression of JavaScript";
const notPointer =
  "is not a JSON Pointer such as /answer: it must be empty or start with /, and have ~0 for ~";

const MapSchema = v.custom<Readonly<Record<string, unknown>>>(isObject, notMap);
const TextSchema = v.pipe(v.string(notText), v.nonEmpty(notText));
const TextsSchema = v.pipe(
  v.union([TextSchema, v.pipe(v.array(TextSchema), v.nonEmpty(notTexts))], notTexts),
  v.transform((texts) => [texts].flat()),
);
const SecondsSchema = v.pipe(v.number(notSeconds), v.gtValue(0, notSeconds), v.maxValue(86_400, notSeconds));
const CountSchema = wholeNumber(1, 100);

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
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
const HeadersSchema = v.pipe(MapSchema, v.record(v.pipe(v.string(), v.toLowerCase()), v.string(notText)));

const RequestLineSchema = v.pipe(
  TextSchema,
  v.rawTransform(({ dataset: { value: line }, addIssue, NEVER }) => {
    const method = httpMethods.find((known) => line.startsWith(`${known} `));
    if (method !== undefined) return { method, path: line.slice(method.length).trimStart() };
    addIssue({ message: notMethod });
    return NEVER;
  }),
);

function mapOf<const T extends v.ObjectEntries>(entries: T) {
  const keys = Object.keys(entries).join(", ");
  return v.strictObject(entries, ({ expected }) => {
    if (expected === "Object") return notMap;
    if (expected === "never") return `is not one of the keys ${keys}`;
    return expected === '"request"' ? "must be set, or graph for a run" : "must be set";
  });
}

const expectEntries = {
  status: v.optional(wholeNumber(100, 599)),
  contains: v.optional(TextsSchema),
  matches: v.optional(v.pipe(TextSchema, v.check(isPattern, notPattern))),
  json: v.optional(ValuesSchema, {}),
  max_seconds: v.optional(SecondsSchema, 60),
};

const commonEntries = { name: TextSchema, repeat: v.optional(CountSchema, 1), pass: v.optional(CountSchema) };

export const RunSchema = v.pipe(
  mapOf({
    ...commonEntries,
    graph: TextSchema,
    input: MapSchema,
    config: v.optional(MapSchema),
    context: v.optional(MapSchema),
    expect: v.optional(
      mapOf({ ...expectEntries, interrupted: v.optional(v.boolean(notBoolean), false) }),
      {},
    ),
  }),
  v.transform(({ graph, input, config, context, ...others }) => ({
    ...others,
    method: "POST" as const,
    path: "/runs/wait",
    headers: {},
    body: { assistant_id: graph, input, config, context, on_completion: "delete" },
    run: { graph, interrupted: others.expect.interrupted },
  })),
);

export const RequestSchema = v.pipe(
  mapOf({
    ...commonEntries,
    request: RequestLineSchema,
    body: v.optional(v.unknown()),
    headers: v.optional(HeadersSchema, {}),
    expect: v.optional(mapOf(expectEntries), {}),
  }),
  v.transform(({ request, body, ...others }) => ({ ...others, ...request, body, run: undefined })),
);

/** A request to the deployed agent, and the expected response. `run` is undefined if the request does not run a graph. */
export type SmokeTest = v.InferOutput<typeof RunSchema> | v.InferOutput<typeof RequestSchema>;
