import { failedCheckLabel } from "../../checks/outcome.ts";
import type { Ending } from "../../errors.ts";
import { ifReplaced } from "../../errors.ts";
import { runUrl, type WorkflowRun } from "../../github/workflow-run.ts";
import { formatMinute } from "../../text/format.ts";
import { titledLink } from "../../text/markdown.ts";
import { code, rawText, text, url } from "../../text/message.ts";
import { hasEnded, lastStatus, type RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";
import { isLive, isSuccess } from "../result.ts";
import { checksSection, commentLimits } from "../sections/checks.ts";
import { comparisonSection } from "../sections/comparison.ts";
import { failureLogSection } from "../sections/failure-log.ts";
import { checkedOutCell, commitLink, consoleCell, isServed, otherLiveCell } from "../sections/links.ts";
import { resultMarkdown, resultStatus } from "../sections/result.ts";
import { factTable, factTableRule } from "../sections/tables.ts";
import { linesToTellingLine } from "../sections/telling-line.ts";
import { describeSince } from "../sentences/unchanged.ts";

/** What a comment shows of a preview. */
export interface CommentContent {
  readonly name: string;
  readonly headSha: string;
  readonly facts: RunFacts;
  /** Undefined while the run is in progress. */
  readonly result: Ending | undefined;
}

/** The hidden line by which the comment of a preview is found again. No marker of another name contains it. */
export function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

/** The text of a comment, without the time of its last change. */
export function commentBody(content: CommentContent, workflow: WorkflowRun, render: Renderer): string {
  const { name, facts, result } = content;
  const { mark, words } = headingStatus(facts, result, render);
  return [
    commentMarker(name),
    `### ${mark} ${render.markdown(text`Preview ${code(name)}`)}: ${words}`,
    "",
    factsTable(content, workflow, render),
    ...(result && !isSuccess(result.outcome) ? ["", resultMarkdown(result, render, maxProblems)] : []),
    // What is deleted has no checks any more.
    ...(result === undefined || result.outcome === "deleted"
      ? []
      : foundSections(facts, result, workflow, render)),
  ].join("\n");
}

/** What was found out of the revision, with an empty line before each section. */
function foundSections(facts: RunFacts, result: Ending, workflow: WorkflowRun, render: Renderer): string[] {
  return [
    ...(facts.checks.length > 0 ? ["", checksSection(facts, commentLimits, render)] : []),
    ...(facts.comparison ? ["", comparisonSection(facts, workflow, 20, render)] : []),
    ...(facts.failureLog ? ["", failureLogSection(facts, logLimits(facts, result, render), render)] : []),
  ];
}

function factsTable(content: CommentContent, workflow: WorkflowRun, render: Renderer): string {
  const { facts, result } = content;
  // While a revision is built, the one before still responds.
  const before = result === undefined && !hasEnded(facts) ? facts.previousRevisionId : undefined;
  const served = before !== undefined || isServed(facts, result);
  return factTable([
    ["URL", served && facts.url ? render.cell(url(facts.url)) : undefined],
    ["On the platform", result?.outcome === "deleted" ? undefined : consoleCell(facts, served, render)],
    ["Revision", facts.revisionId && render.idCell(facts.revisionId)],
    ["Live revision", before === undefined ? result && otherLiveCell(facts, render) : render.idCell(before)],
    ["Agent server", facts.serverVersion && render.cell(code(facts.serverVersion, 100))],
    ["Unchanged since", facts.unchangedSince && render.cell(describeSince(facts.unchangedSince))],
    ["Reason", facts.deletionReason && render.cell(facts.deletionReason)],
    ["Commit", commitCell(content, workflow)],
    ["Log", runCell(workflow)],
  ]);
}

/** The head of the pull request; for an upload, the commit that is checked out, by default a merge with the base branch. */
function commitCell({ facts, headSha }: CommentContent, workflow: WorkflowRun): string | undefined {
  if (facts.sourceDigest === undefined) return commitLink(workflow, headSha);
  return facts.sourceCommit && checkedOutCell(facts.sourceCommit, workflow);
}

// Shorter than in the summary: GitHub accepts 65,536 characters in all.
const maxProblems = 10;
function logLimits(facts: RunFacts, result: Ending, render: Renderer) {
  const needed = linesToTellingLine(facts, result, render);
  // Beside the evidence of failed checks, less fits.
  const fitting = lastStatus(facts)?.kind === "failed" ? needed : Math.min(20, needed);
  return { maxLines: Math.max(8, fitting), maxLineLength: 200, isCollapsed: true };
}

/** The text with the time of its last change; `now` in milliseconds since the epoch. */
export function withTime(body: string, now: number): string {
  return `${body}\n\n<sub>Updated ${formatMinute(now)}</sub>`;
}

/** The text of a comment from GitHub without that time, for comparison with `commentBody`. */
export function withoutTime(body: string): string {
  return body.replaceAll("\r\n", "\n").replace(/\n\n<sub>Updated [^\n]*<\/sub>\s*$/, "");
}

/** Whether two texts differ at most in the run that they link to. */
export function isSameExceptRun(one: string, other: string): boolean {
  const withoutRun = (body: string) => body.replace(/^\| Log \| .*$/m, "");
  return withoutRun(one) === withoutRun(other);
}

/**
 * The text with the URL of the one `before`, which a run that ends before it reads the deployment does not know: what was live
 * still is.
 */
export function withUrlBefore(body: string, before: string): string {
  const [, cell] = /^\| URL(?: before this run)? \| (.*) \|$/m.exec(before) ?? [];
  const isKnown = /^\| (?:URL|Revision) \|/m.test(body);
  if (cell === undefined || isKnown) return body;
  return body.replace(factTableRule, (rule) => `${rule}\n| URL before this run | ${cell} |`);
}

/** Whether a comment says that the preview was deleted. */
export function saysDeleted(body: string): boolean {
  return /^### 🗑️ /m.test(body);
}

/** Whether this run was the last to write the text. */
export function wasWrittenBy(workflow: WorkflowRun, body: string): boolean {
  return body.includes(`| Log | ${runCell(workflow)} |`);
}

/** The text after the run was killed: a status in progress is replaced. */
export function killedCommentBody(body: string): string {
  return body.replace(
    /^### ⏳ (Preview .*?): .*$/m,
    `### ❌ $1: the run was killed, and the state of the revision is unknown\n\n${rawText(ifReplaced)} Otherwise, re-run the job.`,
  );
}

/** The mark and the words of the heading. */
function headingStatus(
  facts: RunFacts,
  result: Ending | undefined,
  render: Renderer,
): { readonly mark: string; readonly words: string } {
  const status = lastStatus(facts);
  const statusText = status && render.markdown(text`${code(status.raw)}`);
  if (result === undefined) return { mark: "⏳", words: statusText ?? "started" };
  const { mark, words } = resultStatus(facts, result, render);
  const isSaid = isLive(result) || result.outcome === "deleted";
  // After the revision was deployed, something else failed.
  const failure = status?.kind === "deployed" ? result.failure : undefined;
  const failed = failedCheckLabel(facts.checks) ?? failure;
  const reason = failed === undefined ? statusText : render.markdown(failed);
  return { mark, words: reason === undefined || isSaid ? words : `${words} (${reason})` };
}

function runCell(workflow: WorkflowRun): string | undefined {
  const url = runUrl(workflow);
  return URL.canParse(url) ? titledLink(new URL(url), "view run") : undefined;
}
