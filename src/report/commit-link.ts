import { commitUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { link } from "../text/markdown.ts";

/** A commit of this repository as a Markdown link, undefined outside a workflow. */
export function commitLink(run: WorkflowRun, sha: string): string | undefined {
  const url = commitUrl(run, sha);
  return url === undefined ? undefined : link(url, sha.slice(0, 7));
}
