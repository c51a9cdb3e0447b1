import type { Ending, Outcome } from "../../errors.ts";
import { code, joined, text } from "../../text/message.ts";
import type { RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";
import { formatOutcome, isLive, isSuccess, outcomeMark, resultLabel, resultMessage } from "../result.ts";

/** What the heading of a summary is about, as Markdown. */
export function deploymentSubject({ title, action }: RunFacts, render: Renderer): string {
  const kind = action === "Preview" || action === "Rollback" ? action : "Deployment";
  if (title === "") return kind;
  return `${kind}${action === "Rollback" ? " of" : ""} ${render.markdown(text`${code(title, 100)}`)}`;
}

/** The heading of a summary. `subject`: Markdown; `result`: by default the outcome. */
export function heading(
  subject: string,
  outcome: Outcome,
  result = formatOutcome(outcome),
  mark = outcomeMark(outcome),
): string {
  return `## ${mark} ${subject}: ${result}`;
}

/** The mark and the words of a heading: how the run ended, and what its checks warn of. */
export function resultStatus(
  { checks }: RunFacts,
  result: Ending,
  render: Renderer,
): { readonly mark: string; readonly words: string } {
  const label = resultLabel(result);
  const warning = isLive(result) ? checks.find(({ warns }) => warns)?.summary : undefined;
  return warning === undefined
    ? { mark: result.mark ?? outcomeMark(result.outcome), words: label }
    : { mark: "⚠️", words: `${label}, ${render.markdown(warning)}` };
}

/** Sections of a summary as one text, without empty ones. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

/** What happened, the problems as a list, and what to do next; an alert if the run failed. */
export function resultMarkdown(
  result: Ending,
  render: Renderer,
  maxProblems = Number.POSITIVE_INFINITY,
): string {
  const { outcome, message, details = [], problems = [], hint } = result;
  if (isSuccess(outcome)) return render.markdown(resultMessage(result));
  const more = details.length === 0 ? [] : [">", `> ${render.markdown(joined(details))}`];
  // The hint is for all of them.
  const items = problems.slice(0, maxProblems).map((problem) => `> - ${render.markdown(problem)}`);
  const next = hint === undefined ? [] : [">", `> **What to do next:** ${render.markdown(hint)}`];
  return ["> [!CAUTION]", `> ${render.markdown(message)}`, ...more, ...items, ...next].join("\n");
}
