import type { Ending } from "../errors.ts";
import { endingMarkdown, joinSections, plainHeading } from "../report/document.ts";
import { isSuccess } from "../report/ending.ts";
import type { Renderer } from "../report/renderer.ts";
import type { Report } from "../report/report.ts";
import { factTable } from "../report/sections/tables.ts";
import { code, input, joined, type Message, text } from "../text/message.ts";
import type { UpdatedProvider } from "./client.ts";
import type { ProviderField, ProviderInputs } from "./inputs.ts";

/** What a run sends and gets back, as far as it got. */
export interface ProviderReport {
  inputs: ProviderInputs | undefined;
  updated: UpdatedProvider | undefined;
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

/** The summary as Markdown. It names the fields that were sent, so that a secret that arrived empty is noticed. */
export function providerSummary(
  { inputs, updated }: ProviderReport,
  ending: Ending,
  render: Renderer,
): string {
  const subject = inputs ? text`OAuth provider ${code(inputs.providerId)}` : text`OAuth provider`;
  return joinSections([
    plainHeading(ending, render.markdown(subject), isSuccess(ending.outcome) ? "updated" : undefined),
    endingMarkdown(ending, render),
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
