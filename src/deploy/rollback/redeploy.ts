import { ActionError, toResult } from "../../errors.ts";
import { isSameCommit } from "../../platform/compare-source.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import type { LiveNow, RedeployResult } from "../../results.ts";
import { code, id, type Message, text } from "../../text/message.ts";
import {
  deploysSource,
  liveRevision,
  type RevisionBaseline,
  type RunRevision,
} from "../apply/match-revision.ts";
import { makeRevision } from "../apply/update.ts";
import type { PlatformJob, RevisionJob } from "../job.ts";
import { revisionConfig } from "../plan/requests.ts";
import { watch } from "../watch/watch.ts";

/** An earlier revision to deploy again. */
export interface Redeployment {
  readonly earlier: Revision;
  readonly deployment: Deployment;
  readonly baseline: RevisionBaseline;
  /** What is live now, or failed. */
  readonly replacedSource: RevisionSource;
}

/**
 * Makes a revision with the content of an earlier one: by its ID, or by an update to the same source on a control plane
 * that can't do that.
 *
 * @throws ActionError with code `not_redeployable` if an update would deploy something else, and the errors of
 *   `makeRevision`.
 */
export async function redeploy(job: PlatformJob, redeployment: Redeployment): Promise<RunRevision> {
  const { earlier, deployment, baseline } = redeployment;
  const { controlPlane, report } = job;
  const request = {
    what: text`the rollback of deployment ${code(deployment.id)} to revision ${id(earlier.id)}`,
    deployment,
    source: earlier.source ?? {},
    baseline,
    liveBefore: liveRevision(deployment, []),
    isProof: (revision: Revision) => isRepetition(revision, earlier),
  };
  const byId = { ...request, send: () => redeployById(controlPlane, deployment.id, earlier.id) };
  try {
    return await makeRevision(job, byId);
  } catch (error) {
    if (!(error instanceof ActionError) || error.code !== missingEndpoint) throw error;
    const source = repeatableSource(redeployment, error);
    const update = { source_revision_config: revisionConfig(source) };
    report.info(text`${error.text} Updating the deployment to the source of revision ${id(earlier.id)}.`);
    const send = () => controlPlane.updateDeployment(deployment.id, update);
    return await makeRevision(job, { ...request, source, send });
  }
}

const missingEndpoint = "no_redeploy_endpoint";

/** @throws ActionError with code `no_redeploy_endpoint` if the control plane says so: then nothing happened. */
async function redeployById(
  controlPlane: ControlPlane,
  deploymentId: string,
  revisionId: string,
): Promise<Deployment | undefined> {
  try {
    return await controlPlane.redeployRevision(deploymentId, revisionId);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    throw new ActionError(text`This control plane can't redeploy a revision by its ID: ${error.text}`, {
      code: missingEndpoint,
      hint: error.hint,
      cause: error,
    });
  }
}

/** What an update can name to deploy the same again: an image or a tag. @throws ActionError with code `not_redeployable` */
function repeatableSource({ earlier, replacedSource }: Redeployment, cause: ActionError): RevisionSource {
  const { source = {} } = earlier;
  const { imageUri, repoRef } = source;
  const refuse = (why: Message) => notRedeployable(earlier.id, why, cause);
  if (source.tarballPath !== undefined) throw refuse(text`it was built from an upload`);
  if (imageUri === undefined && repoRef === undefined) {
    throw refuse(text`the platform does not report what it deployed`);
  }
  if (isBranch(source)) {
    throw refuse(text`deploying its branch ${code(repoRef ?? "", 100)} would build the newest commit`);
  }
  if (deploysSource(earlier, replacedSource) === true) {
    throw refuse(text`it has the same image or tag as the revision to replace`);
  }
  return imageUri === undefined ? source : { ...source, repoRef: undefined };
}

/** Whether a revision certainly has the content of an earlier one. A different run may deploy a newer commit of the same branch. */
function isRepetition(revision: Revision, { source = {}, commitSha }: Revision): boolean {
  if (deploysSource(revision, source) !== true) return false;
  const [built, wanted] = [revision.commitSha, commitSha];
  return !isBranch(source) || (built !== undefined && wanted !== undefined && isSameCommit(built, wanted));
}

function isBranch({ tarballPath, imageUri, repoRef }: RevisionSource): boolean {
  return tarballPath === undefined && imageUri === undefined && repoRef?.startsWith("refs/tags/") !== true;
}

function notRedeployable(revisionId: string, why: Message, cause: ActionError): ActionError {
  return new ActionError(text`Not rolled back to revision ${id(revisionId)}: ${why}. ${cause.text}`, {
    code: "not_redeployable",
    hint: text`Roll back on the platform, or deploy a working version, such as a tag, an image or a branch without the change.`,
    cause,
  });
}

/**
 * Watches a revision that deploys an earlier one again. It counts as live only if it was built from the same commit, as far
 * as the platform shows that. Throws like `watch`.
 */
export async function watchRedeployed(
  job: RevisionJob,
  again: RunRevision,
  earlier: Revision,
): Promise<RedeployResult> {
  const watched = await watch(job, again);
  if (watched.kind !== "live" && watched.kind !== "replaced") return watched;
  const { revision } = watched;
  const [built, wanted] = [revision.commitSha, earlier.commitSha];
  if (built === undefined || wanted === undefined || isSameCommit(built, wanted)) return watched;
  return { kind: "other_commit", revision, earlierId: earlier.id, built, wanted };
}

/** Which revision is live now. @throws the reason of a cancellation */
export async function readLiveNow(
  { controlPlane, cancelled }: PlatformJob,
  deploymentId: string,
): Promise<LiveNow> {
  const read = await toResult(() => controlPlane.withoutRetry().getDeployment(deploymentId), cancelled);
  if ("error" in read) return { kind: "unreadable", error: read.error };
  const { activeRevisionId } = read.value;
  return typeof activeRevisionId === "string"
    ? { kind: "shown", revisionId: activeRevisionId }
    : { kind: "not_shown" };
}
