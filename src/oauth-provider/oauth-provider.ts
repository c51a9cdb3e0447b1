import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import { toResult } from "../errors.ts";
import { InputReader } from "../inputs/reader.ts";
import { code, text } from "../text/message.ts";
import { type UpdatedProvider, updateProvider } from "./client.ts";
import { type ProviderInputs, readProviderInputs } from "./inputs.ts";
import { type ProviderReport, providerSummary, reportChanges } from "./report.ts";

/** The oauth-provider action: updates an OAuth provider. */
export async function updateOauthProvider(context: Context): Promise<Ending> {
  const { report } = context;
  const found: ProviderReport = { inputs: undefined, updated: undefined };
  report.summarizeBy((ending) => providerSummary(found, ending, report.render));
  const inputs = readInputs(context);
  found.inputs = inputs;
  reportChanges(inputs, report);
  context.cancelled.throwIfAborted();

  found.updated = await update(inputs, context);
  const { json, provider } = found.updated;
  report.set({
    outputs: { provider: report.render.value(json), updated_at: report.render.value(provider.updated_at) },
  });
  const { updated_at: updatedAt } = found.updated.provider;
  return {
    outcome: "done",
    message: text`OAuth provider ${code(inputs.providerId)} was updated at ${code(updatedAt)}.`,
  };
}

function readInputs({ env, report }: Context): ProviderInputs {
  const reader = new InputReader(env);
  const inputs = readProviderInputs(reader);
  reader.finish(report);
  return inputs;
}

async function update(
  { api, providerId, request }: ProviderInputs,
  context: Context,
): Promise<UpdatedProvider> {
  const { report } = context;
  const send = () => updateProvider(providerId, request, api, context);
  // An error says itself whether the update may have succeeded; a cancellation is thrown and leaves it to the report.
  report.set({ left: text`The update of OAuth provider ${code(providerId)} may have succeeded.` });
  const updated = await toResult(send, context.cancelled);
  report.set({ left: undefined });
  if ("error" in updated) throw updated.error;
  return updated.value;
}
