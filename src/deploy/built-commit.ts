import type { BuiltCommit } from "../checks/commit-check.ts";
import { findMismatch } from "../checks/commit-check.ts";
import { fullRef, headSha, refOfRun, repositoryUrl, type WorkflowRun } from "../github/workflow-run.ts";
import { code, type Message, text } from "../text/message.ts";
import type { DeployJob } from "./job.ts";
import type { LiveDeployment } from "./live.ts";
import type { DeployPlan } from "./plan/plan.ts";

/** The commit of this run, and the one that its live revision was built from. */
export function builtCommit(
  { plan, workflow }: Pick<DeployJob, "plan" | "workflow">,
  { deployment, revision }: LiveDeployment,
): BuiltCommit {
  return {
    own: headSha(workflow),
    ownUrl: repositoryUrl(workflow),
    repoUrl: deployment.repoUrl ?? plan.repoUrl,
    built: revision.commitSha,
    isOwnRef: deploysOwnRef(plan, workflow),
  };
}

function deploysOwnRef({ source, repoUrl }: DeployPlan, workflow: WorkflowRun): boolean {
  const ownRef = refOfRun(workflow);
  // Without a repository, an image or another source is deployed.
  if (source.repoRef === undefined || ownRef === undefined || repoUrl === undefined) return false;
  return fullRef(source.repoRef) === fullRef(ownRef);
}

/** Why the live revision may not hold what this run would deploy from its ref, as a part of a sentence; undefined if it does. */
export function findCommitProblem(job: DeployJob, live: LiveDeployment): Message | undefined {
  const commit = builtCommit(job, live);
  const mismatch = findMismatch(commit);
  if (mismatch !== undefined) return mismatch.what;
  return commit.isOwnRef
    ? undefined
    : text`${code(job.plan.source.repoRef ?? "")} is not the ref of this run, so it may have moved`;
}
