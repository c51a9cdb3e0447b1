import { updateProvider } from "../control-plane/provider.ts";
import type { Provider } from "../control-plane/provider-schemas.ts";
import { type ProviderField, type ProviderInputs, readProviderInputs } from "../inputs/oauth-provider.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { type ProviderFacts, providerSummaryReporter } from "../report/provider-summary.ts";
import { inertExcerpt } from "../text/inert.ts";

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
  progress.note({ unsettled: `The update of OAuth provider ${inputs.providerId} may have taken effect.` });
  const update = { id: inputs.providerId, request: inputs.request };
  const { provider, json } = await updateProvider(update, inputs.controlPlane, ports);
  progress.settled();
  facts.updatedAt = provider.updated_at;
  ports.files.setOutput("provider", json);
  ports.files.setOutput("updated_at", provider.updated_at);
  for (const field of inputs.cleared) warnWhereSet(field, provider, facts, ports);
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

/** Whether the platform clears a field that is sent as `null` isn't published (platform-api, "Gaps in this part"). */
function warnWhereSet(field: ProviderField, provider: Provider, facts: ProviderFacts, ports: Ports): void {
  const shown = field === "client_secret" ? undefined : provider[field];
  if (shown === undefined || shown === null || shown === "" || shown === false) return;
  const warning = `${field} was sent to be cleared, but the platform still has it set, to ${inertExcerpt(String(shown), 200)}. It can't be cleared there; give it another value instead.`;
  facts.warnings.push(warning);
  ports.log.warning(warning);
}
