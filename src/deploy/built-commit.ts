import type { BuiltCommit } from "../checks/commit-check.ts";
import { fullRef, headSha, refOfRun, repositoryUrl, type WorkflowRun } from "../github/workflow-run.ts";
import type { WatchResultOf } from "../results/watch.ts";
import type { DeployJob } from "./job.ts";
import type { DeployPlan } from "./plan/plan.ts";

/** The run's commit and what a live revision was built from; undefined for an upload, which holds what this run checked out. */
export function builtCommit(
  { plan, workflow }: Pick<DeployJob, "plan" | "workflow">,
  { revision, repoUrl }: Pick<WatchResultOf<"live">, "revision" | "repoUrl">,
): BuiltCommit | undefined {
  if (plan.desired.upload !== undefined) return undefined;
  return {
    own: headSha(workflow),
    ownUrl: repositoryUrl(workflow),
    repoUrl: repoUrl ?? plan.repoUrl,
    built: revision.commitSha,
    isOwnRef: deploysOwnRef(plan, workflow),
  };
}

export function deploysOwnRef({ source, repoUrl }: DeployPlan, workflow: WorkflowRun): boolean {
  const ownRef = refOfRun(workflow);
  // Without a repository, an image or another source is deployed.
  if (source.repoRef === undefined || ownRef === undefined || repoUrl === undefined) return false;
  return fullRef(source.repoRef) === fullRef(ownRef);
}
