/** OAuth providers in the database. */
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import type { ProviderUpdateRequest } from "../../src/oauth-provider/schemas.ts";
import { RefusedError } from "../errors.ts";
import { hashSecret, transaction } from "./database.ts";

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
type Provider = v.InferOutput<typeof ProviderSchema>;

const ProviderColumn = v.pipe(v.string(), v.parseJson(), ProviderSchema);

/** Adds the only provider to a new database; `now` is in milliseconds since the epoch. */
export function addLocalProvider(database: DatabaseSync, now: number): void {
  const provider: Provider = {
    id: "local-provider",
    organization_id: "00000000-0000-4000-8000-000000000001",
    provider_id: "local-provider",
    name: "Local provider",
    client_id: "local-client",
    auth_url: "https://auth.example/authorize",
    token_url: "https://auth.example/token",
    uses_pkce: true,
    code_challenge_method: "S256",
    provider_type: null,
    mcp_server_url: null,
    token_endpoint_auth_method: "client_secret_post",
    is_dynamic_client: false,
    created_at: new Date(now).toISOString(),
    updated_at: new Date(now).toISOString(),
  };
  database
    .prepare("INSERT INTO oauth_providers (provider_id, provider) VALUES (?, ?)")
    .run(provider.provider_id, JSON.stringify(provider));
}

/**
 * The provider after an update. A `null` clears a nullable field and leaves the others unchanged.
 * @param now milliseconds since the epoch
 * @throws {RefusedError} 404
 */
export function updateProvider(
  database: DatabaseSync,
  providerId: string,
  request: ProviderUpdateRequest,
  now: number,
): Provider {
  return transaction(database, () => {
    const provider = withChanges(findProvider(database, providerId), request, now);
    database
      .prepare("UPDATE oauth_providers SET provider = ? WHERE provider_id = ?")
      .run(JSON.stringify(provider), providerId);
    if (typeof request.client_secret === "string") {
      database
        .prepare("UPDATE oauth_providers SET client_secret_hash = ? WHERE provider_id = ?")
        .run(hashSecret(request.client_secret), providerId);
    }
    return provider;
  });
}

function withChanges(provider: Provider, request: ProviderUpdateRequest, now: number): Provider {
  const { code_challenge_method = provider.code_challenge_method } = request;
  return {
    ...provider,
    name: request.name ?? provider.name,
    client_id: request.client_id ?? provider.client_id,
    auth_url: request.auth_url ?? provider.auth_url,
    token_url: request.token_url ?? provider.token_url,
    uses_pkce: request.uses_pkce ?? provider.uses_pkce,
    code_challenge_method,
    updated_at: new Date(now).toISOString(),
  };
}

function findProvider(database: DatabaseSync, providerId: string): Provider {
  const row = database.prepare("SELECT provider FROM oauth_providers WHERE provider_id = ?").get(providerId);
  if (row === undefined) throw new RefusedError(404, `OAuth provider ${providerId} not found.`);
  return v.parse(ProviderColumn, row.provider);
}
