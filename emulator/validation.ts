/** Requests against their schema, every violation at once, told the way platform-api, "Validation error body" says. */
import * as v from "valibot";
import { InvalidRequestError, type ValidationItem } from "./errors.ts";

/**
 * The value as the schema reads it.
 * @param location where the value stands in the request
 * @throws {InvalidRequestError} with an item for every violation
 */
export function validate<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  location: "body" | "query" | "path",
): v.InferOutput<Schema> {
  const items: ValidationItem[] = [];
  const rest = structuredClone(value);
  for (;;) {
    const result = v.safeParse(schema, rest);
    const lists = result.success ? listsReadAsObjects(rest, result.output, [location]) : [];
    items.push(...lists.map((loc) => ({ loc, msg: "Input should be Object", type: "object_type" })));
    if (result.success && items.length === 0) return result.output;
    const issues = result.issues ?? [];
    const unknown = issues.filter(isUnknownKey);
    items.push(...unknown.map((issue) => itemOf(issue, location)));
    if (unknown.length === 0) {
      throw new InvalidRequestError([...items, ...issues.map((issue) => itemOf(issue, location))]);
    }
    // valibot names only the first unknown key of an object: without it the next one shows.
    for (const issue of unknown) removeKey(issue);
  }
}

type Place = readonly (string | number)[];

/** To valibot a list is an object too, and an empty one has no key to complain about. */
function listsReadAsObjects(input: unknown, output: unknown, place: Place): Place[] {
  if (Array.isArray(input) && isObject(output)) return [place];
  if (typeof input !== "object" || input === null) return [];
  const outputs = new Map<string, unknown>(Object.entries(output ?? {}));
  return Object.entries(input).flatMap(([key, value]) =>
    listsReadAsObjects(value, outputs.get(key), [...place, Array.isArray(input) ? Number(key) : key]),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Issue = v.BaseIssue<unknown>;

function isUnknownKey(issue: Issue): boolean {
  return issue.type === "strict_object" && issue.expected === "never";
}

function removeKey(issue: Issue): void {
  const place = issue.path?.at(-1);
  if (place?.type === "object") delete place.input[place.key];
}

function itemOf(issue: Issue, location: string): ValidationItem {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  return { loc: [location, ...path], ...wordsFor(issue) };
}

/** The checks that the emulator words itself. */
const OWN_WORDS = new Set(["check", "partial_check", "raw_transform", "uuid"]);

// valibot's own messages quote what was received: here that may be a secret.
function wordsFor(issue: Issue): Pick<ValidationItem, "msg" | "type"> {
  if (isUnknownKey(issue)) return { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
  if (issue.path?.at(-1)?.origin === "key") return { msg: "Field required", type: "missing" };
  if (issue.kind === "schema")
    return { msg: `Input should be ${issue.expected}`, type: `${issue.type}_type` };
  if (OWN_WORDS.has(issue.type)) return { msg: issue.message, type: "value_error" };
  return { msg: `Value should be ${issue.expected ?? "another"}`, type: issue.type };
}

/**
 * The body of a request as JSON.
 * @throws {InvalidRequestError} when it is none, or does not say that it is
 */
export async function jsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  // platform-api, Endpoints: "Requests with a body send Content-Type: application/json".
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw invalidBody("Content-Type should be application/json", "content_type");
  }
  try {
    return JSON.parse(await request.text());
  } catch {
    throw invalidBody("The body is not JSON", "json_invalid");
  }
}

function invalidBody(msg: string, type: string): InvalidRequestError {
  return new InvalidRequestError([{ loc: ["body"], msg, type }]);
}

/** The query of a URL: a parameter given once as text, one given several times as a list. */
export function queryOf(url: string): Record<string, string | string[]> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/**
 * For operations that take no query.
 * @throws {InvalidRequestError} when there is one
 */
export function refuseQuery(url: string): void {
  validate(v.strictObject({}), queryOf(url), "query");
}

/**
 * An id from the path.
 * @throws {InvalidRequestError} when it doesn't look like one
 */
export function pathId(
  schema: v.GenericSchema<unknown, string>,
  name: string,
  value: string | undefined,
): string {
  return validate(v.record(v.string(), schema), { [name]: value }, "path")[name] ?? "";
}
