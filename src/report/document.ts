import type { Ending } from "../errors.ts";
import { formatOutcome, isSuccess, outcomes } from "../outcomes.ts";
import { lastStatus, type RunState, type ShownRequest } from "../state/run-state.ts";
import { codeBlock } from "../text/markdown.ts";
import { code, joined, link } from "../text/message.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { detailsOf, endingMessage, hasWarning } from "./ending.ts";
import type { DocumentLimits } from "./limits.ts";
import type { Renderer } from "./renderer.ts";
import { folded, moreOf } from "./sections/blocks.ts";
import { checksSection } from "./sections/checks.ts";
import { comparisonSection } from "./sections/comparison.ts";
import { factsTable } from "./sections/facts.ts";
import { statusTimes } from "./sections/status-times.ts";

/** Returns a run as Markdown: the job summary or, with other limits, the comment on the pull request. */
export function renderDocument(
  state: RunState,
  workflow: WorkflowRun,
  limits: DocumentLimits,
  render: Renderer,
): string {
  const agentUrl = state.deployment?.url;
  const sections = [
    `${limits.headingMark} ${heading(state, render)}`,
    agentUrl && state.liveRevisionId ? `**${render.markdown(link(agentUrl))}**` : "",
    state.ending === undefined ? "" : endingMarkdown(state.ending, render, limits.maxRows),
    ...(state.summarySections ?? [
      ...checksSection(state, limits, render),
      ...comparisonSection(state.revision.checks, limits.maxRows, render),
      failureLogSection(state, limits, render),
      ...(state.requests ?? []).map((request) => requestSection(request, render)),
      factsTable(state, workflow, render),
      limits.showsTimes ? statusTimes(state, render) : "",
    ]),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

function heading(state: RunState, render: Renderer): string {
  const { ending, shownName, action } = state;
  const { title, subject = title } = action;
  const lead = shownName === "" ? title : `${subject} ${render.markdown(code(shownName, 100))}`;
  if (ending === undefined) return `⏳ ${lead}: started`;
  const { outcome } = ending;
  const { mark } = outcomes[outcome];
  const headline = ending.headline && render.markdown(ending.headline);
  const ended = formatOutcome(outcome);
  if (isSuccess(outcome)) {
    const successful = `${lead}: ${headline ?? ended}`;
    return hasWarning(outcome, state) ? `⚠️ ${successful}, with a warning` : `${mark} ${successful}`;
  }
  const showsRollback = state.rollbackRevision !== undefined && outcome !== "cancelled";
  const rollback = showsRollback ? `, ${rollbackResult(state)}` : "";
  return `${mark} ${lead}: ${ended}${headline ? ` (${headline})` : ""}${rollback}`;
}

function rollbackResult({ rollback, writes }: RunState): string {
  if (rollback?.isLive) return "rolled back";
  const isLost = writes.some(({ write, isConfirmed }) => write.kind === "rollback" && !isConfirmed);
  return isLost ? "rollback not confirmed" : "rollback failed";
}

/** Returns the message, the problems as a list, and the next step; for a failed run as an alert. */
function endingMarkdown(ending: Ending, render: Renderer, maxProblems: number): string {
  const { outcome, message, problems = [], hint } = ending;
  if (isSuccess(outcome)) return render.markdown(joined([endingMessage(ending), hint]));
  const details = detailsOf(ending);
  const more = details.length === 0 ? [] : [">", `> ${render.markdown(joined(details))}`];
  const items = problems.slice(0, maxProblems).map((problem) => `> - ${render.markdown(problem.message)}`);
  const others = moreOf(problems.length, maxProblems, "the log");
  if (others !== "") items.push(`> - ${others}`);
  const next = hint === undefined ? [] : [">", `> **What to do next:** ${render.markdown(hint)}`];
  return ["> [!CAUTION]", `> ${render.markdown(message)}`, ...more, ...items, ...next].join("\n");
}

function requestSection({ request, body }: ShownRequest, render: Renderer): string {
  const title = `Request that would be sent: ${render.codeElement(code(request))}`;
  return folded(title, [render.block(body.split("\n"), 10_000)]);
}

/** Returns the end of a failed build's or deploy's log as Markdown, open if the revision failed; empty without one. */
function failureLogSection(state: RunState, limits: DocumentLimits, render: Renderer): string {
  const { failureLog } = state;
  if (failureLog === undefined) return "";
  const { type, lines } = failureLog;
  const end = render.endOfLog(lines, limits.maxLines, limits.maxLineLength);
  return folded(`End of the ${type} log`, [codeBlock(end)], lastStatus(state.revision)?.kind === "failed");
}
