import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { parseBody } from "../http/response.ts";
import { defaultRetryMs, type ShouldRetry } from "../http/retry.ts";
import { apiPath } from "../http/url.ts";
import { controlPlaneHints, createHintFor } from "../platform/hints.ts";
import { inputName, phrase, text } from "../text/message.ts";
import type { ProviderInputs } from "./read-provider-inputs.ts";
import { ShownProviderSchema } from "./schemas.ts";

/** Updates an OAuth provider, and returns it without its secret. */
export async function updateProvider(
  { url, region, headers, requestTimeoutMs, providerId, request }: ProviderInputs,
  context: Context,
  shouldRetry: ShouldRetry,
) {
  const hintFor = createHintFor(providerHints, region);
  const api = new ApiClient({ url, headers, requestTimeoutMs, retryMs: defaultRetryMs, hintFor }, context);
  const update = { method: "PATCH", path: apiPath`/v2/auth/providers/${providerId}`, body: request } as const;
  const response = await api.send(update, shouldRetry);
  const { client_secret: secret, ...provider } = parseBody(response, ShownProviderSchema);
  // According to the API's description, a response does not contain the secret. If one does, it must not be shown.
  if (typeof secret === "string" && secret !== "") context.report.mask([secret]);
  return provider;
}

const credentials = phrase`the ${inputName("api_key")} or ${inputName("bearer_token")} of this step`;
const checkedInputs = phrase`${inputName("control_plane_url")}, ${inputName("provider_id")} and ${inputName("workspace_id")}`;

const providerHints = {
  ...controlPlaneHints,
  byStatus: {
    401: text`Check that ${credentials} is valid on the platform at ${inputName("control_plane_url")}.`,
    403: text`Check ${inputName("workspace_id")}, and that ${credentials} may manage the organization's OAuth providers.`,
    404: text`There is no such OAuth provider for this workspace or token. Check ${checkedInputs}.`,
  },
  otherwise: text`Check ${checkedInputs}.`,
};
