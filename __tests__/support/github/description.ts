import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The parts of GitHub's own description of its API (OpenAPI 3.0, https://github.com/octokit/openapi) that the actions
 * request. `npm run github-openapi` makes them of the newest version.
 */

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
}

export interface Operation {
  readonly method: string;
  /** The path in the description, such as `/repos/{owner}/{repo}/deployments`. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** By status. */
  readonly responses: Json;
  /** Of the JSON body, if the operation takes one. */
  readonly body: { readonly required: boolean; readonly schema: Json } | undefined;
}

export interface FoundOperation {
  readonly operation: Operation;
  /** The values of the path's parameters, decoded. */
  readonly pathValues: Readonly<Record<string, string>>;
}

interface PathPattern {
  readonly template: string;
  readonly names: readonly string[];
  readonly pattern: RegExp;
  readonly literals: number;
}

let document: Json | undefined;
const found = new Map<string, FoundOperation | undefined>();

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws an error if the description has changed its form */
export function asJson(value: unknown): Json {
  if (!isJson(value)) throw new Error("GitHub's description does not have the expected form");
  return value;
}

function description(): Json {
  if (document === undefined) {
    document = asJson(JSON.parse(readFileSync(join(import.meta.dirname, "openapi.json"), "utf8")));
  }
  return document;
}

/** What a `$ref` refers to, or else the value itself. */
export function resolved(value: unknown): Json {
  const json = asJson(value);
  if (typeof json.$ref !== "string") return json;
  const keys = json.$ref.replace(/^#\//u, "").split("/");
  return asJson(keys.reduce<unknown>((at, key) => asJson(at)[key], description()));
}

/** Parameters in which GitHub accepts slashes, though its description says so of `path` alone. */
const withSlashes = new Set(["{path}", "{ref}"]);

function patternOf(template: string): PathPattern {
  const parts = template.split(/(\{[^}]+\})/u);
  const source = parts.map((part) => {
    if (!part.startsWith("{")) return part.replaceAll(/[.*+?^$()[\]|\\]/gu, "\\$&");
    return withSlashes.has(part) ? "(.+)" : "([^/]+)";
  });
  return {
    template,
    names: parts.filter((part) => part.startsWith("{")).map((part) => part.slice(1, -1)),
    // The root of a repository's contents has an empty path, with or without the slash before it.
    pattern: new RegExp(`^${source.join("").replace(/\/contents\/\(\.\+\)$/u, "/contents(?:/(.*))?")}$`, "u"),
    literals: template.split("/").filter((part) => part !== "" && !part.startsWith("{")).length,
  };
}

/** Of the templates that may fit, the most literal first. */
function patternsFor(pathname: string): PathPattern[] {
  const segments = pathname.split("/");
  const mayFit = (template: string) =>
    template
      .split("/")
      .slice(0, 5)
      .every((part, index) => part.startsWith("{") || part === segments[index]);
  return Object.keys(asJson(description().paths))
    .filter(mayFit)
    .map(patternOf)
    .sort((one, other) => other.literals - one.literals);
}

function operationOf(method: string, template: string): Operation | undefined {
  const operation = asJson(asJson(description().paths)[template])[method.toLowerCase()];
  if (operation === undefined) return undefined;
  const { parameters, requestBody, responses } = asJson(operation);
  return {
    method,
    template,
    parameters: (Array.isArray(parameters) ? parameters : []).map((each) => {
      const { name, in: place, required, schema } = resolved(each);
      return {
        name: String(name),
        in: String(place),
        required: required === true,
        schema: resolved(schema),
      };
    }),
    responses: asJson(responses),
    body: requestBody === undefined ? undefined : bodyOf(resolved(requestBody)),
  };
}

function bodyOf({ content, required }: Json): Operation["body"] {
  const json = asJson(content)["application/json"];
  return { required: required === true, schema: json === undefined ? {} : resolved(asJson(json).schema) };
}

/** Text in an invalid encoding stays, and then fits no name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The operation that a request is for. `pathname`: encoded, as it was sent. */
export function findOperation(method: string, pathname: string): FoundOperation | undefined {
  const key = `${method} ${pathname}`;
  if (!found.has(key)) found.set(key, matchOperation(method, pathname));
  return found.get(key);
}

function matchOperation(method: string, pathname: string): FoundOperation | undefined {
  for (const { template, names, pattern } of patternsFor(pathname)) {
    const match = pattern.exec(pathname);
    const operation = match === null ? undefined : operationOf(method, template);
    if (match !== null && operation !== undefined) {
      const values = names.map((name, index) => [name, decoded(match[index + 1] ?? "")]);
      return { operation, pathValues: Object.fromEntries(values) };
    }
  }
  return undefined;
}

/** One of the description's own examples: an object, or a list of them. */
export function example(name: string): unknown {
  return asJson(asJson(asJson(description().components).examples)[name]).value;
}
