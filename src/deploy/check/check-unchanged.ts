import { CheckError } from "../../checks/check-error.ts";
import type { SuccessEnding } from "../../errors.ts";
import { code, id, type Message, text } from "../../text/message.ts";
import { emptyHistory } from "../find/history.ts";
import { prepareComparison } from "../find/prepare-comparison.ts";
import type { UnchangedRevision } from "../find/unchanged.ts";
import type { DeployJob } from "../job.ts";
import { atUrl, checkAndConfirm } from "./check-and-confirm.ts";

/** Checks the unchanged live revision. A failed check causes no rollback, because this run changed nothing. */
export async function checkUnchanged(
  job: DeployJob,
  { live, since }: UnchangedRevision,
): Promise<SuccessEnding> {
  const { revision, deployment } = live;
  const ours = {
    deploymentId: deployment.id,
    revisionId: revision.id,
    isCertain: true,
    content: job.plan.update.content,
    before: emptyHistory,
    startedAt: job.clock.now(),
  };
  const comparedAgent = await prepareComparison(
    job,
    deployment,
    text`the revision that is live stays the same`,
  );
  // A cancellation must not interrupt a revision that an earlier run made.
  const checkJob = { ...job, options: { ...job.options, interruptOnCancel: false } };
  let details: readonly Message[] = [];
  if (job.options.wait) {
    try {
      details = await checkAndConfirm(checkJob, ours, live, comparedAgent);
    } catch (error) {
      if (!(error instanceof CheckError)) throw error;
      throw error.addDetails(
        text`The revision is live, unchanged since ${since}. No changes were sent: to deploy anyway, set ${code("only_if_changed: false")}.`,
      );
    }
  }
  return {
    outcome: "unchanged",
    message: text`Revision ${id(revision.id)} is live${atUrl(job)}, unchanged since ${since}. No changes were sent.`,
    details,
  };
}
