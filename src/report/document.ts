import type { Ending } from "../errors.ts";
import type { WorkflowRun } from "../github/workflow-run.ts";
import { code, joined, text, url } from "../text/message.ts";
import { endingMessage, formatOutcome, isSuccess, outcomeMark } from "./ending.ts";
import type { Renderer } from "./renderer.ts";
import { type CheckLimits, checksSection } from "./sections/checks.ts";
import { comparisonSection } from "./sections/comparison.ts";
import { factsTable, isServed } from "./sections/facts.ts";
import { failureLogSection, type LogLimits } from "./sections/failure-log.ts";
import { folded } from "./sections/folded.ts";
import { statusChart, statusTable } from "./sections/status-times.ts";
import { lastStatus, type PlannedRequest, type RunState } from "./state.ts";

/** What is known of a run. `ending`: undefined as long as it goes on; `now`: milliseconds since the epoch. */
interface DocumentContent {
  readonly state: RunState;
  readonly ending: Ending | undefined;
  readonly workflow: WorkflowRun;
  readonly now: number;
}

/** How much of a run is shown. */
interface DocumentLimits {
  /** The Markdown before the heading's text. */
  readonly level: "##" | "###";
  readonly maxProblems: number;
  readonly checks: CheckLimits;
  readonly maxChanges: number;
  readonly log: LogLimits;
  /** Whether the times are shown, which are of no use while the run goes on. */
  readonly hasTimes: boolean;
}

export const summaryLimits: DocumentLimits = {
  level: "##",
  maxProblems: 200,
  checks: { maxRows: 200, maxBlocks: 20, maxLines: 12, isFirstOpen: true },
  maxChanges: 100,
  log: { maxLines: 50, maxLineLength: 500 },
  hasTimes: true,
};

/** GitHub accepts 65,536 characters in all. */
export const commentLimits: DocumentLimits = {
  level: "###",
  maxProblems: 10,
  checks: { maxRows: 50, maxBlocks: 5, maxLines: 8, isFirstOpen: false },
  maxChanges: 20,
  log: { maxLines: 20, maxLineLength: 200 },
  hasTimes: false,
};

/** The run of a deployment, as Markdown: the job summary, and with other limits the comment on the pull request. */
export function writeDocument(content: DocumentContent, limits: DocumentLimits, render: Renderer): string {
  const { state, ending, workflow, now } = content;
  // An earlier run watched those of an unchanged revision.
  const statuses = state.unchangedSince === undefined ? state.statuses : [];
  const { rollbackStatuses, sentAt: start = state.startedAt } = state;
  const times = { statuses, rollbackStatuses, start, now };
  const isGone = ending?.outcome === "deleted";
  return joinSections([
    heading(documentSubject(state, render), ending, state, render, limits.level),
    isServed(state, ending) && state.url ? `**${render.markdown(text`${url(state.url)}`)}**` : "",
    ending === undefined ? "" : endingMarkdown(ending, render, limits.maxProblems),
    // What is deleted has no checks any more.
    ...(isGone
      ? []
      : [
          checksSection(state, limits.checks, render),
          comparisonSection(state, workflow, limits.maxChanges, render),
          failureLogSection(state, limits.log, lastStatus(state)?.kind !== "failed", render),
        ]),
    ...(state.requests ?? []).map((request) => requestSection(request, render)),
    factsTable(content, render),
    ...(limits.hasTimes ? [statusTable(times, render), statusChart(times, render)] : []),
  ]);
}

/** What the heading is about, as Markdown. */
function documentSubject({ title, action }: RunState, render: Renderer): string {
  const kind = action === "Preview" || action === "Rollback" ? action : "Deployment";
  if (title === "") return kind;
  return `${kind}${action === "Rollback" ? " of" : ""} ${render.markdown(text`${code(title, 100)}`)}`;
}

function heading(
  subject: string,
  ending: Ending | undefined,
  state: RunState,
  render: Renderer,
  level: string,
): string {
  if (ending === undefined) {
    const status = lastStatus(state);
    return `${level} ⏳ ${subject}: ${status ? render.markdown(text`${code(status.raw)}`) : "started"}`;
  }
  const hasWarning = isSuccess(ending.outcome) && state.checks.some(({ warns }) => warns);
  const failure = ending.failure && ` (${render.markdown(ending.failure)})`;
  const rollback =
    state.rollbackStatuses === undefined
      ? ""
      : state.rolledBackTo === undefined
        ? ", rollback failed"
        : ", rolled back";
  const mark = hasWarning ? "⚠️" : outcomeMark(ending.outcome);
  const words = ending.label ?? formatOutcome(ending.outcome);
  return `${level} ${mark} ${subject}: ${words}${failure ?? ""}${rollback}${hasWarning ? ", with a warning" : ""}`;
}

/** The heading of another summary. `result`: by default the outcome. */
export function plainHeading({ outcome, label }: Ending, subject: string, result = label): string {
  return `## ${outcomeMark(outcome)} ${subject}: ${result ?? formatOutcome(outcome)}`;
}

/** Sections as one text, without empty ones. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

/** What happened, the problems as a list, and what to do next; an alert if the run failed. */
export function endingMarkdown(
  ending: Ending,
  render: Renderer,
  maxProblems = summaryLimits.maxProblems,
): string {
  const { outcome, message, details = [], problems = [], hint } = ending;
  if (isSuccess(outcome)) return render.markdown(endingMessage(ending));
  const more = details.length === 0 ? [] : [">", `> ${render.markdown(joined(details))}`];
  // The hint is for all of them.
  const items = problems.slice(0, maxProblems).map((problem) => `> - ${render.markdown(problem)}`);
  const next = hint === undefined ? [] : [">", `> **What to do next:** ${render.markdown(hint)}`];
  return ["> [!CAUTION]", `> ${render.markdown(message)}`, ...more, ...items, ...next].join("\n");
}

function requestSection({ request, body }: PlannedRequest, render: Renderer): string {
  const title = `Request that would be sent: ${render.codeElement(code(request))}`;
  return folded(title, [render.block(body.split("\n"), 10_000)]);
}
