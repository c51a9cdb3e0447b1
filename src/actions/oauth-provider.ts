import { updateProvider } from "../control-plane/provider.ts";
import type { Provider } from "../control-plane/provider-schemas.ts";
import { type ProviderField, type ProviderInputs, readProviderInputs } from "../inputs/oauth-provider.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { type ProviderFacts, providerSummaryReporter } from "../report/provider-summary.ts";
import { inertExcerpt, inertSentence } from "../text/inert.ts";

/** The oauth-provider action: updates an OAuth provider of the auth service (contract, 8). */
export async function updateOauthProvider(progress: Progress, ports: Ports): Promise<Ending> {
  const facts: ProviderFacts = { inputs: undefined, updatedAt: undefined, warnings: [] };
  progress.tell(logReporter(ports), providerSummaryReporter(facts, ports));
  const reader = new InputReader(ports.env);
  const inputs = readProviderInputs(reader);
  reader.finish(ports.log);
  facts.inputs = inputs;
  ports.log.info(spellUpdate(inputs));
  ports.cancelled.throwIfAborted();
  progress.mayLeave(`The update of OAuth provider ${inputs.providerId} may have taken effect.`);
  const update = { id: inputs.providerId, request: inputs.request };
  const { provider, json } = await updateProvider(update, inputs.controlPlane, ports);
  progress.settled();
  facts.updatedAt = provider.updated_at;
  ports.files.setOutput("provider", json);
  ports.files.setOutput("updated_at", provider.updated_at);
  const warnings = [
    ...inputs.given.map((field) => otherValueWarning(field, inputs, provider, ports)),
    ...inputs.cleared.map((field) => stillSetWarning(field, provider)),
  ].filter((warning) => warning !== undefined);
  facts.warnings.push(...warnings);
  for (const warning of warnings) ports.log.warning(warning);
  return {
    outcome: "done",
    message: `OAuth provider ${inputs.providerId} was updated at ${provider.updated_at}.`,
  };
}

/** What is sent, by the names of the fields: no value, because one is a secret. */
function spellUpdate({ providerId, given, cleared }: ProviderInputs): string {
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
  { redact }: Ports,
): string | undefined {
  if (field === "client_secret") return undefined;
  const shown = String(provider[field]);
  // The provider is what the platform shows without the run's secrets, which a value may hold.
  if (shown === redact.value(String(request[field]))) return undefined;
  return `${field} was sent, but the platform shows another value for it: ${inertSentence(shown, 200)}`;
}

/** Whether the platform clears a field that is sent as `null` isn't published (platform-api, "Gaps in this part"). */
function stillSetWarning(field: ProviderField, provider: Provider): string | undefined {
  const shown = field === "client_secret" ? undefined : provider[field];
  if (shown === undefined || shown === null || shown === "" || shown === false) return undefined;
  return `${field} was sent to be cleared, but the platform still has it set, to ${inertExcerpt(String(shown), 200)}. It can't be cleared there; give it another value instead.`;
}
