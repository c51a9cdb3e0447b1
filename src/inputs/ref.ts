import type { WorkflowRun } from "./workflow-run.ts";

/**
 * The ref that a run deploys unless told otherwise: the branch of the run (on a pull request its head branch),
 * or `refs/tags/NAME` (contract, 3). Undefined where the run has neither.
 */
export function refOfRun(run: Pick<WorkflowRun, "ref" | "headRef">): string | undefined {
  if (run.headRef !== "") return run.headRef;
  if (run.ref.startsWith("refs/heads/")) return run.ref.slice("refs/heads/".length);
  return run.ref.startsWith("refs/tags/") ? run.ref : undefined;
}

/** A ref of this action's inputs in full: a bare name is a branch's; a tag is given as `refs/tags/NAME` (contract, 3). */
export function fullRef(ref: string): string {
  return ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}
