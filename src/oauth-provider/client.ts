import type { Context } from "../context.ts";
import { ActionError } from "../errors.ts";
import { ApiClient } from "../http/api-client.ts";
import { type Hints, hintsForRegion } from "../http/response-error.ts";
import { retryIdempotent, retryUntil } from "../http/retry.ts";
import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { mayHaveTakenEffect } from "../platform/failures.ts";
import { controlPlaneHints } from "../platform/hints.ts";
import { isSameId, routesBelow } from "../platform/routes.ts";
import { parseJson } from "../text/json.ts";
import type { Redactor } from "../text/redact.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { type Provider, ProviderSchema, type ProviderUpdateRequest } from "./schemas.ts";

export type ProviderApiSettings = Omit<ControlPlaneSettings, "platform">;

export interface UpdatedProvider {
  readonly provider: Provider;
  /** The response as JSON. */
  readonly json: string;
}

const maxRetryMs = 300_000;

/**
 * Updates an OAuth provider. The same update twice is the same as once, so it is retried like a read. A response may
 * quote a secret; it is removed, because the runner masks logs but not outputs.
 *
 * @throws ActionError `unconfirmed_write`, also if the response shows another provider; ResponseError, ConnectionError,
 * or the reason of a cancellation
 */
export async function updateProvider(
  id: string,
  update: ProviderUpdateRequest,
  settings: ProviderApiSettings,
  context: Context,
): Promise<UpdatedProvider> {
  const hints = hintsForRegion(providerHints(settings.headers), settings.region);
  const api = new ApiClient({ ...settings, hints }, context, retryUntil(context.clock.now() + maxRetryMs));
  const url = routesBelow(settings.url).provider(id);
  try {
    const response = await api.send("PATCH", url, retryIdempotent, update);
    const json = withoutSecrets(response.text, context.redact);
    const provider = api.parse({ ...response, text: json }, ProviderSchema);
    // Which of the two ids the path takes is not published.
    const ids = [provider.id, provider.provider_id];
    if (ids.some((shown) => isSameId(shown, context.redact.value(id)))) return { provider, json };
    throw api.unexpected(response, `it shows provider ${sanitizeExcerpt(provider.provider_id, 100)}`);
  } catch (error) {
    context.cancelled.throwIfAborted();
    throw error instanceof ActionError && mayHaveTakenEffect(error) ? unconfirmed(error) : error;
  }
}

/** A JSON text without the client secret and with all secrets redacted; any other text as it is. */
function withoutSecrets(text: string, redact: Redactor): string {
  const body = parseJson(text);
  if (body === undefined) return text;
  return JSON.stringify(body, (name, value: unknown) => {
    if (name === "client_secret") return undefined;
    return typeof value === "string" ? redact.value(value) : value;
  });
}

function unconfirmed(cause: ActionError): ActionError {
  return new ActionError(`${cause.message} Could not confirm whether the update succeeded.`, {
    code: "unconfirmed_write",
    hint: `${cause.hint} It is safe to run this step again.`,
    cause,
  });
}

/** The inputs that become the headers which authenticate. */
const credentialInputs: Readonly<Record<string, string>> = {
  "x-api-key": "api_key",
  authorization: "bearer_token",
};

/** Hints that name only the credentials that were given. */
function providerHints(headers: ProviderApiSettings["headers"]): Hints {
  const given = Object.keys(headers).flatMap((header) => credentialInputs[header] ?? []);
  const credentials = given.join(" and ");
  const workspace = "x-tenant-id" in headers ? ["workspace_id"] : [];
  const target = ["control_plane_url", "provider_id", ...workspace].join(", ");
  const permission = `that ${credentials} may manage the organization's OAuth providers.`;
  return {
    ...controlPlaneHints,
    byStatus: {
      400: "Check the inputs that the platform's message names.",
      401: `Check ${credentials}: ${given.length > 1 ? "one of them" : "it"} is not valid on the platform at control_plane_url.`,
      403: `Check ${[...workspace, permission].join(", and ")}`,
      404: `There is no such OAuth provider for this workspace or token. Check ${target}.`,
      409: "Check name: another OAuth provider may already have it.",
      408: "The platform timed out. Try again.",
      422: "Check the inputs that the platform's message names.",
      429: "The platform limits the number of requests. Try again later.",
    },
    otherwise: `Check ${target} and ${credentials}.`,
  };
}
