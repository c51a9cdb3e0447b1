import { ResponseError } from "../http/response-error.ts";
import type { Deployment, Revision, RevisionSource } from "../platform/deployment.ts";
import { lacksEndpoint } from "../platform/failures.ts";
import { deploys, type KnownRevisions } from "./attribution.ts";
import { NoRedeployError, NotRedeployableError } from "./errors.ts";
import { makeRevision } from "./make-revision.ts";
import { revisionConfig } from "./requests.ts";
import type { WriteTools } from "./write.ts";
import type { AppliedRevision } from "./written.ts";

/** An earlier revision that is to be deployed once more. */
export interface Redeployment {
  readonly earlier: Revision;
  readonly deployment: Deployment;
  readonly before: KnownRevisions;
  /** What ended badly, and is no better the second time. */
  readonly notThis: RevisionSource;
}

type Tools = Pick<WriteTools, "plane" | "progress" | "context">;

/**
 * Has the platform make a revision of what an earlier one deployed: by its id, or, where the control plane can't do
 * that, by an update to the same source.
 *
 * @throws NotRedeployableError where an update wouldn't bring the same, and the errors of `makeRevision`.
 */
export async function deployAgain(again: Redeployment, tools: Tools): Promise<AppliedRevision> {
  const { earlier, deployment, before } = again;
  const { plane, context } = tools;
  const write = {
    deployment,
    before,
    liveBefore: undefined,
    source: earlier.source ?? {},
    what: `the rollback of deployment ${deployment.id} to revision ${earlier.id}`,
  };
  try {
    return await makeRevision({ ...write, send: () => redeploy(again, tools) }, tools);
  } catch (error) {
    if (!(error instanceof NoRedeployError)) throw error;
    const request = { source_revision_config: revisionConfig(lastingSource(again, error)) };
    context.log.info(`${error.message} Updating the deployment to what revision ${earlier.id} deployed.`);
    return await makeRevision(
      { ...write, send: () => plane.updateDeployment(deployment.id, request) },
      tools,
    );
  }
}

/** That there is no such endpoint, whatever its code, means that nothing happened. @throws NoRedeployError */
async function redeploy(
  { earlier, deployment }: Redeployment,
  { plane }: Tools,
): Promise<Deployment | undefined> {
  try {
    return await plane.redeployRevision(deployment.id, earlier.id);
  } catch (error) {
    if (!(error instanceof ResponseError) || !lacksEndpoint(error)) throw error;
    throw new NoRedeployError(error);
  }
}

/** What an update can name to bring the same again: an image or a tag. @throws NotRedeployableError */
function lastingSource({ earlier, notThis }: Redeployment, cause: NoRedeployError): RevisionSource {
  const { id, source = {} } = earlier;
  const { imageUri, repoRef } = source;
  if (imageUri === undefined && repoRef === undefined) {
    throw new NotRedeployableError(id, "isn't shown with what it deployed", cause);
  }
  if (imageUri === undefined && !repoRef?.startsWith("refs/tags/")) {
    throw new NotRedeployableError(
      id,
      `is of the branch ${repoRef}, which would be built as it is now`,
      cause,
    );
  }
  if (deploys(earlier, notThis) === true) {
    throw new NotRedeployableError(id, "deployed the same as this run", cause);
  }
  return imageUri === undefined ? source : { ...source, repoRef: undefined };
}
