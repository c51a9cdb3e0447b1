import { commitUrl, headSha, runUrl, type WorkflowRun } from "../../github/workflow-run.ts";
import { link, titledLink } from "../../text/markdown.ts";
import { wasRedacted } from "../../text/redact.ts";
import type { Renderer } from "../renderer.ts";
import type { CheckedOutCommit, RunState } from "../state.ts";

/** A Markdown link to a commit of the repository, undefined outside of a workflow. */
export function commitLink(workflow: WorkflowRun, sha: string): string | undefined {
  const url = commitUrl(workflow, sha);
  return url === undefined ? undefined : link(url, sha.slice(0, 7));
}

/**
 * A Markdown link to a page of this action, in the version that runs; undefined on a server of its own, whose actions may come
 * from elsewhere.
 */
export function pageLink(workflow: WorkflowRun, title: string, path: string): string | undefined {
  const { serverUrl, actionRepository, actionRef } = workflow;
  if (serverUrl !== "https://github.com" || actionRepository === "" || actionRef === "") return undefined;
  return titledLink(new URL(`/${actionRepository}/blob/${actionRef}/${path}`, serverUrl), title);
}

/** The commit that is checked out, as Markdown; undefined outside of a workflow. */
export function checkedOutCell(
  { sha, hasLocalChanges, isOfThisRepository }: CheckedOutCommit,
  workflow: WorkflowRun,
): string | undefined {
  const commit = isOfThisRepository ? commitLink(workflow, sha) : sha;
  const head = headSha(workflow);
  // GitHub makes this merge to test a pull request, so that its commit is in no list of commits.
  const isMerge = isOfThisRepository && sha === workflow.sha && sha !== head;
  const source = commit && isMerge ? `${commitLink(workflow, head)} (merged as ${commit})` : commit;
  return source && (hasLocalChanges ? `${source} with local changes` : source);
}

/**
 * The deployment's page on the platform; undefined on a host whose console is not known. It belongs to the workspace that the
 * platform names, or else to the one of the input.
 */
export function platformPage(state: RunState, render: Renderer): URL | undefined {
  const { consoleLinks, deploymentId = "", tenantId = consoleLinks?.workspaceId ?? "" } = state;
  if (consoleLinks === undefined || ![tenantId, deploymentId].every((id) => isPlainId(render.value(id)))) {
    return undefined;
  }
  return new URL(`/o/${tenantId}/host/deployments/${deploymentId}`, consoleLinks.url);
}

/** Markdown links to the deployment's page and, if an agent responds, to Studio; undefined if its page is not known. */
export function consoleCell(state: RunState, isServed: boolean, render: Renderer): string | undefined {
  const { consoleLinks, url } = state;
  const page = platformPage(state, render);
  if (page === undefined || consoleLinks === undefined) return undefined;
  const deployment = titledLink(page, "deployment");
  const studio = isServed ? studioLink(state, url, render) : undefined;
  return studio === undefined ? deployment : `${deployment}, ${studio}`;
}

/** A Markdown link to the page of an agent's graphs and threads; undefined on a host whose console is not known. */
export function studioLink(
  { consoleLinks }: Pick<RunState, "consoleLinks">,
  url: string | undefined,
  render: Renderer,
): string | undefined {
  if (consoleLinks === undefined || url === undefined || wasRedacted(render.value(url))) return undefined;
  const studio = new URL("/studio/", consoleLinks.url);
  studio.searchParams.set("baseUrl", url);
  return titledLink(studio, "Studio");
}

/** Any other ID would lead elsewhere, or was redacted. */
function isPlainId(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

/** A Markdown link to the run, undefined outside of a workflow. */
export function runCell(workflow: WorkflowRun): string | undefined {
  const url = runUrl(workflow);
  return URL.canParse(url) ? titledLink(new URL(url), "view run") : undefined;
}
