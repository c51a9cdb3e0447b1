import type { Context } from "../context.ts";
import { type Ending, endingText, formatOutcome, isSuccess, type Outcome } from "../ending.ts";
import { headSha, type WorkflowRun } from "../runner/workflow-run.ts";
import { formatDuration } from "../text/format.ts";
import { codeBlock, codeCell, codeSpan, factTable, link } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { checksSection } from "./checks-section.ts";
import { checkedOutCell, commitLink } from "./commit-link.ts";
import { failureLogSection } from "./failure-log-section.ts";
import { platformLinks } from "./platform-links.ts";
import type { Observer } from "./run-report.ts";
import type { RunState } from "./run-state.ts";
import { statusChart, statusTable } from "./status-times.ts";

/** Writes the job summary when the run has ended, however it did. */
export function summaryObserver({ workflow, files, clock }: Context): Observer {
  return {
    onEnd: (state, ending) =>
      files.appendSummary(deploymentSummary(state, ending, workflow, state.endedAt ?? clock.now())),
  };
}

/** The summary as Markdown. `now`: milliseconds since the epoch. Text from outside stands in code spans. */
export function deploymentSummary(
  state: RunState,
  ending: Ending,
  workflow: WorkflowRun,
  now: number,
): string {
  const start = state.writtenAt ?? state.startedAt;
  const subject = state.title === "" ? "Deployment" : `Deployment ${codeSpan(state.title)}`;
  const isRollback = state.rollbackTarget !== undefined && ending.outcome === "deployed";
  return joinSections([
    heading(subject, ending.outcome, isRollback ? "rolled back" : undefined),
    endingMarkdown(ending),
    checksSection(state.checks),
    state.failureLog ? failureLogSection(state.failureLog) : "",
    state.request === undefined
      ? ""
      : `Request that would be sent:\n\n${codeBlock(state.request.split("\n"))}`,
    deploymentTable(state, ending, workflow, now),
    statusTable(state.statuses, start, now),
    statusChart(state.statuses, start, now),
  ]);
}

/** The heading of a summary. `subject`: Markdown; `result`: by default the outcome. */
export function heading(subject: string, outcome: Outcome, result = formatOutcome(outcome)): string {
  return `## ${isSuccess(outcome) ? "✅" : "❌"} ${subject}: ${result}`;
}

/** Sections of a summary as one text, without empty ones. */
export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

/** What happened, the findings as a list, and what to do next; an alert if the run failed. */
export function endingMarkdown(ending: Ending): string {
  const text = prose(endingText(ending));
  if (isSuccess(ending.outcome)) return text;
  const findings = (ending.findings ?? []).map((finding) => `> - ${prose(finding)}`);
  const next = ending.hint === undefined ? [] : [">", `> **What to do next:** ${prose(ending.hint)}`];
  return ["> [!CAUTION]", `> ${text}`, ...findings, ...next].join("\n");
}

function deploymentTable(state: RunState, { outcome }: Ending, workflow: WorkflowRun, now: number): string {
  return factTable([
    ["Deployment", deploymentCell(state, outcome)],
    ["Revision", revisionCell(state)],
    ["Rolled back to", state.rolledBackTo && codeCell(state.rolledBackTo)],
    [
      "To be rolled back to",
      state.rolledBackTo ? undefined : state.rollbackTarget && codeCell(state.rollbackTarget),
    ],
    ["Deploys", state.source && codeCell(state.source)],
    ["Archive", state.sourceDigest && codeCell(state.sourceDigest)],
    commitRow(state, workflow),
    ["Built from commit", state.commitSha && codeCell(state.commitSha)],
    ["URL", outcome === "deployed" && state.url ? link(new URL(state.url)) : undefined],
    ["On the platform", outcome === "deleted" ? undefined : platformLinks(state, outcome === "deployed")],
    ["Took", timeCell(state, now)],
  ]);
}

/** Of an upload, what is checked out; unknown if that is no checkout. A rollback does not deploy the run's commit. */
function commitRow(
  { sourceDigest, sourceCommit, rollbackTarget }: RunState,
  workflow: WorkflowRun,
): [string, string | undefined] {
  const label = `Commit of this run${rollbackTarget === undefined ? "" : " (not deployed by this step)"}`;
  if (sourceDigest === undefined) return [label, commitLink(workflow, headSha(workflow))];
  return ["Checked-out commit", sourceCommit && checkedOutCell(sourceCommit, workflow)];
}

function timeCell({ writtenAt, typicalMs }: RunState, now: number): string | undefined {
  if (writtenAt === undefined) return undefined;
  const typical = typicalMs === undefined ? "" : ` (usually ${formatDuration(typicalMs)})`;
  return formatDuration(now - writtenAt) + typical;
}

function deploymentCell(state: RunState, outcome: Outcome): string | undefined {
  if (state.deploymentId === undefined) return state.name && codeCell(state.name);
  const name = state.name === undefined ? "" : `${codeCell(state.name)}, `;
  return `${name}id ${codeCell(state.deploymentId)}${changeOf(state, outcome)}`;
}

function changeOf(state: RunState, outcome: Outcome): string {
  if (outcome === "deleted") return state.deleted.length > 0 ? ", deleted" : "";
  if (state.writtenAt === undefined || state.isResumed) return "";
  return state.created ? ", created by this run" : ", updated by this run";
}

function revisionCell({ revisionId, isResumed }: RunState): string | undefined {
  if (revisionId === undefined) return undefined;
  return codeCell(revisionId) + (isResumed ? ", started by an earlier attempt or step of this run" : "");
}
