import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { ApiClient } from "../http/api-client.ts";
import { retryIdempotent, retryUntil } from "../http/retry.ts";
import { mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { controlPlaneHints, type Hints, hintsFor } from "../platform/hints.ts";
import type { ControlPlaneSettings } from "../platform/platforms.ts";
import { routesBelow } from "../platform/routes.ts";
import { parseJson } from "../text/json.ts";
import { input, joined, listed, text } from "../text/message.ts";
import { type Provider, ProviderSchema, type ProviderUpdateRequest } from "./schemas.ts";

export interface ProviderApiSettings
  extends Pick<ControlPlaneSettings, "url" | "region" | "requestTimeoutMs"> {
  /** Headers that authenticate, of which a token may be the only one. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface UpdatedProvider {
  readonly provider: Provider;
  /** The response as JSON. */
  readonly json: string;
}

const maxRetryMs = 300_000;

/** Updates an OAuth provider. The same update twice is the same as once, so it is retried like a read. */
export async function updateProvider(
  id: string,
  update: ProviderUpdateRequest,
  settings: ProviderApiSettings,
  context: Context,
): Promise<UpdatedProvider> {
  const hintFor = hintsFor(providerHints(settings.headers), settings.region);
  const api = new ApiClient({ ...settings, hintFor }, context, retryUntil(context.clock.now() + maxRetryMs));
  const url = routesBelow(settings.url).provider(id);
  try {
    const response = await api.send("PATCH", url, retryIdempotent, update);
    return { provider: api.parse(response, ProviderSchema), json: withoutClientSecret(response.text) };
  } catch (error) {
    context.cancelled.throwIfAborted();
    throw error instanceof Failure && mayHaveTakenEffect(error) ? unconfirmed(error) : error;
  }
}

/** The response never holds it by its description; an output must not either. */
function withoutClientSecret(json: string): string {
  return JSON.stringify(parseJson(json), (name, value: unknown) =>
    name === "client_secret" ? undefined : value,
  );
}

function unconfirmed(cause: Failure): Failure {
  return new Failure(text`${cause.ending.message} Could not confirm whether the update succeeded.`, {
    hint: text`${cause.ending.hint} It is safe to run this step again.`,
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
  const credentials = listed(given.map((name) => input(name)));
  const workspace = "x-tenant-id" in headers ? [input("workspace_id")] : [];
  const target = joined([input("control_plane_url"), input("provider_id"), ...workspace], ", ");
  const subject = given.length > 1 ? text`one of them` : text`it`;
  const permission = text`that ${credentials} may manage the organization's OAuth providers`;
  return {
    ...controlPlaneHints,
    byStatus: {
      401: text`Check ${credentials}: ${subject} is not valid on the platform at ${input("control_plane_url")}.`,
      403: text`Check ${joined([...workspace, permission], ", and ")}.`,
      404: text`There is no such OAuth provider for this workspace or token. Check ${target}.`,
      409: text`Check ${input("name")}: another OAuth provider may already have it.`,
    },
    otherwise: text`Check ${target} and ${credentials}.`,
  };
}
