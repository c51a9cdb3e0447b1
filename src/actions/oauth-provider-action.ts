import type { Context } from "../context.ts";
import type { SuccessEnding } from "../errors.ts";
import { InputReader } from "../inputs/reader.ts";
import { updateProvider } from "../oauth-provider/provider-client.ts";
import { readProviderInputs } from "../oauth-provider/read-provider-inputs.ts";
import { FieldSchema, type ProviderUpdateRequest } from "../oauth-provider/schemas.ts";
import type { Renderer } from "../report/renderer.ts";
import type { Write } from "../state/write.ts";
import { isObject } from "../text/json.ts";
import { code, commaList, inputName, type Message, phrase, text } from "../text/message.ts";
import { sendWrite } from "../writes.ts";

/** The oauth-provider action: updates an OAuth provider. */
export async function oauthProviderAction(context: Context): Promise<SuccessEnding> {
  const { env, report } = context;
  const { render } = report;
  const reader = new InputReader(env);
  const inputs = readProviderInputs(reader);
  reader.finish(report);
  const providerLabel = phrase`OAuth provider ${code(inputs.providerId)}`;
  const fieldsLine = text`Fields to send to ${providerLabel}: ${fieldNamesOf(inputs.request)}.`;
  report.info(fieldsLine);
  report.set({ summarySections: [render.markdown(fieldsLine)] });

  const write: Write = { kind: "other", title: phrase`update of ${providerLabel}` };
  const updated = await sendWrite(context, write, (shouldRetry) =>
    updateProvider(inputs, context, shouldRetry),
  );
  report.setOutputs({
    provider: renderJson(updated, render),
    updated_at: render.redactIdentifier(updated.updated_at),
  });
  return {
    outcome: "done",
    headline: phrase`updated`,
    message: text`${providerLabel} was updated at ${code(updated.updated_at)}.`,
  };
}

/** Returns the names of the sent fields, so that an empty secret is noticed, and no values, because one is a secret. */
function fieldNamesOf(request: ProviderUpdateRequest): Message {
  const names = FieldSchema.options.flatMap((name) => {
    const value = request[name];
    if (value === undefined) return [];
    return value === null ? phrase`${inputName(name)} (to clear)` : inputName(name);
  });
  return commaList(names);
}

/** Renders each name and value by itself, because in the JSON an unfinished control sequence would continue in the next. */
function renderJson(provider: object, render: Renderer): string {
  return JSON.stringify(provider, (_name, value: unknown) => {
    if (typeof value === "string") return render.redactIdentifier(value);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [render.redactIdentifier(name), inner]),
    );
  });
}
