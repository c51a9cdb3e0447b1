import type { Context } from "../context.ts";
import { ActionError } from "../errors.ts";
import { retryableRead, Transport } from "../http/api-client.ts";
import { type Hints, hintsInRegion } from "../http/hints.ts";
import { retryUntil } from "../http/retry.ts";
import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { mayHaveTakenEffect } from "../platform/failures.ts";
import { controlPlaneHints } from "../platform/hints.ts";
import { routesBelow } from "../platform/routes.ts";
import { isSameId } from "../platform/same-id.ts";
import { parseJson } from "../text/json.ts";
import type { Redactor } from "../text/redact.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { type Provider, ProviderSchema, type ProviderUpdateRequest } from "./schemas.ts";

/** No attempt begins later; in milliseconds. */
const patienceMs = 300_000;

/** What signs a request in, by the header in which it is sent. */
const credentialHeaders: Readonly<Record<string, string>> = {
  "x-api-key": "api_key",
  authorization: "bearer_token",
};

/** The hints, which name of the credentials those that were given. */
function providerHints(headers: ControlPlaneSettings["headers"]): Hints {
  const credentials = Object.keys(headers).flatMap((header) => credentialHeaders[header] ?? []);
  const workspace = "x-tenant-id" in headers ? ["workspace_id"] : [];
  const given = credentials.join(" and ");
  const looked = ["control_plane_url", "provider_id", ...workspace].join(", ");
  const places = [...workspace, `that ${given} may manage the organization's OAuth providers.`].join(
    ", and ",
  );
  return {
    ...controlPlaneHints,
    byStatus: {
      400: "The platform refused what was sent: check the inputs that its words name.",
      401: `Check ${given}: ${credentials.length > 1 ? "one of them" : "it"} isn't valid on the platform that control_plane_url points to.`,
      403: `Check ${places}`,
      404: `Check provider_id: there is no such OAuth provider for this workspace or token. If there should be, check ${looked}.`,
      409: "Another OAuth provider has that name already: check name.",
      422: "The platform refused these fields: check the inputs of the same names.",
      429: "The platform limits how often it may be asked; try again later.",
    },
    otherwise: `Check ${looked} and ${given}.`,
  };
}

/** Whether the update took effect is not known. */
export class UnsettledUpdateError extends ActionError {
  override readonly name = "UnsettledUpdateError";
  readonly hint: string;

  constructor(cause: ActionError) {
    super(`${cause.message} It can't be told whether the update took effect.`, { cause });
    this.hint = `${cause.hint} To run this step again does no harm.`;
  }
}

export type ProviderApiSettings = Omit<ControlPlaneSettings, "platform">;

export interface UpdatedProvider {
  readonly provider: Provider;
  /** The response as JSON. */
  readonly json: string;
}

/**
 * Updates an OAuth provider (platform-api, "Auth service"). The same update twice is the same as once, so it is
 * repeated like a read (contract, 3.1). The answer must not hold a secret; where it does, that is taken out, because
 * the runner masks logs, but not outputs.
 *
 * @throws UnsettledUpdateError, also where the answer shows another provider, ResponseError, ConnectionError, or the
 * cancellation's reason.
 */
export async function updateProvider(
  update: {
    readonly id: string;
    readonly request: ProviderUpdateRequest;
  },
  settings: ProviderApiSettings,
  context: Context,
): Promise<UpdatedProvider> {
  const patience = retryUntil(context.clock.now() + patienceMs);
  const hints = hintsInRegion(providerHints(settings.headers), settings.region);
  const transport = new Transport({ ...settings, hints }, context, patience);
  try {
    const url = routesBelow(settings.url).provider(update.id);
    const answer = await transport.send("PATCH", url, retryableRead, update.request);
    const json = withoutSecrets(parseJson(answer.text), context.redact);
    const provider = transport.parse({ ...answer, text: json ?? answer.text }, ProviderSchema);
    if (!isCalled(context.redact.value(update.id), provider)) {
      const shown = sanitizeExcerpt(provider.provider_id, 100);
      throw transport.unexpected(answer, `it shows ${shown} in place of what was asked for`);
    }
    return { provider, json: json ?? "" };
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (error instanceof ActionError && mayHaveTakenEffect(error)) throw new UnsettledUpdateError(error);
    throw error;
  }
}

/** By either of its ids: it isn't published which of them the path takes. */
function isCalled(id: string, { id: own, provider_id: given }: Provider): boolean {
  return [own, given].some((shown) => isSameId(shown, id));
}

/** A value as JSON, undefined where there is none. */
function withoutSecrets(value: unknown, redact: Redactor): string | undefined {
  return JSON.stringify(value, (name, part: unknown) => {
    if (name === "client_secret") return undefined;
    return typeof part === "string" ? redact.value(part) : part;
  });
}
