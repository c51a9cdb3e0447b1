import type { SuccessEnding } from "../../errors.ts";
import { code, idText, type Message, phrase, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { prepareComparison } from "../find/prepare-comparison.ts";
import type { UnchangedRevision } from "../find/unchanged.ts";
import { noRevisions } from "../snapshot.ts";
import { atUrl, checkAndConfirm } from "./check-and-confirm.ts";

/** Reports and checks the live revision, which a deploy would not change, and returns the ending of the run. */
export async function checkUnchanged(
  context: DeployContext,
  unchanged: UnchangedRevision,
): Promise<SuccessEnding> {
  const { deployment, revision, since } = unchanged;
  const { options, report, clock } = context;
  const { dryRun, wait } = options;
  const { id, status, content } = revision;
  report.set({ liveRevisionId: id });
  report.setRevision({ id, commitSha: content?.commitSha, statuses: [{ status, at: clock.now() }] });
  const isLive = text`Revision ${idText(id)} is live${atUrl(deployment)}, unchanged since ${since}.`;
  if (dryRun) return { outcome: "planned", message: text`Dry run: nothing would be sent. ${isLive}` };
  const details = wait ? await checkLive(context, unchanged) : [];
  return { outcome: "unchanged", message: text`${isLive} No changes were sent.`, details };
}

/** Checks the live revision. A failed check causes no rollback, because this run changed nothing. */
async function checkLive(context: DeployContext, unchanged: UnchangedRevision): Promise<readonly Message[]> {
  const { deployment, revision, since } = unchanged;
  const ownRevision = {
    deploymentId: deployment.id,
    revisionId: revision.id,
    isCertain: true,
    content: context.plan.desired.content,
    before: noRevisions,
    waitStartedAt: context.clock.now(),
  };
  const whyNoPrevious = phrase`the revision that is live stays the same`;
  const comparison = await prepareComparison(context, deployment, whyNoPrevious);
  // A cancellation must not interrupt a revision that an earlier run made.
  const checkContext = { ...context, options: { ...context.options, interruptOnCancel: false } };
  const { result } = await checkAndConfirm(checkContext, ownRevision, unchanged, comparison);
  if (result.error === undefined) return result.value;
  throw result.error.addDetails(
    text`The revision is live, unchanged since ${since}. No changes were sent: to deploy anyway, set ${code("only_if_changed: false")}.`,
  );
}
