import { fullRef, headSha, refOfRun, repositoryUrl, type WorkflowRun } from "../../github/workflow-run.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { isSameCommit, isSameRepository } from "../plan/compare-source.ts";
import type { DeploymentPlan } from "../plan/plan.ts";

/** What the platform shows of the build. */
export interface BuiltCommit {
  readonly sha: string | undefined;
  /** The repository of the deployment. */
  readonly repoUrl: string | undefined;
}

/** Why a revision does not hold the commit of this run, or may not. */
export interface CommitMismatch {
  /** Whether it deserves a warning without `verify_commit`: another commit was built of this run's own ref. */
  readonly isUnexpected: boolean;
  readonly message: string;
  readonly hint: string;
}

/**
 * Why the platform did not build this run's commit, as far as it shows that; undefined if it did, and for an upload, which
 * holds what this run checked out (docs/specification.md#verify-commit).
 */
export function findCommitMismatch(
  built: BuiltCommit,
  plan: DeploymentPlan,
  workflow: WorkflowRun,
): CommitMismatch | undefined {
  if (plan.upload !== undefined) return undefined;
  const [own, ownUrl] = [headSha(workflow), repositoryUrl(workflow)];
  if (own === "" || ownUrl === undefined) {
    return notComparable("This run has no commit, so the one that was built can't be compared with it.");
  }
  const repoUrl = built.repoUrl ?? plan.repoUrl;
  if (repoUrl !== undefined && !isSameRepository(repoUrl, ownUrl)) {
    return notComparable(
      `The deployment is built from ${sanitizeExcerpt(repoUrl, 200)}, so its commit can't be compared with this run's, ${own}.`,
    );
  }
  if (built.sha === undefined) {
    return {
      isUnexpected: false,
      message: `The platform does not show which commit it built, so it may not be this run's, ${own}.`,
      hint: "Remove verify_commit if the platform shows no commit.",
    };
  }
  if (isSameCommit(built.sha, own)) return undefined;
  const message = `The revision was built from commit ${sanitizeExcerpt(built.sha, 60)}, not from this run's ${own}.`;
  return deploysOwnRef(plan, workflow)
    ? {
        isUnexpected: true,
        message: `${message} The branch or tag has probably moved.`,
        hint: "Run the workflow for the newer commit, or remove verify_commit.",
      }
    : {
        isUnexpected: false,
        message,
        hint: "Deploy the run's own ref (leave repo_ref out), or remove verify_commit.",
      };
}

function notComparable(message: string): CommitMismatch {
  return { isUnexpected: false, message, hint: "Remove verify_commit if another repository is deployed." };
}

function deploysOwnRef({ source, repoUrl }: DeploymentPlan, workflow: WorkflowRun): boolean {
  const ownRef = refOfRun(workflow);
  // Without a repository, an image or another source is deployed.
  if (source.repoRef === undefined || ownRef === undefined || repoUrl === undefined) return false;
  return fullRef(source.repoRef) === fullRef(ownRef);
}
