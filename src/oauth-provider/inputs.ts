import * as v from "valibot";
import { readAddress, readPlatform } from "../inputs/address.ts";
import type { InputReader } from "../inputs/reader.ts";
import { code, input as inputName, joined, quote, text } from "../text/message.ts";
import type { ProviderApiSettings } from "./client.ts";
import { type ProviderUpdateRequest, ProviderUpdateRequestSchema } from "./schemas.ts";

const FieldSchema = v.keyof(ProviderUpdateRequestSchema);
export type ProviderField = v.InferOutput<typeof FieldSchema>;

const fieldNames = joined(
  FieldSchema.options.map((name) => inputName(name)),
  ", ",
);

export interface ProviderInputs {
  readonly api: ProviderApiSettings;
  readonly providerId: string;
  /** Only the fields that were given, and `null` for those to clear. */
  readonly request: ProviderUpdateRequest;
  readonly given: readonly ProviderField[];
  readonly cleared: readonly ProviderField[];
}

/** Reads the inputs of the oauth-provider action; problems stay in the reader. */
export function readProviderInputs(reader: InputReader): ProviderInputs {
  const values = {
    name: reader.optional("name"),
    client_id: reader.optional("client_id"),
    client_secret: reader.optional("client_secret"),
    auth_url: readEndpoint(reader, "auth_url"),
    token_url: readEndpoint(reader, "token_url"),
    uses_pkce: reader.boolean("uses_pkce"),
    code_challenge_method: reader.optional("code_challenge_method"),
  } satisfies Record<ProviderField, string | boolean | undefined>;
  const given = FieldSchema.options.filter((field) => reader.optional(field) !== undefined);
  const cleared = readClear(reader, given);
  const nulls = Object.fromEntries(cleared.map((field) => [field, null]));
  const api = {
    ...readAddress(reader, readPlatform(reader), "control_plane_url"),
    headers: readCredentials(reader),
    requestTimeoutMs: reader.seconds("request_timeout_seconds", 30),
  };
  reader.required("provider_id");
  const providerId = reader.id("provider_id") ?? "";
  return { api, providerId, request: { ...values, ...nulls }, given, cleared };
}

/** How the platform combines a token with a key is not published, so a token may be given with a key or a workspace. */
function readCredentials(reader: InputReader): Record<string, string> {
  const token = reader.headerValue("bearer_token");
  const key = reader.headerValue("api_key");
  const workspace = reader.headerValue("workspace_id");
  if (token === undefined && key === undefined) {
    reader.reject("api_key", text`or ${inputName("bearer_token")} must be set`);
  }
  if (token === undefined && workspace === undefined) {
    reader.reject("workspace_id", text`or ${inputName("bearer_token")} must be set`);
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
      text`must be a URL that starts with ${code("https://")} or ${code("http://")} and contains no spaces`,
    );
  }
  return value;
}

function readClear(reader: InputReader, given: readonly ProviderField[]): ProviderField[] {
  const names = new Set(reader.list("clear"));
  if (names.size === 0 && given.length === 0) {
    reader.reject(
      "clear",
      text`or a field (${fieldNames}) must be set: there is nothing to update (GitHub passes an empty string for a secret that does not exist)`,
    );
  }
  const cleared: ProviderField[] = [];
  for (const name of names) {
    const field = v.safeParse(FieldSchema, name);
    if (!field.success) {
      reader.reject("clear", text`contains ${quote(name, 100)}, which is none of ${fieldNames}`);
    } else if (given.includes(field.output)) {
      reader.reject(field.output, text`must not be both set and named in ${inputName("clear")}`);
    } else {
      cleared.push(field.output);
    }
  }
  return cleared;
}
