import type { Ending } from "../ending.ts";
import { InputReader } from "../inputs/reader.ts";
import { logObserver } from "../report/log-observer.ts";
import type { ActionContext } from "../report/run-report.ts";
import { updateProvider } from "./client.ts";
import { readProviderInputs } from "./inputs.ts";
import { ProviderReporter } from "./reporter.ts";

/** The oauth-provider action: updates an OAuth provider. */
export async function updateOauthProvider(context: ActionContext): Promise<Ending> {
  const reporter = new ProviderReporter(context);
  context.observe(logObserver(context), reporter);
  const reader = new InputReader(context.env);
  const inputs = readProviderInputs(reader);
  reader.finish(context.log);
  reporter.showInputs(inputs);
  context.cancelled.throwIfAborted();

  const { api, providerId, request } = inputs;
  const leftover = `The update of OAuth provider ${providerId} may have taken effect.`;
  await context.emit({ kind: "leftover_changed", leftover });
  const updated = await updateProvider(providerId, request, api, context);
  await context.emit({ kind: "leftover_changed", leftover: undefined });
  reporter.showUpdate(updated, inputs);
  const headline = `OAuth provider ${providerId} was updated at ${updated.provider.updated_at}.`;
  return { outcome: "done", headline };
}
