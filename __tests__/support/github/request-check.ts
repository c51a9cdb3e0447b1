import { type FoundOperation, findOperation, type Operation } from "./description.ts";
import { bodyErrors, parameterErrors } from "./validation.ts";

export interface IncomingRequest {
  readonly method: string;
  /** As it was sent, encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

export interface CheckedRequest {
  readonly found: FoundOperation | undefined;
  /** With the types that the description names. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** What is wrong with it, against the description; empty when it is right. */
  readonly problems: readonly string[];
}

/** Said of `per_page` in the description's prose, not in its schema. */
const longestPage = 100;
const jsonMediaTypes = /^(?:\*\/\*|application\/json|application\/vnd\.github(?:\.v3)?(?:\+json)?)$/u;

function typed(schema: Readonly<Record<string, unknown>>, text: string): unknown {
  if (schema.type === "integer" && /^\d+$/u.test(text)) {
    return Number(text);
  }
  return schema.type === "boolean" && /^(?:true|false)$/u.test(text) ? text === "true" : text;
}

function typedValues(operation: Operation, place: string, values: Iterable<readonly [string, string]>) {
  const schemas = new Map(
    operation.parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]),
  );
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, typed(schemas.get(name) ?? {}, value)]),
  );
}

/** What GitHub would refuse in the headers, or this stand-in doesn't know. */
export function headerProblems(headers: Headers): string[] {
  const accepted = (headers.get("accept") ?? "*/*")
    .split(",")
    .map((type) => type.replace(/;.*$/su, "").trim());
  return [
    ...(headers.get("user-agent") ? [] : ["the User-Agent header is missing"]),
    ...(accepted.some((type) => jsonMediaTypes.test(type))
      ? []
      : [`Accept: ${accepted.join()} is not emulated`]),
  ];
}

function queryProblems(
  operation: Operation,
  search: URLSearchParams,
  query: Readonly<Record<string, unknown>>,
) {
  const names = [...search.keys()];
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const { per_page: length, page } = query;
  return [
    ...[...repeated].map((name) => `query: ${name} stands there twice`),
    ...(typeof length === "number" && (length < 1 || length > longestPage)
      ? [`query: per_page is ${length}, not 1 to ${longestPage}`]
      : []),
    ...(page === 0 ? ["query: page is 0, not 1 or more"] : []),
    ...parameterErrors(operation, "query", query).map((problem) => `query: ${problem}`),
  ];
}

/** A body, undefined where there is none; `problem` where it is no JSON. */
export function parseJson(text: string): { value: unknown; problem?: string } {
  if (text === "") {
    return { value: undefined };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: undefined, problem: "the body isn't JSON" };
  }
}

/** Checks a request against GitHub's description: path, method, parameters, body, and the headers GitHub needs. */
export function checkRequest(request: IncomingRequest): CheckedRequest {
  const found = findOperation(request.method, request.path);
  const { value: body, problem } = parseJson(request.body);
  const general = [...headerProblems(request.headers), ...(problem === undefined ? [] : [problem])];
  if (found === undefined) {
    return { found, query: {}, body, problems: [...general, "GitHub's description has no such operation"] };
  }
  const { operation, pathValues } = found;
  const query = typedValues(operation, "query", request.query);
  const inPath = typedValues(operation, "path", Object.entries(pathValues));
  const problems = [
    ...general,
    ...parameterErrors(operation, "path", inPath).map((each) => `path: ${each}`),
    ...queryProblems(operation, request.query, query),
    ...(problem === undefined ? bodyErrors(operation, body).map((each) => `body: ${each}`) : []),
  ];
  return { found, query, body, problems };
}
