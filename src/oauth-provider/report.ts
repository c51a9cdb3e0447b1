import type { Ending } from "../errors.ts";
import { endingMarkdown, joinSections, plainHeading } from "../report/document.ts";
import { isSuccess } from "../report/ending.ts";
import type { Renderer } from "../report/renderer.ts";
import type { Report } from "../report/report.ts";
import { factTable } from "../report/sections/tables.ts";
import { code, input, joined, type Message, quote, text } from "../text/message.ts";
import type { UpdatedProvider } from "./client.ts";
import type { ProviderField, ProviderInputs } from "./inputs.ts";
import type { Provider } from "./schemas.ts";

/** What a run sends and gets back, as far as it got. */
export interface ProviderReport {
  inputs: ProviderInputs | undefined;
  updated: UpdatedProvider | undefined;
  /** What the platform shows other than it was sent, as sentences. */
  differences: readonly Message[];
}

/** Logs the names of the fields that are sent, but no values: one is a secret. */
export function reportChanges({ providerId, given, cleared }: ProviderInputs, report: Report): void {
  const changes = [
    given.length === 0 ? undefined : text`set ${fieldNames(given)}`,
    cleared.length === 0 ? undefined : text`clear ${fieldNames(cleared)}`,
  ];
  report.info(text`Updating OAuth provider ${code(providerId)}: ${joined(changes, "; ")}.`);
}

function fieldNames(fields: readonly ProviderField[]): Message {
  return joined(fields.map(input), ", ");
}

/** How the provider in the response differs from what was sent. */
export function findDifferences({ request, given, cleared }: ProviderInputs, provider: Provider): Message[] {
  const differences = [
    ...given.map((field) => otherValue(field, String(request[field]), provider)),
    ...cleared.map((field) => stillSet(field, provider)),
  ];
  return differences.filter((difference) => difference !== undefined);
}

function otherValue(field: ProviderField, sent: string, provider: Provider): Message | undefined {
  if (field === "client_secret" || String(provider[field]) === sent) return undefined;
  return text`${input(field)} was sent, but the platform reports a different value: ${quote(String(provider[field]), 200)}.`;
}

/** Whether the platform clears a field that is sent as `null` is not published. */
function stillSet(field: ProviderField, provider: Provider): Message | undefined {
  const shown = field === "client_secret" ? undefined : provider[field];
  if (shown === undefined || shown === null || shown === "" || shown === false) return undefined;
  return text`${input(field)} was sent as ${code("null")}, but the platform still reports ${quote(String(shown), 200)}. It can't be cleared. Set it to a different value instead.`;
}

/** The summary as Markdown. It names the fields that were sent, so that a secret that arrived empty is noticed. */
export function providerSummary(
  { inputs, updated, differences }: ProviderReport,
  ending: Ending,
  render: Renderer,
): string {
  const subject = inputs ? text`OAuth provider ${code(inputs.providerId)}` : text`OAuth provider`;
  return joinSections([
    plainHeading(ending, render.markdown(subject), isSuccess(ending.outcome) ? "updated" : undefined),
    endingMarkdown(ending, render),
    ...differences.map((difference) => `> [!WARNING]\n> ${render.markdown(difference)}`),
    inputs ? fieldTable(inputs, updated, render) : "",
  ]);
}

function fieldTable(
  { given, cleared }: ProviderInputs,
  updated: UpdatedProvider | undefined,
  render: Renderer,
): string {
  const cell = (fields: readonly ProviderField[]) =>
    fields.length === 0 ? "none" : render.cell(fieldNames(fields));
  return factTable([
    ["Fields sent with a value", cell(given)],
    ["Fields sent to be cleared", cell(cleared)],
    ["Last change of the provider", updated && render.cell(code(updated.provider.updated_at))],
  ]);
}
