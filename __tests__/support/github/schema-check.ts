import { Ajv, type ValidateFunction } from "ajv";
import ajvFormats from "ajv-formats";
import { asJson, isJson, type Json, type Operation, resolved } from "./description.ts";

/** Schema keywords that mean the same in OpenAPI 3.0 and in JSON Schema. */
const sharedKeywords = ["type", "required", "enum", "pattern", "uniqueItems"];
const sharedLimits = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

const ajv = new Ajv({ strict: false, allErrors: true });
ajvFormats.default(ajv);

/** By operation and place, compiled when first needed: there are a thousand operations. */
const validators = new Map<string, ValidateFunction>();

/**
 * A schema of the description as JSON Schema. `isClosed`: properties that are not described are errors, which the
 * description itself hardly ever says. `oneOf` becomes `anyOf`, because its alternatives often overlap.
 */
function toJsonSchema(value: unknown, isClosed: boolean): Json {
  const schema = resolved(value);
  // Responses break the described formats: `log_url` is a "uri", and `""` if there is none.
  const formats = isClosed ? ["format"] : [];
  const shared = [...sharedKeywords, ...sharedLimits, ...formats].flatMap((key) =>
    key in schema ? [[key, schema[key]]] : [],
  );
  const converted = {
    ...Object.fromEntries(shared),
    ...convertProperties(schema, isClosed),
    ...convertParts(schema, isClosed),
  };
  return schema.nullable === true ? { anyOf: [{ type: "null" }, converted] } : converted;
}

function convertProperties(schema: Json, isClosed: boolean): Json {
  if (schema.properties === undefined) {
    return isJson(schema.additionalProperties)
      ? { additionalProperties: toJsonSchema(schema.additionalProperties, isClosed) }
      : {};
  }
  const properties = Object.entries(asJson(schema.properties)).map(([name, property]) => [
    name,
    toJsonSchema(property, isClosed),
  ]);
  const isExact = isClosed && schema.additionalProperties === undefined;
  return { properties: Object.fromEntries(properties), ...(isExact && { additionalProperties: false }) };
}

function convertParts(schema: Json, isClosed: boolean): Json {
  const list = (key: string) =>
    Array.isArray(schema[key]) ? schema[key].map((each: unknown) => toJsonSchema(each, isClosed)) : undefined;
  const anyOf = list("anyOf") ?? list("oneOf");
  const allOf = list("allOf");
  return {
    ...(schema.items !== undefined && { items: toJsonSchema(schema.items, isClosed) }),
    ...(anyOf && { anyOf }),
    ...(allOf && { allOf }),
  };
}

function problemsOf(key: string, schema: () => Json, value: unknown): string[] {
  const validate = validators.get(key) ?? ajv.compile(schema());
  validators.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = "additionalProperty" in params ? ` (${String(params.additionalProperty)})` : "";
    const allowed = "allowedValues" in params ? ` (${String(params.allowedValues)})` : "";
    return `${instancePath === "" ? "it" : instancePath} ${message ?? "is wrong"}${extra}${allowed}`;
  });
}

/** What is wrong with the parameters in `place`; their values have the types of their schemas. */
export function parameterProblems(operation: Operation, place: "path" | "query", values: Json): string[] {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  const schema = () => ({
    type: "object",
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter.name, toJsonSchema(parameter.schema, true)]),
    ),
    additionalProperties: false,
  });
  return problemsOf(`${operation.method} ${operation.template} ${place}`, schema, values);
}

/** What is wrong with a request body: unknown, missing and wrongly typed fields. `undefined` is no body. */
export function bodyProblems({ method, template, body: described }: Operation, body: unknown): string[] {
  if (described === undefined) {
    return body === undefined ? [] : ["there is a body, but the operation takes none"];
  }
  if (body === undefined) return described.required ? ["the body is missing"] : [];
  return problemsOf(`${method} ${template} body`, () => toJsonSchema(described.schema, true), body);
}

/** What is right although the description says otherwise. */
const undescribed = new Set([
  // The repository of a pull request's head is null after it was deleted.
  "GET /repos/{owner}/{repo}/pulls/{pull_number}: /head/repo must be object",
]);

/** What is wrong with a response. One without a described body can't be wrong. */
export function responseProblems(
  { method, template, responses }: Operation,
  status: number,
  body: unknown,
): string[] {
  const described = responses[String(status)];
  const content = described === undefined ? undefined : resolved(described).content;
  const json = content === undefined ? undefined : asJson(content)["application/json"];
  if (json === undefined) return [];
  const name = `${method} ${template}`;
  const problems = problemsOf(`${name} ${status}`, () => toJsonSchema(asJson(json).schema, false), body);
  return problems.filter((problem) => !undescribed.has(`${name}: ${problem}`));
}
