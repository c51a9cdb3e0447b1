import { type Ending, endingText, formatOutcome, isSuccess, type Outcome } from "../ending.ts";
import { runUrl, type WorkflowRun } from "../runner/workflow-run.ts";
import { codeCell, codeSpan, factTable, link } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { checksForComment } from "./checks-section.ts";
import { checkedOutCell, commitLink } from "./commit-link.ts";
import { failureLogForComment } from "./failure-log-section.ts";
import { platformLinks } from "./platform-links.ts";
import type { RunState } from "./run-state.ts";

/** What a comment shows of a preview. */
export interface CommentContent {
  readonly name: string;
  /** The commit of the preview. */
  readonly headSha: string;
  readonly state: RunState;
  /** Undefined while the run is in progress. */
  readonly ending: Ending | undefined;
}

/** In characters. GitHub accepts 65,536 in all, and escaping makes text longer. */
const maxCellLength = 300;
const maxTextLength = 8000;

/** The hidden line by which the comment of a preview is found again. No marker of another name contains it. */
export function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

/** The text of a comment, without the time of its last change. */
export function commentBody({ name, headSha, state, ending }: CommentContent, workflow: WorkflowRun): string {
  const table = factTable([
    ["Status", statusCell(state, ending)],
    ["URL", ending?.outcome === "deployed" && state.url ? link(new URL(state.url)) : undefined],
    [
      "On the platform",
      ending?.outcome === "deleted" ? undefined : platformLinks(state, ending?.outcome === "deployed"),
    ],
    ["Revision", state.revisionId && excerptCell(state.revisionId)],
    ["Commit", commitCell(state, headSha, workflow)],
    ["Log", runCell(workflow)],
  ]);
  const failure =
    ending && !isSuccess(ending.outcome)
      ? ["", prose(sanitizeExcerpt(`${endingText(ending)} ${ending.hint ?? ""}`, maxTextLength))]
      : [];
  return [
    commentMarker(name),
    `### Preview ${codeSpan(sanitizeExcerpt(name, maxCellLength))}`,
    "",
    table,
    ...failure,
    ...(ending && state.checks.length > 0 ? ["", checksForComment(state.checks)] : []),
    ...(ending && state.failureLog ? ["", failureLogForComment(state.failureLog)] : []),
  ].join("\n");
}

/** Of an upload, what is checked out; on a pull request that is a merge by default. */
function commitCell({ sourceDigest, sourceCommit }: RunState, headSha: string, workflow: WorkflowRun) {
  if (sourceDigest === undefined) return commitLink(workflow, headSha);
  return sourceCommit && checkedOutCell(sourceCommit, workflow);
}

/** The text with the time of its last change; `now` in milliseconds since the epoch. */
export function withTime(body: string, now: number): string {
  return `${body}\n\n<sub>Updated ${new Date(now).toISOString().slice(0, 16).replace("T", " ")} UTC</sub>`;
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

/** Whether this run was the last to write the text. */
export function wasWrittenBy(workflow: WorkflowRun, body: string): boolean {
  return body.includes(`| Log | ${runCell(workflow)} |`);
}

/** The text after the run was killed: a status in progress is replaced. */
export function killedCommentBody(body: string): string {
  return body.replace(
    /^\| Status \| ⏳ .*\|$/m,
    "| Status | ❌ the run was killed, and the state of the revision is unknown |",
  );
}

const marks: Partial<Record<Outcome, string>> = {
  deployed: "✅",
  deleted: "🗑️",
  started: "🚀",
  superseded: "⏭️",
};

function statusCell({ statuses }: RunState, ending: Ending | undefined): string {
  const status = statuses.at(-1)?.status.raw;
  if (ending === undefined) return `⏳ ${status === undefined ? "started" : excerptCell(status)}`;
  const detail = status === undefined || ending.outcome === "deleted" ? "" : ` (${excerptCell(status)})`;
  return `${marks[ending.outcome] ?? "❌"} ${formatOutcome(ending.outcome)}${detail}`;
}

function runCell(workflow: WorkflowRun): string | undefined {
  const url = runUrl(workflow);
  return URL.canParse(url) ? `[run ${workflow.runId}](<${new URL(url).href}>)` : undefined;
}

function excerptCell(text: string): string {
  return codeCell(sanitizeExcerpt(text, maxCellLength));
}
