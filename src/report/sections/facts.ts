import { isSameId, type RevisionId } from "../../platform/ids.ts";
import { measuredMs, type RunState, shownCommit } from "../../state/run-state.ts";
import { formatDuration } from "../../text/format.ts";
import { codeSpan, markdownLink } from "../../text/markdown.ts";
import { code } from "../../text/message.ts";
import { equalsIgnoringCase } from "../../text/strings.ts";
import { commitUrl, headSha, repositoryUrl, runUrl, type WorkflowRun } from "../../workflow-run.ts";
import type { Renderer } from "../renderer.ts";
import { factTable } from "./blocks.ts";

/** Returns the facts of a run as a Markdown table. Its IDs are complete, because a rollback by hand needs them. */
export function factsTable(state: RunState, workflow: WorkflowRun, render: Renderer): string {
  const cell = (raw: string | undefined) => raw && render.cell(code(raw, 3000));
  const id = (raw: string | undefined) => raw && render.idCell(raw);
  const idUnless = (raw: RevisionId | undefined, shown: RevisionId | undefined) =>
    raw && !isSameId(shown, raw) ? id(raw) : undefined;
  const { name, deployment, ending, revision, liveRevisionId, rollback } = state;
  const tookMs = measuredMs(state);
  const deploymentFacts = [
    id(name),
    deployment && `ID ${render.idCell(deployment.id)}`,
    deployment?.created && "created by this run",
  ];
  return factTable([
    ["Deployment", deploymentFacts.filter(Boolean).join(", ")],
    ["Revision", id(revision.id)],
    ["Previous revision", revision.id && id(state.previousRevisionId)],
    ["Live revision", idUnless(liveRevisionId, revision.id)],
    ["Revision of the rollback", idUnless(state.rollbackRevision?.id, liveRevisionId)],
    [rollback?.isLive ? "Rolled back to" : "Target of the rollback", id(rollback?.targetId)],
    ["Source", state.contentLabel && render.cell(state.contentLabel)],
    ["Archive", cell(state.archive?.digest)],
    ["Commit", commitCell(state, workflow, render)],
    ["Agent server", cell(revision.serverVersion)],
    ["On the platform", consoleCell(state, render)],
    ["Took", tookMs === undefined || ending?.outcome === "started" ? undefined : formatDuration(tookMs)],
    ["Log", repositoryUrl(workflow) && markdownLink(new URL(runUrl(workflow)), "view run")],
  ]);
}

/** Returns the commit, as a link if it is of this repository. */
function commitCell(state: RunState, workflow: WorkflowRun, render: Renderer): string | undefined {
  const checkedOut = state.archive?.commit;
  const sha = shownCommit(state);
  if (sha === undefined) return undefined;
  const isOfThisRepository = checkedOut?.isOfThisRepository ?? equalsIgnoringCase(sha, headSha(workflow));
  const page = isOfThisRepository ? commitUrl(workflow, sha) : undefined;
  const commit = page === undefined ? render.cell(code(sha)) : markdownLink(page, codeSpan(sha.slice(0, 7)));
  return checkedOut?.hasLocalChanges ? `${commit} with local changes` : commit;
}

/** Returns the deployment's page on the platform; undefined on a host whose console is not known. */
export function platformPage({ consolePage, deployment }: RunState, render: Renderer): URL | undefined {
  if (consolePage === undefined || deployment === undefined) return undefined;
  return new URL(`${consolePage}/${encodeURIComponent(render.redactIdentifier(deployment.id))}`);
}

/** Returns links to the deployment's page and, if a revision is live, to Studio; undefined if its page is not known. */
function consoleCell(state: RunState, render: Renderer): string | undefined {
  const page = platformPage(state, render);
  if (page === undefined) return undefined;
  const deployment = markdownLink(page, "deployment");
  const url = state.deployment?.url;
  if (url === undefined || state.liveRevisionId === undefined) return deployment;
  const studio = new URL("/studio/", page);
  studio.searchParams.set("baseUrl", render.redactIdentifier(url));
  return `${deployment}, ${markdownLink(studio, "Studio")}`;
}
