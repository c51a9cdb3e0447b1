import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { parseBody, unexpectedResponse } from "../http/response.ts";
import { defaultRetryMs, type ShouldRetry } from "../http/retry.ts";
import { urlTag } from "../platform/api.ts";
import { isSameId } from "../platform/deployment.ts";
import { controlPlaneHints, hintsFor } from "../platform/hints.ts";
import { code, inputName, text } from "../text/message.ts";
import type { ProviderInputs } from "./inputs.ts";
import { type Provider, ProviderSchema, type ProviderUpdateRequest } from "./schemas.ts";

/** Updates an OAuth provider, and returns it without its secret. */
export async function updateProvider(
  { url, region, headers, requestTimeoutMs, providerId, request }: ProviderInputs,
  context: Context,
  shouldRetry: ShouldRetry,
): Promise<{ readonly updatedAt: string; readonly provider: object }> {
  const settings = {
    headers,
    requestTimeoutMs,
    retryMs: defaultRetryMs,
    hintFor: hintsFor(providerHints, region),
  };
  const api = new ApiClient(settings, context);
  const address = urlTag(url)`/v2/auth/providers/${providerId}`;
  const response = await api.send("PATCH", address, request, shouldRetry);
  const shown = parseBody(response, ProviderSchema);
  const isWanted = [shown.id, shown.provider_id].some((shownId) => isSameId(shownId, providerId));
  const wrong = isWanted ? findDifference(request, shown) : "id";
  if (wrong !== undefined) {
    throw unexpectedResponse(response, text`it shows a different ${code(wrong)} from the one that was sent`);
  }
  const { client_secret: secret, ...others } = shown;
  // By its description, a response never contains the secret. If one does, nothing may show it.
  if (typeof secret === "string") context.report.mask([secret]);
  return { updatedAt: shown.updated_at, provider: others };
}

/** The first field that was sent and that the provider does not have. It never shows its secret. */
function findDifference(sent: ProviderUpdateRequest, shown: Provider): string | undefined {
  const { client_secret: _, code_challenge_method: method, ...others } = sent;
  if (method !== undefined && method !== shown.code_challenge_method) return "code_challenge_method";
  const fields = new Map<string, unknown>(Object.entries(shown));
  // The other fields are never null in a response.
  const isOther = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== null && comparable(value) !== comparable(fields.get(name));
  return Object.entries(others).find(isOther)?.[0];
}

/** A URL may come back with a slash at its end. */
function comparable(value: unknown): unknown {
  return typeof value === "string" && URL.canParse(value) ? new URL(value).href : value;
}

const credentials = text`the ${inputName("api_key")} or ${inputName("bearer_token")} of this step`;
const target = text`${inputName("control_plane_url")}, ${inputName("provider_id")} and ${inputName("workspace_id")}`;

const providerHints = {
  ...controlPlaneHints,
  byStatus: {
    401: text`Check that ${credentials} is valid on the platform at ${inputName("control_plane_url")}.`,
    403: text`Check ${inputName("workspace_id")}, and that ${credentials} may manage the organization's OAuth providers.`,
    404: text`There is no such OAuth provider for this workspace or token. Check ${target}.`,
  },
  otherwise: text`Check ${target}.`,
};
