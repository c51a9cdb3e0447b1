import type { Context } from "../context.ts";
import { headSha, type WorkflowRun } from "../inputs/workflow-run.ts";
import { type Ending, formatOutcome, type Outcome, succeeded } from "../progress/ending.ts";
import type { Facts } from "../progress/facts.ts";
import type { Reporter } from "../progress/progress.ts";
import { formatDuration } from "../text/duration.ts";
import { codeBlock, codeCell, codeSpan, link } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { commitLink } from "./commit-link.ts";
import { factTable } from "./fact-table.ts";
import { failureLogSection } from "./failure-log.ts";
import { aboveFindings } from "./findings.ts";
import { statusChart, statusTable } from "./status-times.ts";

/** Writes the job summary when the run has ended, however it did (contract, 3.4). */
export function summaryReporter(run: WorkflowRun, context: Context): Reporter {
  return {
    onEnd: (facts, ending) =>
      context.files.appendSummary(deploymentSummary(facts, ending, run, context.clock.now())),
  };
}

/** The summary as Markdown. `now`: milliseconds since the epoch. What comes from outside stands in code spans. */
export function deploymentSummary(facts: Facts, ending: Ending, run: WorkflowRun, now: number): string {
  const start = facts.writtenAt ?? facts.startedAt;
  const sections = [
    heading(ending.outcome, facts.title),
    endingText(ending),
    facts.failureLog ? failureLogSection(facts.failureLog) : "",
    facts.request === undefined ? "" : `What would be sent:\n\n${codeBlock(facts.request.split("\n"))}`,
    tableOf(facts, ending, run, now),
    statusTable(facts.statuses, start, now),
    statusChart(facts.statuses, start, now),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n\n`;
}

function heading(outcome: Outcome, title: string): string {
  const mark = succeeded(outcome) ? "✅" : "❌";
  const what = title === "" ? "Deployment" : `Deployment ${codeSpan(title)}`;
  return `## ${mark} ${what}: ${formatOutcome(outcome)}`;
}

/** What happened, and in a list of its own what was found; a quote where it ended badly. */
export function endingText(ending: Ending): string {
  if (succeeded(ending.outcome)) return prose(ending.message);
  const items = (ending.items ?? []).map((item) => `> - ${prose(item)}`);
  const next = ending.hint === undefined ? [] : [">", `> **What to do next:** ${prose(ending.hint)}`];
  return ["> [!CAUTION]", `> ${prose(aboveFindings(ending))}`, ...items, ...next].join("\n");
}

function tableOf(facts: Facts, ending: Ending, run: WorkflowRun, now: number): string {
  return factTable([
    ["Deployment", deploymentCell(facts, ending.outcome)],
    ["Revision", revisionCell(facts)],
    ["Rolled back to", facts.rolledBackTo && codeCell(facts.rolledBackTo)],
    ["Deploys", facts.source && codeCell(facts.source)],
    ["Commit of this run", commitLink(run, headSha(run))],
    ["Built from commit", facts.commitSha && codeCell(facts.commitSha)],
    ["URL", ending.outcome === "deployed" && facts.url ? link(new URL(facts.url)) : undefined],
    ["Took", timeCell(facts, now)],
  ]);
}

function timeCell({ writtenAt, typicalMs }: Facts, now: number): string | undefined {
  if (writtenAt === undefined) return undefined;
  const usual = typicalMs === undefined ? "" : ` (usually ${formatDuration(typicalMs)})`;
  return formatDuration(now - writtenAt) + usual;
}

function deploymentCell(facts: Facts, outcome: Outcome): string | undefined {
  if (facts.deploymentId === undefined) return facts.name && codeCell(facts.name);
  const name = facts.name === undefined ? "" : `${codeCell(facts.name)}, `;
  return `${name}id ${codeCell(facts.deploymentId)}${whatWasDone(facts, outcome)}`;
}

function whatWasDone(facts: Facts, outcome: Outcome): string {
  // What is gone already was not deleted by this run.
  if (outcome === "deleted") return facts.deleted.length > 0 ? ", deleted" : "";
  if (facts.writtenAt === undefined || facts.resumed) return "";
  return facts.created ? ", created by this run" : ", updated by this run";
}

function revisionCell({ revisionId, resumed }: Facts): string | undefined {
  if (revisionId === undefined) return undefined;
  const whose = ", started by an earlier attempt or step of this run, so nothing was sent to start another";
  return codeCell(revisionId) + (resumed ? whose : "");
}
