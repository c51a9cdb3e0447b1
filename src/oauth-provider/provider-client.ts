import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { parseBody, unexpectedResponseFailure } from "../http/response.ts";
import { defaultRetryMs, type ShouldRetry } from "../http/retry.ts";
import { controlPlaneHints, createHintFor } from "../platform/hints.ts";
import { equalsIgnoringCase } from "../text/equals-ignoring-case.ts";
import { code, inputName, listOf, phrase, text } from "../text/message.ts";
import type { ProviderInputs } from "./read-provider-inputs.ts";
import {
  FieldSchema,
  type ProviderField,
  type ProviderUpdateRequest,
  ShownProviderSchema,
} from "./schemas.ts";

/** Updates an OAuth provider, and returns it without its secret. */
export async function updateProvider(
  { url, region, headers, requestTimeoutMs, providerId, request }: ProviderInputs,
  context: Context,
  shouldRetry: ShouldRetry,
) {
  const settings = {
    url,
    headers,
    requestTimeoutMs,
    retryMs: defaultRetryMs,
    hintFor: createHintFor(providerHints, region),
  };
  const api = new ApiClient(settings, context);
  const providerUrl = api.endpoint`/v2/auth/providers/${providerId}`;
  const response = await api.send("PATCH", providerUrl, request, shouldRetry);
  const { client_secret: secret, ...provider } = parseBody(response, ShownProviderSchema);
  // According to the API's description, a response does not contain the secret. If one does, it must not be shown.
  if (typeof secret === "string" && secret !== "") context.report.mask([secret]);
  const isOther = ![provider.provider_id, provider.id].some((id) => equalsIgnoringCase(id, providerId));
  const other = phrase`it shows another provider, ${code(provider.provider_id)}`;
  if (isOther) throw unexpectedResponseFailure(response, other);
  const differing = FieldSchema.options.filter((field) => showsOtherValue(request[field], provider[field]));
  if (differing.length > 0) {
    const names = listOf(differing.map((field) => code(field)));
    const problem = phrase`for ${names}, it shows a different value than was sent`;
    throw unexpectedResponseFailure(response, problem, differingHint);
  }
  return provider;
}

const differingHint = text`Compare the provider on the platform with the inputs of this step. The platform may not allow the change of every field.`;

/** A response need not show every field. */
function showsOtherValue(sent: ProviderUpdateRequest[ProviderField], shown: unknown): boolean {
  if (sent === undefined || shown === undefined) return false;
  if (sent === null) return shown !== null && shown !== "";
  // A server may write a URL in another way.
  const comparable = (value: unknown) =>
    typeof value === "string" ? (URL.parse(value)?.href ?? value) : value;
  return comparable(sent) !== comparable(shown);
}

const credentials = phrase`the ${inputName("api_key")} or ${inputName("bearer_token")} of this step`;
const checkedInputs = text`${inputName("control_plane_url")}, ${inputName("provider_id")} and ${inputName("workspace_id")}`;

const providerHints = {
  ...controlPlaneHints,
  byStatus: {
    401: text`Check that ${credentials} is valid on the platform at ${inputName("control_plane_url")}.`,
    403: text`Check ${inputName("workspace_id")}, and that ${credentials} may manage the organization's OAuth providers.`,
    404: text`There is no such OAuth provider for this workspace or token. Check ${checkedInputs}.`,
  },
  otherwise: text`Check ${checkedInputs}.`,
};
