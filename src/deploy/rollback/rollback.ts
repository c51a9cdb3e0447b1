import { requireDeployment, requireNotDeleted } from "../../deployments/look-up-deployment.ts";
import { Failure, type SuccessEnding } from "../../errors.ts";
import { mayBeUnknownId } from "../../http/request-error.ts";
import { pageSize } from "../../platform/control-plane.ts";
import type { DeploymentId, RevisionId } from "../../platform/ids.ts";
import type { Revision } from "../../platform/revision.ts";
import type { Target } from "../../platform/target.ts";
import { code, idText, inputName, phrase, text } from "../../text/message.ts";
import { atUrl, checkAndConfirm } from "../check/check-and-confirm.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { findById, indexById, newestDeployed, type Snapshot, snapshotOf } from "../snapshot.ts";
import { confirmStarted } from "../watch/confirm-started.ts";
import { watch } from "../watch/watch.ts";
import { redeploy } from "./redeploy.ts";

/**
 * Makes a revision with the content of an earlier one, watches and checks it. `earlierId`: by default, that of the newest
 * `DEPLOYED` one before the live one.
 */
export async function rollback(
  context: RevisionContext,
  target: Target,
  earlierId: RevisionId | undefined,
): Promise<SuccessEnding> {
  const { report, options } = context;
  const deployment = await requireDeployment(context, target);
  report.setDeployment(deployment);
  requireNotDeleted(deployment);
  const snapshot = await snapshotOf(context, deployment);
  const earlier =
    earlierId === undefined
      ? requireEarlierDeployed(snapshot)
      : await requireRevision(context, snapshot, earlierId);
  report.set({ previousRevisionId: snapshot.liveId, rollback: { targetId: earlier.id, isLive: false } });
  const ownRevision = await redeploy(context, snapshot, earlier);
  // A redeploy usually builds nothing, so the typical duration does not apply.
  report.announceRevision(ownRevision);
  if (!options.wait) return await confirmStarted(context, ownRevision);
  const { result, snapshot: confirmed } = await checkAndConfirm(
    context,
    ownRevision,
    await watch(context, ownRevision),
  );
  if (result.error !== undefined) {
    throw result.error.addDetails(
      text`It has the content of revision ${idText(earlier.id)}, and stays live. To go back to a different revision, set ${inputName("revision_id")}.`,
    );
  }
  report.set({ rollback: { targetId: earlier.id, isLive: true } });
  const message = text`The content of revision ${idText(earlier.id)} is live again${atUrl(confirmed.deployment)}, as revision ${idText(ownRevision.revisionId)}.`;
  return { outcome: "deployed", message, details: result.value };
}

function requireEarlierDeployed({ deployment, listed, liveId }: Snapshot): Revision {
  const older = liveId === undefined ? [] : listed.slice(indexById(listed, liveId) + 1);
  const previous = newestDeployed(older);
  if (previous !== undefined) return previous;
  const live =
    liveId === undefined ? phrase`no live revision` : phrase`no deployed revision before the live one`;
  throw new Failure(
    text`The list of revisions of deployment ${code(deployment.id, 100)} shows ${live}, so there is nothing to roll back to.`,
    {
      hint: text`Deploy a working version instead. The list has at most ${pageSize}: if an older revision was live, set ${inputName("revision_id")}.`,
    },
  );
}

/** Returns the revision of the input. @throws Failure if the platform does not know it, or if it was surely never live */
async function requireRevision(
  { controlPlane }: RevisionContext,
  { deployment, listed }: Snapshot,
  revisionId: RevisionId,
): Promise<Revision> {
  const revision =
    findById(listed, revisionId) ??
    (await controlPlane.getRevision(deployment.id, revisionId).catch((error: unknown) => {
      throw mayBeUnknownId(error) ? unknownRevisionFailure(deployment.id, revisionId, error) : error;
    }));
  const { status } = revision;
  if (status.kind === "deployed" || !status.isKnown) return revision;
  throw new Failure(
    text`Revision ${idText(revisionId)} is ${code(status.raw, 100)} and not ${code("DEPLOYED")}, so it can't be rolled back to.`,
    { hint: text`Set ${inputName("revision_id")} to a revision that was live.` },
  );
}

function unknownRevisionFailure(deploymentId: DeploymentId, revisionId: RevisionId, cause: Failure): Failure {
  return new Failure(text`There is no revision ${code(revisionId)} of deployment ${code(deploymentId)}.`, {
    details: [cause.quoted],
    hint: text`Check ${inputName("revision_id")}: it must be the full ID of a revision of this deployment. It is in the job summary of the deploy that created the revision.`,
    cause,
  });
}
