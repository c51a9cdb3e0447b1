import { runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { type Ending, formatOutcome, type Outcome, succeeded } from "../progress/ending.ts";
import type { Facts } from "../progress/facts.ts";
import { codeCell, codeSpan, link } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { commitLink } from "./commit-link.ts";
import { factTable } from "./fact-table.ts";
import { failureLogForComment } from "./failure-log.ts";

/** What a comment tells of a preview. */
export interface CommentContent {
  readonly name: string;
  readonly facts: Facts;
  /** Undefined while it goes on. */
  readonly ending: Ending | undefined;
  /** The commit that the preview shows. */
  readonly headSha: string;
}

/** In characters: GitHub takes 65,536 in all (field guide, 1), and marking text as code makes it longer. */
const maxCell = 300;
const maxMessage = 8000;

/** The hidden line by which a preview's comment is found again; no other name's marker contains it. */
export function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

/** The comment's text, without the time of its last change. */
export function commentBody(content: CommentContent, run: WorkflowRun): string {
  const { name, facts, ending } = content;
  const table = factTable([
    ["Status", statusCell(facts, ending)],
    ["URL", ending?.outcome === "deployed" && facts.url ? link(new URL(facts.url)) : undefined],
    ["Revision", facts.revisionId && shownCell(facts.revisionId)],
    ["Commit", commitLink(run, content.headSha)],
    ["Log", logCell(run)],
  ]);
  const trouble =
    ending && !succeeded(ending.outcome)
      ? ["", prose(sanitizeExcerpt(`${ending.message} ${ending.hint ?? ""}`, maxMessage))]
      : [];
  return [
    commentMarker(name),
    `### Preview ${codeSpan(sanitizeExcerpt(name, maxCell))}`,
    "",
    table,
    ...trouble,
    ...(ending && facts.failureLog ? ["", failureLogForComment(facts.failureLog)] : []),
  ].join("\n");
}

const timeLine = /\n\n<sub>Updated [^\n]*<\/sub>\s*$/;

/** The text with the time of its last change; `now` in milliseconds since the epoch. */
export function withTime(body: string, now: number): string {
  return `${body}\n\n<sub>Updated ${new Date(now).toISOString().slice(0, 16).replace("T", " ")} UTC</sub>`;
}

/** A comment as GitHub has it, without that time: what decides whether anything changed. */
export function withoutTime(body: string): string {
  return body.replaceAll("\r\n", "\n").replace(timeLine, "");
}

/** Whether two texts differ at most in the run that they link to. */
export function sameButForLog(one: string, other: string): boolean {
  const withoutLog = (body: string) => body.replace(/^\| Log \| .*$/m, "");
  return withoutLog(one) === withoutLog(other);
}

/** Whether the text was last written by this run. */
export function isOfRun(body: string, run: WorkflowRun): boolean {
  return body.includes(`| Log | ${logCell(run)} |`);
}

const marks: Partial<Record<Outcome, string>> = {
  deployed: "✅",
  deleted: "🗑️",
  started: "🚀",
  superseded: "⏭️",
};

function statusCell(facts: Facts, ending: Ending | undefined): string {
  const status = facts.statuses.at(-1)?.status;
  if (ending === undefined) return `⏳ ${status === undefined ? "started" : shownCell(status)}`;
  const shown = status === undefined || ending.outcome === "deleted" ? "" : ` (${shownCell(status)})`;
  return `${marks[ending.outcome] ?? "❌"} ${formatOutcome(ending.outcome)}${shown}`;
}

/** The text of a step that was killed: in place of a status that goes on it tells of that. What else it tells is true. */
export function asKilled(body: string): string {
  return body.replace(
    /^\| Status \| ⏳ .*\|$/m,
    "| Status | ❌ the run was killed: what became of the revision isn't known |",
  );
}

function logCell(run: WorkflowRun): string | undefined {
  const url = runUrl(run);
  return URL.canParse(url) ? `[run ${run.runId}](<${new URL(url).href}>)` : undefined;
}

function shownCell(text: string): string {
  return codeCell(sanitizeExcerpt(text, maxCell));
}
