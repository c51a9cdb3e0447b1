import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";
import ajvFormats from "ajv-formats";

/**
 * GitHub's own published description of its API (the npm package `@octokit/openapi`), indexed once per process
 * when first asked for. It is 13 MB of OpenAPI 3.0; only the operations that are used are made into validators.
 */

type Json = Readonly<Record<string, unknown>>;

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

/** Schema keywords that say the same in OpenAPI 3.0 and in JSON Schema. */
const sharedKeywords = ["type", "required", "enum", "pattern", "uniqueItems"];
const sharedLimits = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

const ajv = new Ajv({ strict: false, allErrors: true });
ajvFormats.default(ajv);

let document: Json | undefined;
let patterns: readonly PathPattern[] | undefined;
const validators = new Map<string, ValidateFunction>();

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asJson(value: unknown): Json {
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
function resolved(value: unknown): Json {
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
  const { parameters, requestBody } = asJson(found);
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

/** The described operation that a request is for; `pathname` as it was sent, encoded. */
export function findOperation(method: string, pathname: string): FoundOperation | undefined {
  for (const { template, names, pattern } of allPatterns()) {
    const match = pattern.exec(pathname);
    const operation = match === null ? undefined : operationOf(method, template);
    if (match !== null && operation !== undefined) {
      const values = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]);
      return { operation, pathValues: Object.fromEntries(values) };
    }
  }
  return undefined;
}

/**
 * A schema of the description as JSON Schema. `closed`: properties that are not described are errors, which the
 * description itself hardly ever says. `oneOf` becomes `anyOf`, because its alternatives often overlap.
 */
function toJsonSchema(value: unknown, closed: boolean): Json {
  const schema = resolved(value);
  // Answers break the formats that GitHub describes: `log_url` is a "uri" and is "" where there is none.
  const formats = closed ? ["format"] : [];
  const shared = [...sharedKeywords, ...sharedLimits, ...formats].flatMap((key) =>
    key in schema ? [[key, schema[key]]] : [],
  );
  const converted = {
    ...Object.fromEntries(shared),
    ...properties(schema, closed),
    ...parts(schema, closed),
  };
  return schema.nullable === true ? { anyOf: [{ type: "null" }, converted] } : converted;
}

function properties(schema: Json, closed: boolean): Json {
  if (schema.properties === undefined) {
    return isJson(schema.additionalProperties)
      ? { additionalProperties: toJsonSchema(schema.additionalProperties, closed) }
      : {};
  }
  const each = Object.entries(asJson(schema.properties));
  return {
    properties: Object.fromEntries(each.map(([name, property]) => [name, toJsonSchema(property, closed)])),
    ...(closed && schema.additionalProperties === undefined ? { additionalProperties: false } : {}),
  };
}

function parts(schema: Json, closed: boolean): Json {
  const list = (key: string) =>
    Array.isArray(schema[key]) ? schema[key].map((each: unknown) => toJsonSchema(each, closed)) : undefined;
  const anyOf = list("anyOf") ?? list("oneOf");
  const allOf = list("allOf");
  return {
    ...(schema.items === undefined ? {} : { items: toJsonSchema(schema.items, closed) }),
    ...(anyOf === undefined ? {} : { anyOf }),
    ...(allOf === undefined ? {} : { allOf }),
  };
}

function errorsOf(key: string, schema: () => Json, value: unknown): string[] {
  const validate = validators.get(key) ?? ajv.compile(schema());
  validators.set(key, validate);
  if (validate(value)) {
    return [];
  }
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = "additionalProperty" in params ? ` (${String(params.additionalProperty)})` : "";
    const allowed = "allowedValues" in params ? ` (${String(params.allowedValues)})` : "";
    return `${instancePath === "" ? "it" : instancePath} ${message ?? "is wrong"}${extra}${allowed}`;
  });
}

/** What is wrong with the parameters that stand in `place`, given with the types that their schemas name. */
export function parameterErrors(operation: Operation, place: "path" | "query", values: Json): string[] {
  const here = operation.parameters.filter((parameter) => parameter.in === place);
  const schema = () => ({
    type: "object",
    required: here.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      here.map((parameter) => [parameter.name, toJsonSchema(parameter.schema, true)]),
    ),
    additionalProperties: false,
  });
  return errorsOf(`${operation.method} ${operation.template} ${place}`, schema, values);
}

/** What is wrong with a body: unknown, missing and wrongly typed fields. `undefined` is no body. */
export function bodyErrors(operation: Operation, body: unknown): string[] {
  const described = operation.body;
  if (described === undefined) {
    return body === undefined ? [] : ["there is a body, but the operation takes none"];
  }
  if (body === undefined) {
    return described.required ? ["the body is missing"] : [];
  }
  return errorsOf(
    `${operation.method} ${operation.template} body`,
    () => toJsonSchema(described.schema, true),
    body,
  );
}

/** `METHOD template: problem` that is right although the description says otherwise. */
const undescribed = new Set([
  // The repository of a pull request's head is null once it was deleted.
  "GET /repos/{owner}/{repo}/pulls/{pull_number}: /head/repo must be object",
]);

/** What is wrong with an answer; one whose status the description has no body for can't be wrong. */
export function answerErrors(operation: Operation, status: number, body: unknown): string[] {
  const found = asJson(asJson(description().paths)[operation.template])[operation.method.toLowerCase()];
  const answer = asJson(asJson(found).responses)[String(status)];
  const content = answer === undefined ? undefined : resolved(answer).content;
  const json = content === undefined ? undefined : asJson(content)["application/json"];
  if (json === undefined) {
    return [];
  }
  const name = `${operation.method} ${operation.template}`;
  return errorsOf(`${name} ${status}`, () => toJsonSchema(asJson(json).schema, false), body).filter(
    (problem) => !undescribed.has(`${name}: ${problem}`),
  );
}

/** A fresh copy of one of the description's own examples. */
export function example(name: string): Record<string, unknown> {
  const examples = asJson(asJson(description().components).examples);
  return { ...asJson(structuredClone(asJson(examples[name]).value)) };
}
