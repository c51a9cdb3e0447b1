import type { Context } from "../context.ts";
import { type Ending, formatOutcome, succeeded } from "../progress/ending.ts";
import type { Reporter } from "../progress/progress.ts";
import { factTable } from "../report/fact-table.ts";
import { endingText } from "../report/summary.ts";
import { codeCell, codeSpan } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import type { ProviderInputs } from "./inputs.ts";

/** What is known of a provider's update; grows as it goes. */
export interface ProviderFacts {
  inputs: ProviderInputs | undefined;
  /** As the platform says it. */
  updatedAt: string | undefined;
  readonly warnings: string[];
}

/** Writes the job summary when the run has ended, however it did (contract, 8). */
export function providerSummaryReporter(facts: Readonly<ProviderFacts>, context: Context): Reporter {
  return { onEnd: (_, ending) => context.files.appendSummary(providerSummary(facts, ending)) };
}

/** The summary as Markdown: of what was sent only the names, so that a secret that came in empty is missed. */
function providerSummary(facts: Readonly<ProviderFacts>, ending: Ending): string {
  const sections = [
    heading(facts.inputs?.providerId, ending),
    endingText(ending),
    ...facts.warnings.map((warning) => `> [!WARNING]\n> ${prose(warning)}`),
    facts.inputs === undefined ? "" : tableOf(facts.inputs, facts.updatedAt),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

function heading(providerId: string | undefined, { outcome }: Ending): string {
  const what = providerId === undefined ? "OAuth provider" : `OAuth provider ${codeSpan(providerId)}`;
  return succeeded(outcome) ? `## ✅ ${what}: updated` : `## ❌ ${what}: ${formatOutcome(outcome)}`;
}

function tableOf({ given, cleared }: ProviderInputs, updatedAt: string | undefined): string {
  const names = (fields: readonly string[]) => fields.map((field) => `\`${field}\``).join(", ") || "none";
  return factTable([
    ["Fields sent with a value", names(given)],
    ["Fields sent to be cleared", names(cleared)],
    ["Last change of the provider", updatedAt === undefined ? undefined : codeCell(updatedAt)],
  ]);
}
