import type { RunContext } from "../events.ts";
import { inputError } from "../inputs/reader.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Deployment, RevisionSource } from "../platform/deployment.ts";
import type { CreateRequest } from "../platform/schemas.ts";
import { wasBefore } from "../text/time.ts";
import { type AppliedRevision, noRevisions } from "./attribution.ts";
import { identifyRevision } from "./identify-revision.ts";
import { findIntegration } from "./integration.ts";
import { findByName, isOfOtherRepository } from "./locate.ts";
import type { DeploymentPlan } from "./plan.ts";
import {
  confirmWrite,
  sendRevisionWrite,
  type UnconfirmedWrite,
  UnconfirmedWriteError,
} from "./unconfirmed-write.ts";

/** A deployment that this run created. */
export interface CreatedDeployment {
  readonly deployment: Deployment;
  readonly writtenAt: number;
  /** Set if the response left open whether it was created. It was found later then. */
  readonly unconfirmed: UnconfirmedWrite | undefined;
}

/**
 * Creates the deployment. `request`: the one of `createRequestOf`.
 *
 * @throws ResponseError, 409 if the name is taken.
 */
export async function createDeployment(
  plan: DeploymentPlan,
  request: CreateRequest,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<CreatedDeployment> {
  const { name } = request;
  const writtenAt = context.clock.now();
  const write = {
    what: `the creation of ${name}`,
    leftover: `A deployment named ${name} may have been left behind.`,
  };
  const { response, unconfirmed } = await sendRevisionWrite(
    write,
    () => controlPlane.createDeployment(request),
    context,
  );
  const isCreation = (deployment: Deployment) =>
    !wasBefore(deployment.createdAt, writtenAt) && !isOfOtherRepository(deployment, plan.repoUrl);
  const deployment = response ?? (await findCreated(name, isCreation, unconfirmed, controlPlane, context));
  await context.emit({ kind: "deployment_seen", deployment, created: true });
  return { deployment, writtenAt, unconfirmed };
}

/** The first revision of a deployment, which the create made. */
export async function firstRevision(
  { deployment, writtenAt, unconfirmed }: CreatedDeployment,
  source: RevisionSource,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const { id: deploymentId, latestRevisionId } = deployment;
  const write = {
    deploymentId,
    created: true,
    namedId: undefined,
    before: noRevisions,
    source,
    unconfirmed,
  };
  // The latest revision of a deployment that was found later need not be the first one, which is this run's.
  const named = unconfirmed === undefined ? latestRevisionId : undefined;
  const revisionId = named ?? (await identifyRevision(write, controlPlane, context));
  return { deploymentId, revisionId, writtenAt, before: noRevisions, liveBefore: undefined };
}

/**
 * The request that creates what is planned, with the integration that covers the repository if none was given.
 *
 * @throws ActionError if an input is missing, or if not exactly one integration covers the repository.
 */
export async function createRequestOf(
  plan: DeploymentPlan,
  controlPlane: ControlPlane,
  { log }: RunContext,
): Promise<CreateRequest> {
  const { create, createProblems, repoUrl } = plan;
  if (create === undefined) throw inputError(createProblems);
  if (plan.createWarning !== undefined) log.warning(plan.createWarning);
  if (!plan.findsIntegration || repoUrl === undefined) return create;
  const integrationId = await findIntegration(repoUrl, controlPlane);
  log.info(`Integration ${integrationId} covers ${repoUrl}.`);
  return { ...create, source_config: { ...create.source_config, integration_id: integrationId } };
}

/** The deployment that an unconfirmed create made. One that existed before or is of another repository is not it. */
async function findCreated(
  name: string,
  isCreation: (deployment: Deployment) => boolean,
  unconfirmed: UnconfirmedWrite,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Deployment> {
  const polled = controlPlane.withoutRetry();
  const findCreation = async () => {
    const located = await findByName(name, polled);
    if (located.kind === "missing") return located.hasList ? undefined : located;
    return isCreation(located.deployment) ? located : undefined;
  };
  const found = await confirmWrite(findCreation, unconfirmed, context);
  if (found?.kind === "found") return found.deployment;
  throw new UnconfirmedWriteError(unconfirmed, found && "This control plane has no list of deployments.");
}
