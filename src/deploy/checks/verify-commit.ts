import { fullRef, headSha, refOfRun, repositoryUrl, type WorkflowRun } from "../../github/workflow-run.ts";
import { isSameCommit, isSameRepository } from "../../platform/compare-source.ts";
import type { CommitMismatch } from "../../results/deploy.ts";
import type { WatchResult } from "../../results/watch.ts";
import type { DeployJob } from "../job.ts";
import type { DeployPlan } from "../plan/plan.ts";

/**
 * Why the platform did not build this run's commit, as far as it shows that; undefined if it did, if nothing was
 * deployed, and for an upload, which holds what this run checked out (docs/specification.md#verify-commit).
 */
export function findCommitMismatch(
  { plan, workflow }: Pick<DeployJob, "plan" | "workflow">,
  watched: WatchResult,
): CommitMismatch | undefined {
  if (watched.kind !== "live" && watched.kind !== "replaced") return undefined;
  if (plan.desired.upload !== undefined) return undefined;
  const [own, ownUrl] = [headSha(workflow), repositoryUrl(workflow)];
  if (own === "" || ownUrl === undefined) return { kind: "no_own_commit" };
  const repoUrl = watched.repoUrl ?? plan.repoUrl;
  if (repoUrl !== undefined && !isSameRepository(repoUrl, ownUrl)) {
    return { kind: "other_repository", repoUrl, own };
  }
  const built = watched.revision.commitSha;
  if (built === undefined) return { kind: "not_shown", own };
  if (isSameCommit(built, own)) return undefined;
  return { kind: "other_commit", built, own, isOwnRef: deploysOwnRef(plan, workflow) };
}

export function deploysOwnRef({ source, repoUrl }: DeployPlan, workflow: WorkflowRun): boolean {
  const ownRef = refOfRun(workflow);
  // Without a repository, an image or another source is deployed.
  if (source.repoRef === undefined || ownRef === undefined || repoUrl === undefined) return false;
  return fullRef(source.repoRef) === fullRef(ownRef);
}
