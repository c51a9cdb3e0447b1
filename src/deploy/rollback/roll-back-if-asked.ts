import type { CheckError } from "../../checks/run-checks.ts";
import { Failure, toResult } from "../../errors.ts";
import type { Revision } from "../../platform/revision.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { unknownRevision } from "../../state/run-state.ts";
import { code, distinct, idText, inputName, joined, type Message, phrase, text } from "../../text/message.ts";
import { LostWriteError } from "../../writes.ts";
import { checkAndConfirm } from "../check/check-and-confirm.ts";
import type { DeployContext, RevisionContext } from "../deploy-context.ts";
import { acceptDeployment } from "../find/resolve-target.ts";
import { relationTo } from "../own-revision-rules.ts";
import { findById, indexById, newestDeployed, type Snapshot } from "../snapshot.ts";
import { watch } from "../watch/watch.ts";
import { redeploy } from "./redeploy.ts";

/**
 * With `rollback_on_failure`, deploys the previous revision again after a failed check (docs/specification.md#rollback).
 * Returns the failure of the checks, with what is live now.
 */
export async function rollBackIfAsked(
  context: DeployContext,
  ownRevision: OwnRevision,
  snapshot: Snapshot,
  failure: CheckError,
): Promise<Failure> {
  const { options, record } = context;
  const { allowsRollback } = failure;
  const earlier = findEarlierLive(ownRevision, snapshot);
  if (!options.rollbackOnFailure || !allowsRollback) {
    // The next push replaces a preview.
    const isPreview = record?.pullRequest !== undefined;
    const isOffered = allowsRollback && !isPreview && earlier !== undefined;
    return failure.addDetails(staysLiveDetail, isOffered ? howToRollBackDetail : undefined);
  }
  // A rollback, queued behind a newer revision that may go live, would replace it then.
  const newer = findNewerDetail(ownRevision, snapshot);
  if (newer !== undefined) return failure.addDetails(newer);
  if (earlier === undefined) return failure.addDetails(noEarlierDetail);
  const rolledBack = await toResult(() => redeployEarlier(context, snapshot, earlier));
  if (rolledBack.error === undefined) return failure.addDetails(...rolledBack.value);
  return notRolledBackFailure(failure, rolledBack.error);
}

/** Returns the failure of the checks, with that of the rollback. What to do about what is live now comes first. */
function notRolledBackFailure({ ending }: CheckError, cause: Failure): Failure {
  const { details, hint } = cause.ending;
  const prefix = cause instanceof LostWriteError ? undefined : phrase`The rollback failed: `;
  return new Failure(ending.message, {
    ...ending,
    details: [...ending.details, text`${prefix}${cause.quoted}`, ...details],
    hint: joined(distinct([hint, ending.hint])),
    cause,
  });
}

/**
 * Returns the newest older revision that is `DEPLOYED`. One that already was before this run, and was newer than the live one,
 * never went live, so it is skipped.
 */
function findEarlierLive(ownRevision: OwnRevision, snapshot: Snapshot): Revision | undefined {
  const { listed, liveId } = ownRevision.before;
  const newerThanLive = liveId === undefined ? [] : listed.slice(0, indexById(listed, liveId));
  const wereNotLive = newerThanLive.filter(({ status }) => status.kind === "deployed");
  const older = snapshot.listed.filter(({ id }) => relationTo(ownRevision, snapshot, id) === "older");
  return newestDeployed(older.filter(({ id }) => findById(wereNotLive, id) === undefined));
}

function findNewerDetail(ownRevision: OwnRevision, snapshot: Snapshot): Message | undefined {
  const { listed, latestId } = snapshot;
  const newer = listed
    .filter(({ id }) => relationTo(ownRevision, snapshot, id) === "newer")
    .find(({ status }) => status.kind === "pending" || status.kind === "deployed");
  if (newer !== undefined) {
    return text`Nothing was rolled back: the newer revision ${idText(newer.id)} is ${code(newer.status.raw, 100)}. This one stays live until that one is.`;
  }
  if (latestId === undefined || relationTo(ownRevision, snapshot, latestId) !== "unlisted") return undefined;
  return text`Nothing was rolled back: revision ${idText(latestId)} is newer, and the list of revisions does not show it. This one stays live until that one is.`;
}

const rollbackLabel = phrase`Rollback: `;
const staysLiveDetail = text`This revision stays live.`;
const noEarlierDetail = text`The list of revisions shows no earlier one that was deployed, so there is nothing to roll back to. ${staysLiveDetail}`;
const howToRollBackDetail = text`To roll back, use the rollback action or ${code("rollback_on_failure: true")}.`;

/**
 * Returns the context for the revision of the rollback, which has only the health and serving checks. It is not recorded. Its
 * log is not shown, because that of the failed revision was.
 */
function createRollbackContext(context: DeployContext): RevisionContext {
  const { options } = context;
  const checks = { ...options.checks, smokeTests: [] };
  return {
    ...context,
    options: { ...options, checks, buildLog: "off", verifyCommit: false, interruptOnCancel: false },
  };
}

/** Rolls back, and returns the result as sentences. @throws Failure if the earlier revision is not live again */
async function redeployEarlier(
  context: DeployContext,
  snapshot: Snapshot,
  earlier: Revision,
): Promise<readonly (Message | undefined)[]> {
  const { report, plan, options } = context;
  const { secrets, envVars } = plan.desired;
  // It may have become another one since the update.
  acceptDeployment(context, snapshot.deployment);
  const rollback = { targetId: earlier.id, isLive: false };
  report.set({ rollback, rollbackRevision: { ...unknownRevision, label: rollbackLabel } });
  const redeployed = await redeploy(context, snapshot, earlier);
  const rollbackContext = createRollbackContext(context);
  report.setRevision({ id: redeployed.revisionId });
  const live = await watch(rollbackContext, redeployed);
  const { result } = await checkAndConfirm(rollbackContext, redeployed, live);
  if (result.error !== undefined) throw result.error;
  report.set({ rollback: { ...rollback, isLive: true } });
  const isRolledBack = text`Rolled back: the content of revision ${idText(earlier.id)} is live again as revision ${idText(redeployed.revisionId)}.`;
  return [
    isRolledBack,
    options.checks.smokeTests.length > 0 ? notRepeatedDetail : undefined,
    secrets.length + envVars.length > 0 ? keptSecretsDetail : undefined,
  ];
}

const notRepeatedDetail = text`The smoke tests were not repeated on it.`;
const keptSecretsDetail = text`A rollback does not restore ${inputName("secrets")} and ${inputName("env_vars")}: those of this run stay in place. If one of them is wrong, correct it and deploy again.`;
