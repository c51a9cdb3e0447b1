import { toResult, undefinedIf } from "../../errors.ts";
import { type ActionRecord, isOfControlPlane, readState } from "../../github/deployment-records.ts";
import type { GitHubClient } from "../../github/github-client.ts";
import { isNotFound } from "../../http/request-error.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { isSameId } from "../../platform/ids.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { idText, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { desiredOnCreate } from "../plan/desired-on-create.ts";
import { requestDigest } from "../plan/request-digest.ts";
import { indexById, noRevisions, snapshotOf } from "../snapshot.ts";

/**
 * Returns the pending revision that an earlier attempt or step of this run started (docs/specification.md#re-runs). This run
 * watches it and sends nothing. Undefined if there is none, if a newer one is listed, or if it may be another run's.
 */
export async function findResumable(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<OwnRevision | undefined> {
  const { clock, controlPlane, options, workflow, github, records, report, plan } = context;
  if (options.dryRun || github === undefined || workflow.runId === "") return undefined;
  const record = records.find(
    (one) => isOfControlPlane(one, controlPlane.digest) && one.payload.run_id === workflow.runId,
  );
  if (record?.payload.request_digest !== requestDigest(context)) return undefined;
  const {
    deployment_id: deploymentId,
    revision_id: revisionId,
    is_certain: isCertain,
    follows,
  } = record.payload;
  if (existing !== undefined && !isSameId(existing.id, deploymentId)) return undefined;
  if (!isCertain && (await mayHaveFailed(github, record))) return undefined;
  const deployment = await undefinedIf(() => controlPlane.getDeployment(deploymentId), isNotFound);
  if (deployment === undefined) return undefined;
  const { listed, liveId } = await snapshotOf(context, deployment);
  const [newest] = listed;
  if (newest?.status.kind !== "pending") return undefined;
  const started = text`An earlier attempt or step of this run started revision ${idText(revisionId)}`;
  if (!isSameId(newest.id, revisionId)) {
    report.info(text`${started}, but ${idText(newest.id)} is newer. Creating a new revision.`);
    return undefined;
  }
  report.info(text`${started}.`);
  const sent = record.payload.created ? desiredOnCreate(context) : plan.desired;
  report.setDeployment(deployment, record.payload.created);
  // If the revision is certain, every later entry of the list is older. If not, only those from `follows` on surely are.
  const firstOlder = follows === undefined ? listed.length : indexById(listed, follows);
  const older = listed.slice(isCertain ? 1 : firstOlder);
  report.set({ previousRevisionId: liveId });
  return {
    deploymentId,
    revisionId,
    isCertain,
    content: { ...sent.content, tarballPath: record.payload.source_tarball_path },
    before: { ...noRevisions, listed: older, liveId },
    waitStartedAt: clock.now(),
  };
}

/** Whether an attempt may have failed because it could not tell which revision is its own. */
async function mayHaveFailed(github: GitHubClient, record: ActionRecord): Promise<boolean> {
  const state = await toResult(() => readState(github, record));
  return state.error !== undefined || state.value === undefined || state.value === "failure";
}
