import { type FoundOperation, findOperation, type Json, type Operation } from "./description.ts";
import { bodyProblems, parameterProblems } from "./schema-check.ts";

export interface IncomingRequest {
  readonly method: string;
  /** Encoded, as it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

export interface CheckedRequest {
  readonly found: FoundOperation | undefined;
  /** With the types of the description. */
  readonly query: Json;
  readonly body: unknown;
  /** What is wrong with it, by the description. */
  readonly problems: readonly string[];
}

/** The description says this of `per_page` in prose only. */
const maxPageLength = 100;
const jsonMediaTypes = /^(?:\*\/\*|application\/json|application\/vnd\.github(?:\.v3)?(?:\+json)?)$/u;
/** https://docs.github.com/en/rest/about-the-rest-api/api-versions#supported-api-versions */
const apiVersions = [null, "2022-11-28"];

function typed(schema: Json, text: string): unknown {
  if (schema.type === "integer" && /^\d+$/u.test(text)) return Number(text);
  return schema.type === "boolean" && /^(?:true|false)$/u.test(text) ? text === "true" : text;
}

function typedValues(operation: Operation, place: string, values: Iterable<readonly [string, string]>): Json {
  const schemas = new Map(
    operation.parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]),
  );
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, typed(schemas.get(name) ?? {}, value)]),
  );
}

/** What GitHub would refuse in the headers, or the stand-in does not know. */
export function headerProblems(headers: Headers): string[] {
  const accepted = (headers.get("accept") ?? "*/*")
    .split(",")
    .map((type) => type.replace(/;.*$/su, "").trim());
  const version = headers.get("x-github-api-version");
  return [
    ...(headers.get("user-agent") ? [] : ["the User-Agent header is missing"]),
    ...(accepted.some((type) => jsonMediaTypes.test(type)) ? [] : [`Accept: ${accepted.join()} is unknown`]),
    ...(apiVersions.includes(version) ? [] : [`X-GitHub-Api-Version: ${version} is unknown`]),
  ];
}

function queryProblems(operation: Operation, search: URLSearchParams, query: Json): string[] {
  const names = [...search.keys()];
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const { per_page: length, page } = query;
  return [
    ...[...repeated].map((name) => `query: ${name} is given twice`),
    ...(typeof length === "number" && (length < 1 || length > maxPageLength)
      ? [`query: per_page is ${length}, not 1 to ${maxPageLength}`]
      : []),
    ...(page === 0 ? ["query: page is 0, not 1 or more"] : []),
    ...parameterProblems(operation, "query", query).map((problem) => `query: ${problem}`),
  ];
}

/** A body, undefined if there is none. */
export function parseBody(text: string): { readonly value: unknown; readonly problem?: string } {
  if (text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: undefined, problem: "the body is not JSON" };
  }
}

/** Checks a request against GitHub's description: path, method, parameters, body, and the headers GitHub needs. */
export function checkRequest(request: IncomingRequest): CheckedRequest {
  const found = findOperation(request.method, request.path);
  const { value: body, problem } = parseBody(request.body);
  const general = [...headerProblems(request.headers), ...(problem === undefined ? [] : [problem])];
  if (found === undefined) {
    return { found, query: {}, body, problems: [...general, "GitHub's description has no such operation"] };
  }
  const { operation, pathValues } = found;
  const query = typedValues(operation, "query", request.query);
  const inPath = typedValues(operation, "path", Object.entries(pathValues));
  const problems = [
    ...general,
    ...parameterProblems(operation, "path", inPath).map((each) => `path: ${each}`),
    ...queryProblems(operation, request.query, query),
    ...(problem === undefined ? bodyProblems(operation, body).map((each) => `body: ${each}`) : []),
  ];
  return { found, query, body, problems };
}
