import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { parseBody } from "../http/response.ts";
import { retryIdempotent } from "../http/retry.ts";
import { urlBelow } from "../platform/api.ts";
import { controlPlaneHints, hintsFor } from "../platform/hints.ts";
import { input, text } from "../text/message.ts";
import type { ProviderInputs } from "./inputs.ts";
import { ProviderSchema } from "./schemas.ts";

const retryMs = 300_000;

/** Updates an OAuth provider. The same update twice is the same as once, so it is retried like a read. */
export async function updateProvider(
  { url, region, headers, requestTimeoutMs, providerId, request }: ProviderInputs,
  context: Context,
): Promise<{ readonly updatedAt: string; readonly json: string }> {
  const settings = { headers, requestTimeoutMs, retryMs, hintFor: hintsFor(providerHints, region) };
  const api = new ApiClient(settings, context);
  const address = urlBelow(url)`/v2/auth/providers/${providerId}`;
  const response = await api.send("PATCH", address, request, retryIdempotent);
  return { updatedAt: parseBody(response, ProviderSchema).updated_at, json: response.text };
}

const credentials = text`the ${input("api_key")} or ${input("bearer_token")} of this step`;
const target = text`${input("control_plane_url")}, ${input("provider_id")} and ${input("workspace_id")}`;

const providerHints = {
  ...controlPlaneHints,
  byStatus: {
    401: text`Check that ${credentials} is valid on the platform at ${input("control_plane_url")}.`,
    403: text`Check ${input("workspace_id")}, and that ${credentials} may manage the organization's OAuth providers.`,
    404: text`There is no such OAuth provider for this workspace or token. Check ${target}.`,
  },
  otherwise: text`Check ${target}.`,
};
