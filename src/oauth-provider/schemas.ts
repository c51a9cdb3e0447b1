// The wire format of OAuth providers (https://docs.langchain.com/langsmith/api-ref-control-plane), used by the client
// and the emulator. Requests are strict; responses let unknown fields through.

import * as v from "valibot";

const nullableString = v.optional(v.nullable(v.string()));

export const ProviderUpdateRequestSchema = v.strictObject({
  name: nullableString,
  client_id: nullableString,
  client_secret: nullableString,
  auth_url: nullableString,
  token_url: nullableString,
  uses_pkce: v.optional(v.nullable(v.boolean())),
  code_challenge_method: nullableString,
});
export const FieldSchema = v.keyof(ProviderUpdateRequestSchema);
export type ProviderField = v.InferOutput<typeof FieldSchema>;
export type ProviderUpdateRequest = v.InferOutput<typeof ProviderUpdateRequestSchema>;

export const ProviderSchema = v.looseObject({
  id: v.string(),
  organization_id: v.string(),
  provider_id: v.string(),
  name: v.string(),
  client_id: v.string(),
  auth_url: v.string(),
  token_url: v.string(),
  uses_pkce: v.boolean(),
  code_challenge_method: v.nullable(v.string()),
  provider_type: v.optional(v.nullable(v.string())),
  mcp_server_url: v.optional(v.nullable(v.string())),
  token_endpoint_auth_method: v.optional(v.string()),
  is_dynamic_client: v.optional(v.boolean()),
  created_at: v.string(),
  updated_at: v.string(),
});
export type Provider = v.InferOutput<typeof ProviderSchema>;

/** What must be in a response. Others are passed on. */
export const ShownProviderSchema = v.pick(ProviderSchema, ["updated_at"]);
