import { commitUrl, type WorkflowRun } from "../github/workflow-run.ts";
import { link } from "../text/markdown.ts";
import type { CheckedOutCommit } from "./facts.ts";

/** A Markdown link to a commit of the repository, undefined outside of a workflow. */
export function commitLink(workflow: WorkflowRun, sha: string): string | undefined {
  const url = commitUrl(workflow, sha);
  return url === undefined ? undefined : link(url, sha.slice(0, 7));
}

/** The commit that is checked out, as Markdown; undefined outside of a workflow. */
export function checkedOutCell(
  { sha, hasLocalChanges, isOfThisRepository }: CheckedOutCommit,
  workflow: WorkflowRun,
): string | undefined {
  const commit = isOfThisRepository ? commitLink(workflow, sha) : sha;
  return commit && (hasLocalChanges ? `${commit} with local changes` : commit);
}
