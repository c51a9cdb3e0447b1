import type { Context } from "../context.ts";
import { fullRef, refOfRun } from "../inputs/ref.ts";
import { headSha, repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ending } from "../progress/ending.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { DeploymentPlan } from "./plan.ts";
import { sameRepository } from "./repository.ts";

export interface CommitQuestion {
  readonly plan: DeploymentPlan;
  readonly run: WorkflowRun;
  /** The commit that the platform shows for the revision. */
  readonly built: string | undefined;
  /** `verify_commit` */
  readonly required: boolean;
}

/**
 * Whether the revision was built from this run's commit: a branch may have moved on since. Asked only where this run
 * deploys its own ref of its own repository. A difference is a warning that names both, or the failing ending that
 * it answers with where `verify_commit` is set; so is, then, that the platform doesn't tell.
 */
export function verifyCommit(question: CommitQuestion, context: Pick<Context, "log">): Ending | undefined {
  const { run, built, required } = question;
  const own = headSha(run);
  if (own === "" || !deploysOwnRef(question)) return undefined;
  if (built === undefined ? !required : isSameCommit(built, own)) return undefined;
  const { message, next } = built === undefined ? notTold(own) : movedOn(built, own);
  if (required) return { outcome: "failed", message, hint: `The revision is live all the same. ${next}` };
  context.log.warning(message);
  return undefined;
}

/** A platform may show it in capitals, or the beginning that Git shows, of 7 digits at least. */
function isSameCommit(shown: string, own: string): boolean {
  return shown.length >= 7 && own.toLowerCase().startsWith(shown.toLowerCase());
}

/** What is wrong, and what to do next. */
interface Trouble {
  readonly message: string;
  readonly next: string;
}

function notTold(own: string): Trouble {
  return {
    message: `The platform doesn't tell which commit it built, so it isn't known to be this run's, ${own}.`,
    next: "Leave verify_commit out where the platform tells no commit.",
  };
}

function movedOn(built: string, own: string): Trouble {
  return {
    message: `The revision was built from commit ${sanitizeExcerpt(built, 60)}, but this run is about ${own}: its branch or tag seems to have moved on.`,
    next: "Run the workflow for the newer commit, or leave verify_commit out.",
  };
}

function deploysOwnRef({ plan, run }: CommitQuestion): boolean {
  const { repoRef } = plan.source;
  const [ownRef, ownUrl] = [refOfRun(run), repositoryUrl(run)];
  if (repoRef === undefined || ownRef === undefined || ownUrl === undefined || plan.repoUrl === undefined)
    return false;
  return fullRef(repoRef) === fullRef(ownRef) && sameRepository(plan.repoUrl, ownUrl);
}
