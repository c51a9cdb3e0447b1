import { describePassedChecks } from "../../checks/outcome.ts";
import type { Ending, Outcome } from "../../errors.ts";
import { headSha, type WorkflowRun } from "../../github/workflow-run.ts";
import type { DryRunRequest } from "../../results/deploy.ts";
import { formatDuration } from "../../text/format.ts";
import { code, id, text, url } from "../../text/message.ts";
import { lastStatus, liveNow, type RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";
import type { WriterContext } from "../report.ts";
import { isLive } from "../result.ts";
import { checksSection, summaryLimits } from "../sections/checks.ts";
import { comparisonSection } from "../sections/comparison.ts";
import { failureLogSection } from "../sections/failure-log.ts";
import { folded } from "../sections/folded.ts";
import { checkedOutCell, commitLink, consoleCell, isServed, otherLiveCell } from "../sections/links.ts";
import {
  deploymentSubject,
  heading,
  joinSections,
  resultMarkdown,
  resultStatus,
} from "../sections/result.ts";
import { statusChart, statusTable } from "../sections/status-times.ts";
import { type FactRow, factTable } from "../sections/tables.ts";
import { linesToTellingLine } from "../sections/telling-line.ts";
import { describeSince } from "../sentences/unchanged.ts";
import type { Writer } from "../writer.ts";

/** Writes the job summary when the run has ended, however it did. */
export function summaryWriter({ report, files, clock, workflow }: WriterContext): Writer {
  return {
    onEnd(facts, result) {
      const now = facts.endedAt ?? clock.now();
      files.appendSummary(deploymentSummary({ facts, result, workflow, now }, report.render));
    },
  };
}

/** What a summary is made of. `now`: milliseconds since the epoch. */
export interface SummaryContent {
  readonly facts: RunFacts;
  readonly result: Ending;
  readonly workflow: WorkflowRun;
  readonly now: number;
}

export function deploymentSummary(content: SummaryContent, render: Renderer): string {
  const { facts, result, now } = content;
  // An earlier run watched those of an unchanged revision.
  const statuses = facts.unchangedSince === undefined ? facts.statuses : [];
  const { rollbackStatuses, requestedAt: start = facts.startedAt } = facts;
  const times = { statuses, rollbackStatuses, start, now };
  const subject = deploymentSubject(facts, render);
  const { mark, words } = resultStatus(facts, result, render);
  return joinSections([
    heading(subject, result.outcome, `${words}${rollbackWords(facts, result)}`, mark),
    resultMarkdown(briefly(facts, result), render),
    checksSection(facts, summaryLimits, render),
    comparisonSection(facts, content.workflow, 100, render),
    failureLogSection(facts, logLimits(facts, result, render), render),
    ...(facts.requests ?? []).map((request) => requestSection(request, render)),
    factsTable(content, render),
    statusTable(times, render),
    statusChart(times, render),
  ]);
}

/** What became of the rollback of a failed deploy, after the result. */
function rollbackWords({ rolledBackTo, rollbackStatuses }: RunFacts, { outcome }: Ending): string {
  if (outcome !== "failed" || rollbackStatuses === undefined) return "";
  return rolledBackTo === undefined ? ", rollback failed" : ", rolled back";
}

function requestSection(request: DryRunRequest, render: Renderer): string {
  const title = `Request that would be sent: ${render.codeElement(code(request.request))}`;
  const block = render.block(request.body.split("\n"), 10_000);
  return folded(title, [block]);
}

/** A success in two sentences without ids: the tables have the rest. */
function briefly(facts: RunFacts, result: Ending): Ending {
  const { checks, rollbackTarget, url: address } = facts;
  const [first] = checks;
  // Without checks, a rollback says that, and what the revision has the content of.
  if (!isLive(result) || (first === undefined && rollbackTarget !== undefined)) return result;
  const where = address === undefined ? undefined : text` at ${url(address)}`;
  const what =
    rollbackTarget === undefined
      ? text`This run's revision is live`
      : text`The content of revision ${id(rollbackTarget)} is live again`;
  const isNew = result.outcome === "deployed" && result.special === undefined;
  const message = isNew ? text`${what}${where}.` : result.message;
  return first === undefined
    ? { ...result, message }
    : { ...result, message, details: describePassedChecks(checks) };
}

/** The log is unfolded if the revision itself failed. If a check failed, its own block says more. */
function logLimits(facts: RunFacts, result: Ending, render: Renderer) {
  const maxLines = Math.max(20, linesToTellingLine(facts, result, render));
  return { maxLines, maxLineLength: 500, isCollapsed: lastStatus(facts)?.kind !== "failed" };
}

function factsTable({ facts, result, workflow, now }: SummaryContent, render: Renderer): string {
  const { outcome } = result;
  const cell = (raw: string | undefined) => raw && render.cell(code(raw, 3000));
  const served = isServed(facts, result);
  return factTable([
    ["URL", served && facts.url ? render.cell(url(facts.url)) : undefined],
    ...idRows(facts, outcome, render),
    ["Live revision", liveNow(facts) === facts.previousRevisionId ? undefined : otherLiveCell(facts, render)],
    ["Reason", facts.deletionReason && render.cell(facts.deletionReason)],
    ["Unchanged since", facts.unchangedSince && render.cell(describeSince(facts.unchangedSince))],
    ["Rolled back to", facts.rolledBackTo && render.idCell(facts.rolledBackTo)],
    [
      "To be rolled back to",
      facts.rolledBackTo ? undefined : facts.rollbackTarget && render.idCell(facts.rollbackTarget),
    ],
    ["Source", facts.source && render.cell(facts.source)],
    ["Archive", cell(facts.sourceDigest)],
    ...commitRows(facts, workflow, cell),
    ["Agent server", cell(facts.serverVersion)],
    ["On the platform", outcome === "deleted" ? undefined : consoleCell(facts, served, render)],
    ["Took", timeCell(facts, now)],
  ]);
}

/** Rows of what a rollback by hand needs: the IDs in full. */
export function idRows(facts: RunFacts, outcome: Outcome, render: Renderer): FactRow[] {
  return [
    ["Deployment", deploymentCell(facts, outcome, render)],
    ["Revision", revisionCell(facts, render)],
    ["Previous revision", previousCell(facts, render)],
  ];
}

/** The commit of this run, and the one that the platform built, which may be of another repository if it is not the same. */
function commitRows(
  facts: RunFacts,
  workflow: WorkflowRun,
  cell: (raw: string | undefined) => string | undefined,
): [string, string | undefined][] {
  const { commitSha, rollbackTarget } = facts;
  const link = commitSha === headSha(workflow) ? commitLink(workflow, commitSha) : undefined;
  const row = commitRow(facts, workflow);
  if (link === undefined || rollbackTarget !== undefined) {
    return [row, ["Built from commit", cell(commitSha)]];
  }
  return [["Built from commit", `${link}, the commit of this run`]];
}

/** The commit of this run, which a rollback does not deploy; for an upload, the one that is checked out, if it is known. */
function commitRow(
  { sourceDigest, sourceCommit, rollbackTarget }: RunFacts,
  workflow: WorkflowRun,
): [string, string | undefined] {
  const label = `Commit of this run${rollbackTarget === undefined ? "" : " (not what is deployed)"}`;
  if (sourceDigest === undefined) return [label, commitLink(workflow, headSha(workflow))];
  return ["Checked-out commit", sourceCommit && checkedOutCell(sourceCommit, workflow)];
}

function timeCell({ requestedAt, typicalMs, rollbackStatuses }: RunFacts, now: number): string | undefined {
  if (requestedAt === undefined) return undefined;
  const took = formatDuration(now - requestedAt);
  if (rollbackStatuses !== undefined) return `${took}, with the rollback`;
  return typicalMs === undefined ? took : `${took} (expected: ${formatDuration(typicalMs)})`;
}

function deploymentCell(facts: RunFacts, outcome: Outcome, render: Renderer): string | undefined {
  const name = facts.name === undefined ? undefined : render.idCell(facts.name);
  if (facts.deploymentId === undefined) return name;
  const deploymentId = `ID ${render.idCell(facts.deploymentId)}${changeOf(facts, outcome)}`;
  return name === undefined ? deploymentId : `${name}, ${deploymentId}`;
}

function changeOf(facts: RunFacts, outcome: Outcome): string {
  if (outcome === "deleted") return facts.deleted.length > 0 ? ", deleted" : "";
  if (facts.requestedAt === undefined || facts.isResumed) return "";
  return facts.created ? ", created by this run" : ", updated by this run";
}

/** The revision that this run's was to replace. */
function previousCell({ revisionId, previousRevisionId }: RunFacts, render: Renderer): string | undefined {
  return revisionId && previousRevisionId && render.idCell(previousRevisionId);
}

function revisionCell({ revisionId, isResumed }: RunFacts, render: Renderer): string | undefined {
  if (revisionId === undefined) return undefined;
  return render.idCell(revisionId) + (isResumed ? ", started by an earlier attempt or step of this run" : "");
}
