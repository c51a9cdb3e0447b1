import type { Context } from "../context.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { sanitizeExcerpt, sanitizeSentence } from "../text/sanitize.ts";
import { updateProvider } from "./client.ts";
import { type ProviderField, type ProviderInputs, readProviderInputs } from "./inputs.ts";
import type { Provider } from "./schemas.ts";
import { type ProviderFacts, providerSummaryReporter } from "./summary.ts";

/** The oauth-provider action: updates an OAuth provider of the auth service (contract, 8). */
export async function updateOauthProvider(progress: Progress, context: Context): Promise<Ending> {
  const facts: ProviderFacts = { inputs: undefined, updatedAt: undefined, warnings: [] };
  progress.tell(logReporter(context), providerSummaryReporter(facts, context));
  const reader = new InputReader(context.env);
  const inputs = readProviderInputs(reader);
  reader.finish(context.log);
  facts.inputs = inputs;
  context.log.info(describeUpdate(inputs));
  context.cancelled.throwIfAborted();
  progress.mayLeave(`The update of OAuth provider ${inputs.providerId} may have taken effect.`);
  const update = { id: inputs.providerId, request: inputs.request };
  const { provider, json } = await updateProvider(update, inputs.controlPlane, context);
  progress.settled();
  facts.updatedAt = provider.updated_at;
  context.files.setOutput("provider", json);
  context.files.setOutput("updated_at", provider.updated_at);
  const warnings = [
    ...inputs.given.map((field) => otherValueWarning(field, inputs, provider, context)),
    ...inputs.cleared.map((field) => stillSetWarning(field, provider)),
  ].filter((warning) => warning !== undefined);
  facts.warnings.push(...warnings);
  for (const warning of warnings) context.log.warning(warning);
  return {
    outcome: "done",
    message: `OAuth provider ${inputs.providerId} was updated at ${provider.updated_at}.`,
  };
}

/** What is sent, by the names of the fields: no value, because one is a secret. */
function describeUpdate({ providerId, given, cleared }: ProviderInputs): string {
  const parts = [
    given.length === 0 ? [] : [`set ${given.join(", ")}`],
    cleared.length === 0 ? [] : [`clear ${cleared.join(", ")}`],
  ].flat();
  return `Update OAuth provider ${providerId}: ${parts.join("; ")}.`;
}

/** The platform may take a field in another form, or not at all; the client secret it doesn't show. */
function otherValueWarning(
  field: ProviderField,
  { request }: ProviderInputs,
  provider: Provider,
  { redact }: Context,
): string | undefined {
  if (field === "client_secret") return undefined;
  const shown = String(provider[field]);
  // The provider is what the platform shows without the run's secrets, which a value may hold.
  if (shown === redact.value(String(request[field]))) return undefined;
  return `${field} was sent, but the platform shows another value for it: ${sanitizeSentence(shown, 200)}`;
}

/** Whether the platform clears a field that is sent as `null` isn't published (platform-api, "Gaps in this part"). */
function stillSetWarning(field: ProviderField, provider: Provider): string | undefined {
  const shown = field === "client_secret" ? undefined : provider[field];
  if (shown === undefined || shown === null || shown === "" || shown === false) return undefined;
  return `${field} was sent to be cleared, but the platform still has it set, to ${sanitizeExcerpt(String(shown), 200)}. It can't be cleared there; give it another value instead.`;
}
