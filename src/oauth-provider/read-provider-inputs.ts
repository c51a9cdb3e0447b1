import * as v from "valibot";
import { emptyHint } from "../input-problem.ts";
import { readApiLocation } from "../inputs/api-location.ts";
import { choicesOf, type InputReader } from "../inputs/reader.ts";
import { code, inputName, phrase, quote } from "../text/message.ts";
import { IdSchema } from "../text/schemas.ts";
import { FieldSchema, type ProviderField, type ProviderUpdateRequest } from "./schemas.ts";

const fieldNames = choicesOf(FieldSchema.options);

export type ProviderInputs = Readonly<ReturnType<typeof readProviderInputs>>;

export function readProviderInputs(reader: InputReader) {
  const values = {
    name: reader.optional("name"),
    client_id: reader.optional("client_id"),
    client_secret: reader.optional("client_secret"),
    auth_url: readEndpoint(reader, "auth_url"),
    token_url: readEndpoint(reader, "token_url"),
    uses_pkce: reader.boolean("uses_pkce"),
    code_challenge_method: reader.optional("code_challenge_method"),
  } satisfies Record<ProviderField, string | boolean | undefined>;
  const setFields = FieldSchema.options.filter((field) => reader.optional(field) !== undefined);
  const nulls = Object.fromEntries(readClear(reader, setFields).map((field) => [field, null]));
  const request: ProviderUpdateRequest = { ...values, ...nulls };
  return {
    ...readApiLocation(reader, "control_plane_url"),
    headers: readCredentials(reader),
    requestTimeoutMs: reader.requestTimeoutMs(),
    providerId: reader.id("provider_id", IdSchema) ?? reader.required("provider_id"),
    request,
  };
}

function readCredentials(reader: InputReader): Record<string, string> {
  const token = reader.headerValue("bearer_token");
  const key = reader.headerValue("api_key");
  const workspace = reader.headerValue("workspace_id");
  for (const input of ["api_key", "workspace_id"] as const) {
    if (reader.optional("bearer_token") === undefined && reader.optional(input) === undefined) {
      reader.reject(input, phrase`or ${inputName("bearer_token")} must be set`, { hint: emptyHint });
    }
  }
  return {
    ...(key !== undefined && { "x-api-key": key }),
    ...(workspace !== undefined && { "x-tenant-id": workspace }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}

function readEndpoint(reader: InputReader, input: ProviderField): string | undefined {
  const value = reader.optional(input);
  if (value !== undefined && !(/^https?:\/\/\S+$/i.test(value) && URL.canParse(value))) {
    reader.reject(
      input,
      phrase`must be a URL that starts with ${code("https://")} or ${code("http://")} and contains no spaces`,
    );
  }
  return value;
}

function readClear(reader: InputReader, setFields: readonly ProviderField[]): ProviderField[] {
  const names = reader.list("clear");
  if (names.length === 0 && setFields.length === 0) {
    const problem = phrase`or a field (${fieldNames}) must be set: there is nothing to update`;
    reader.reject("clear", problem, { hint: emptyHint });
  }
  for (const name of names) {
    if (!v.is(FieldSchema, name)) {
      reader.reject("clear", phrase`contains ${quote(name, 100)}, which is not ${fieldNames}`);
    } else if (setFields.includes(name)) {
      reader.reject(name, phrase`must not be both set and named in ${inputName("clear")}`);
    }
  }
  return FieldSchema.options.filter((field) => names.includes(field));
}
