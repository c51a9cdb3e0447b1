import { ActionError } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import {
  type AppliedRevision,
  deploysSource,
  type KnownRevisions,
  liveRevision,
} from "../apply/match-revision.ts";
import { makeRevision } from "../apply/update.ts";
import { isSameCommit } from "../plan/compare-source.ts";
import { revisionConfig } from "../plan/requests.ts";

/** An earlier revision to deploy again. */
export interface Redeployment {
  readonly earlier: Revision;
  readonly deployment: Deployment;
  readonly before: KnownRevisions;
  /** What is live now, or failed. */
  readonly replacedSource: RevisionSource;
}

/**
 * Makes a revision with the content of an earlier one: by its id, or by an update to the same source on a control plane
 * that can't do that.
 *
 * @throws ActionError with code `not_redeployable` if an update would deploy something else, and the errors of
 *   `makeRevision`.
 */
export async function redeploy(
  redeployment: Redeployment,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const { earlier, deployment, before } = redeployment;
  const write = {
    what: `the rollback of deployment ${deployment.id} to revision ${earlier.id}`,
    deployment,
    source: earlier.source ?? {},
    before,
    liveBefore: liveRevision(deployment, []),
    isProof: (revision: Revision) => isRepetition(revision, earlier),
  };
  const byId = { ...write, send: () => redeployById(deployment.id, earlier.id, controlPlane) };
  try {
    return await makeRevision(byId, controlPlane, context);
  } catch (error) {
    if (!(error instanceof ActionError) || error.code !== missingEndpoint) throw error;
    const source = repeatableSource(redeployment, error);
    const request = { source_revision_config: revisionConfig(source) };
    context.log.info(`${error.message} Updating the deployment to the source of revision ${earlier.id}.`);
    const byUpdate = {
      ...write,
      source,
      send: () => controlPlane.updateDeployment(deployment.id, request),
    };
    return await makeRevision(byUpdate, controlPlane, context);
  }
}

const missingEndpoint = "no_redeploy_endpoint";

/** @throws ActionError with code `no_redeploy_endpoint` if the control plane says so; whatever its status, nothing happened. */
async function redeployById(
  deploymentId: string,
  revisionId: string,
  controlPlane: ControlPlane,
): Promise<Deployment | undefined> {
  try {
    return await controlPlane.redeployRevision(deploymentId, revisionId);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    const message = `This control plane can't redeploy a revision by its id: ${error.message}`;
    throw new ActionError(message, { code: missingEndpoint, hint: error.hint, cause: error });
  }
}

/** What an update can name to deploy the same again: an image or a tag. @throws ActionError with code `not_redeployable` */
function repeatableSource({ earlier, replacedSource }: Redeployment, cause: ActionError): RevisionSource {
  const { id, source = {} } = earlier;
  const { imageUri, repoRef } = source;
  if (source.tarballPath !== undefined) throw notRedeployable(id, "it was built from an upload", cause);
  if (imageUri === undefined && repoRef === undefined) {
    throw notRedeployable(id, "the platform does not show what it deployed", cause);
  }
  if (isBranch(source)) {
    throw notRedeployable(id, `deploying its branch ${repoRef} would build the newest commit`, cause);
  }
  if (deploysSource(earlier, replacedSource) === true) {
    throw notRedeployable(id, "it has the same image or tag as the revision to replace", cause);
  }
  return imageUri === undefined ? source : { ...source, repoRef: undefined };
}

/** Whether a revision certainly has the content of an earlier one. Another run may deploy a newer commit of the same branch. */
function isRepetition(revision: Revision, { source = {}, commitSha }: Revision): boolean {
  if (deploysSource(revision, source) !== true) return false;
  const [built, wanted] = [revision.commitSha, commitSha];
  return !isBranch(source) || (built !== undefined && wanted !== undefined && isSameCommit(built, wanted));
}

function isBranch({ tarballPath, imageUri, repoRef }: RevisionSource): boolean {
  return tarballPath === undefined && imageUri === undefined && repoRef?.startsWith("refs/tags/") !== true;
}

function notRedeployable(revisionId: string, why: string, cause: ActionError): ActionError {
  return new ActionError(
    `Not rolled back to revision ${sanitizeExcerpt(revisionId, 100)}: ${sanitizeExcerpt(why, 200)}. ${cause.message}`,
    {
      code: "not_redeployable",
      hint: "Roll back on the platform, or deploy a working version, such as a tag, an image or a branch without the change.",
      cause,
    },
  );
}
