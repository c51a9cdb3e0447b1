import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * GitHub's own published description of its API (the npm package `@octokit/openapi`), indexed once per process
 * when first asked for. It is 13 MB of OpenAPI 3.0.
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
  /** The path as the description has it, `/repos/{owner}/{repo}/deployments` say. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** By status. */
  readonly answers: Json;
  /** Of the JSON body; none where the operation takes no body. */
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
let patterns: readonly PathPattern[] | undefined;

/** Whether it is an object. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws when it is none: then the description has another form than the one that is read here. */
export function asJson(value: unknown): Json {
  if (!isJson(value)) {
    throw new Error("GitHub's description isn't of the form that is read here");
  }
  return value;
}

function description(): Json {
  if (document === undefined) {
    const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
    document = asJson(JSON.parse(readFileSync(file, "utf8")));
  }
  return document;
}

/** What a `$ref` stands for; anything else is itself. */
export function resolved(value: unknown): Json {
  const json = asJson(value);
  if (typeof json.$ref !== "string") {
    return json;
  }
  const keys = json.$ref.replace(/^#\//u, "").split("/");
  return asJson(keys.reduce<unknown>((at, key) => asJson(at)[key], description()));
}

/** Parameters that GitHub takes with slashes in them, though its description says so of `path` alone. */
const withSlashes = new Set(["{path}", "{ref}", "{branch}"]);

function patternOf(template: string): PathPattern {
  const parts = template.split(/(\{[^}]+\})/u);
  const source = parts.map((part) => {
    if (!part.startsWith("{")) {
      return part.replaceAll(/[.*+?^$()[\]|\\]/gu, "\\$&");
    }
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

function allPatterns(): readonly PathPattern[] {
  patterns ??= Object.keys(asJson(description().paths))
    .map(patternOf)
    .sort((one, other) => other.literals - one.literals);
  return patterns;
}

function operationOf(method: string, template: string): Operation | undefined {
  const found = asJson(asJson(description().paths)[template])[method.toLowerCase()];
  if (found === undefined) {
    return undefined;
  }
  const { parameters, requestBody, responses } = asJson(found);
  return {
    method,
    template,
    parameters: (Array.isArray(parameters) ? parameters : []).map((each) => {
      const parameter = resolved(each);
      return {
        name: String(parameter.name),
        in: String(parameter.in),
        required: parameter.required === true,
        schema: resolved(parameter.schema),
      };
    }),
    answers: asJson(responses),
    body: requestBody === undefined ? undefined : bodyOf(resolved(requestBody)),
  };
}

function bodyOf(requestBody: Json): Operation["body"] {
  const json = asJson(requestBody.content)["application/json"];
  return {
    required: requestBody.required === true,
    schema: json === undefined ? {} : resolved(asJson(json).schema),
  };
}

/** Of a wrong encoding nothing is made: it then fits no name that there is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The described operation that a request is for; `pathname` as it was sent, encoded. */
export function findOperation(method: string, pathname: string): FoundOperation | undefined {
  for (const { template, names, pattern } of allPatterns()) {
    const match = pattern.exec(pathname);
    const operation = match === null ? undefined : operationOf(method, template);
    if (match !== null && operation !== undefined) {
      const values = names.map((name, index) => [name, decoded(match[index + 1] ?? "")]);
      return { operation, pathValues: Object.fromEntries(values) };
    }
  }
  return undefined;
}

/** A fresh copy of one of the description's own examples. */
export function example(name: string): Record<string, unknown> {
  const examples = asJson(asJson(description().components).examples);
  return { ...asJson(structuredClone(asJson(examples[name]).value)) };
}
