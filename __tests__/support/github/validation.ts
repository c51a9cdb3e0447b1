import { Ajv, type ValidateFunction } from "ajv";
import ajvFormats from "ajv-formats";
import { asJson, isJson, type Json, type Operation, resolved } from "./description.ts";

/** Schema keywords that say the same in OpenAPI 3.0 and in JSON Schema. */
const sharedKeywords = ["type", "required", "enum", "pattern", "uniqueItems"];
const sharedLimits = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

const ajv = new Ajv({ strict: false, allErrors: true });
ajvFormats.default(ajv);

/** By operation and place; made when first needed, because there are a thousand operations. */
const validators = new Map<string, ValidateFunction>();

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
  const answer = operation.answers[String(status)];
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
