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

/** What a response must have. Other fields are passed on. */
export const ShownProviderSchema = v.looseObject({ updated_at: v.string() });
