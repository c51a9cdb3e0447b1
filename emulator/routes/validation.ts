/** Validation of requests: a 422 lists every violation at once. */
import * as v from "valibot";
import { InvalidRequestError, type ValidationItem } from "../errors.ts";

/**
 * The value that the schema parses.
 * @param location the part of the request that holds the value
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
    // valibot reports only the first unknown key of an object. Once it is removed, the next one is reported.
    for (const issue of unknown) removeKey(issue);
  }
}

type Place = readonly (string | number)[];

/** valibot accepts a list where it expects an object, as long as no key is missing or unknown. */
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
  return { loc: [location, ...path], ...messageFor(issue) };
}

/** The checks whose messages the emulator words itself. */
const OWN_MESSAGES = new Set(["check", "partial_check", "raw_transform", "uuid"]);

// valibot's own messages quote the received value, which may be a secret.
function messageFor(issue: Issue): Pick<ValidationItem, "msg" | "type"> {
  if (isUnknownKey(issue)) return { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
  if (issue.path?.at(-1)?.origin === "key") return { msg: "Field required", type: "missing" };
  if (issue.kind === "schema")
    return { msg: `Input should be ${issue.expected}`, type: `${issue.type}_type` };
  if (OWN_MESSAGES.has(issue.type)) return { msg: issue.message, type: "value_error" };
  return { msg: `Value should be ${issue.expected ?? "another"}`, type: issue.type };
}

/**
 * The parsed JSON body of a request.
 * @throws {InvalidRequestError} if it is not JSON, or has another content type
 */
export async function jsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
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

/** The parameters of a URL: text, or a list if a parameter is repeated. */
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
 * @throws {InvalidRequestError} if there is one
 */
export function refuseQuery(url: string): void {
  validate(v.strictObject({}), queryOf(url), "query");
}

/**
 * An id from the path.
 * @throws {InvalidRequestError} if it does not have the form of one
 */
export function pathId(
  schema: v.GenericSchema<unknown, string>,
  name: string,
  value: string | undefined,
): string {
  return validate(v.record(v.string(), schema), { [name]: value }, "path")[name] ?? "";
}
