import { fullRef, headSha, refOfRun, repositoryUrl, type WorkflowRun } from "../runner/workflow-run.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { DeploymentPlan } from "./plan.ts";
import { isSameRepository } from "./same-source.ts";

/** Why a revision does not hold the commit of this run, or may not. */
export interface CommitMismatch {
  /** Whether the platform shows another commit; otherwise it shows none. */
  readonly isKnown: boolean;
  readonly message: string;
  readonly hint: string;
}

/**
 * Whether the platform built another commit than this run's, or does not show which one: a branch may have moved since.
 * Undefined if it is the same, or if this run deploys another ref or repository than its own
 * (docs/specification.md#verify-commit).
 */
export function findCommitMismatch(
  builtSha: string | undefined,
  plan: DeploymentPlan,
  workflow: WorkflowRun,
): CommitMismatch | undefined {
  const own = headSha(workflow);
  if (own === "" || !deploysOwnRef(plan, workflow)) return undefined;
  if (builtSha === undefined) {
    return {
      isKnown: false,
      message: `The platform does not show which commit it built, so it may not be this run's, ${own}.`,
      hint: "Remove verify_commit if the platform shows no commit.",
    };
  }
  if (isSameCommit(builtSha, own)) return undefined;
  return {
    isKnown: true,
    message: `The revision was built from commit ${sanitizeExcerpt(builtSha, 60)}, not from this run's ${own}. The branch or tag has probably moved.`,
    hint: "Run the workflow for the newer commit, or remove verify_commit.",
  };
}

/** A platform may show a commit in capitals, or abbreviated like Git does: to 7 digits or more. */
export function isSameCommit(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return length >= 7 && one.slice(0, length).toLowerCase() === other.slice(0, length).toLowerCase();
}

function deploysOwnRef({ source, repoUrl }: DeploymentPlan, workflow: WorkflowRun): boolean {
  const [ownRef, ownUrl] = [refOfRun(workflow), repositoryUrl(workflow)];
  if (source.repoRef === undefined || ownRef === undefined) return false;
  if (repoUrl === undefined || ownUrl === undefined) return false;
  return fullRef(source.repoRef) === fullRef(ownRef) && isSameRepository(repoUrl, ownUrl);
}
