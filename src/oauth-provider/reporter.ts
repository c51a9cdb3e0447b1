import type { Context } from "../context.ts";
import { type Ending, isSuccess } from "../ending.ts";
import type { Observer } from "../report/run-report.ts";
import { endingMarkdown, heading, joinSections } from "../report/summary.ts";
import { codeCell, codeSpan, factTable } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { sanitizeExcerpt, sanitizeSentence } from "../text/sanitize.ts";
import type { UpdatedProvider } from "./client.ts";
import type { ProviderField, ProviderInputs } from "./inputs.ts";
import type { Provider } from "./schemas.ts";

/** Shows what a run sends and gets back: at once in log and outputs, and in the summary, however the run ends. */
export class ProviderReporter implements Observer {
  readonly #context: Context;
  #inputs: ProviderInputs | undefined;
  #updatedAt: string | undefined;
  #warnings: readonly string[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Logs the names of the fields that are sent, but no values: one is a secret. */
  showInputs(inputs: ProviderInputs): void {
    this.#inputs = inputs;
    const { providerId, given, cleared } = inputs;
    const changes = [
      ...(given.length === 0 ? [] : [`set ${given.join(", ")}`]),
      ...(cleared.length === 0 ? [] : [`clear ${cleared.join(", ")}`]),
    ];
    this.#context.log.info(`Updating OAuth provider ${providerId}: ${changes.join("; ")}.`);
  }

  showUpdate({ provider, json }: UpdatedProvider, inputs: ProviderInputs): void {
    const { files, log, redact } = this.#context;
    files.setOutput("provider", json);
    files.setOutput("updated_at", provider.updated_at);
    this.#updatedAt = provider.updated_at;
    const expected = (field: ProviderField) => redact.value(String(inputs.request[field]));
    this.#warnings = [
      ...inputs.given.map((field) => otherValueWarning(field, expected(field), provider)),
      ...inputs.cleared.map((field) => stillSetWarning(field, provider)),
    ].filter((warning) => warning !== undefined);
    for (const warning of this.#warnings) log.warning(warning);
  }

  /** The summary names the fields that were sent, so that a secret is missed that arrived empty. */
  onEnd(_state: unknown, ending: Ending): void {
    const subject = this.#inputs ? `OAuth provider ${codeSpan(this.#inputs.providerId)}` : "OAuth provider";
    const summary = joinSections([
      heading(subject, ending.outcome, isSuccess(ending.outcome) ? "updated" : undefined),
      endingMarkdown(ending),
      ...this.#warnings.map((warning) => `> [!WARNING]\n> ${prose(warning)}`),
      this.#inputs ? tableOf(this.#inputs, this.#updatedAt) : "",
    ]);
    this.#context.files.appendSummary(summary);
  }
}

/** `expected`: the value that was sent, redacted as the provider is. */
function otherValueWarning(field: ProviderField, expected: string, provider: Provider): string | undefined {
  if (field === "client_secret" || String(provider[field]) === expected) return undefined;
  return `${field} was sent, but the platform shows another value: ${sanitizeSentence(String(provider[field]), 200)}`;
}

/** Whether the platform clears a field that is sent as `null` is not published. */
function stillSetWarning(field: ProviderField, provider: Provider): string | undefined {
  const shown = field === "client_secret" ? undefined : provider[field];
  if (shown === undefined || shown === null || shown === "" || shown === false) return undefined;
  return `${field} was sent as null, but the platform still shows ${sanitizeExcerpt(String(shown), 200)}. It can't be cleared. Give it another value instead.`;
}

function tableOf({ given, cleared }: ProviderInputs, updatedAt: string | undefined): string {
  const names = (fields: readonly string[]) => fields.map(codeSpan).join(", ") || "none";
  return factTable([
    ["Fields sent with a value", names(given)],
    ["Fields sent to be cleared", names(cleared)],
    ["Last change of the provider", updatedAt && codeCell(updatedAt)],
  ]);
}
