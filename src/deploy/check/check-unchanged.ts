import type { SuccessEnding } from "../../errors.ts";
import { code, idText, type Message, phrase, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { prepareComparison } from "../find/prepare-comparison.ts";
import type { UnchangedRevision } from "../find/unchanged.ts";
import { noRevisions } from "../snapshot.ts";
import { atUrl, checkAndConfirm } from "./check-and-confirm.ts";

/** Checks the unchanged live revision. A failed check causes no rollback, because this run changed nothing. */
export async function checkUnchanged(
  context: DeployContext,
  { deployment, revision, since }: UnchangedRevision,
): Promise<SuccessEnding> {
  const ownRevision = {
    deploymentId: deployment.id,
    revisionId: revision.id,
    isCertain: true,
    content: context.plan.desired.content,
    before: noRevisions,
    waitStartedAt: context.clock.now(),
  };
  let details: readonly Message[] = [];
  if (context.options.wait) {
    const comparedAgent = await prepareComparison(
      context,
      deployment,
      phrase`the revision that is live stays the same`,
    );
    // A cancellation must not interrupt a revision that an earlier run made.
    const checkContext = { ...context, options: { ...context.options, interruptOnCancel: false } };
    const { result } = await checkAndConfirm(
      checkContext,
      ownRevision,
      { deployment, revision },
      comparedAgent,
    );
    if (result.error !== undefined) {
      throw result.error.addDetails(
        text`The revision is live, unchanged since ${since}. No changes were sent: to deploy anyway, set ${code("only_if_changed: false")}.`,
      );
    }
    details = result.value;
  }
  return {
    outcome: "unchanged",
    message: text`Revision ${idText(revision.id)} is live${atUrl(deployment)}, unchanged since ${since}. No changes were sent.`,
    details,
  };
}
