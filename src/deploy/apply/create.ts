import type { RunContext } from "../../events.ts";
import { inputError } from "../../inputs/reader.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment, RevisionSource } from "../../platform/deployment.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import type { DeploymentPlan } from "../plan/plan.ts";
import { findByName, isOfOtherRepository } from "./find-deployment.ts";
import { identifyRevision } from "./identify-revision.ts";
import { findIntegration } from "./integration.ts";
import { type AppliedRevision, noRevisions } from "./match-revision.ts";
import {
  confirmWrite,
  sendRevisionWrite,
  type UnconfirmedWrite,
  UnconfirmedWriteError,
} from "./unconfirmed-write.ts";

/** What came of a create. */
export type CreateResult =
  | { readonly kind: "created"; readonly deployment: Deployment; readonly writtenAt: number }
  /** The response was lost, and this deployment has the name now. Another run may have created it. */
  | { readonly kind: "found"; readonly deployment: Deployment };

/**
 * Creates the deployment. `request`: the one of `createRequestOf`.
 *
 * @throws ResponseError, 409 if the name is taken, and UnconfirmedWriteError.
 */
export async function createDeployment(
  plan: DeploymentPlan,
  request: CreateRequest,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<CreateResult> {
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
  if (response === undefined) {
    const deployment = await findByNameLater(name, plan.repoUrl, unconfirmed, controlPlane, context);
    context.log.info(
      `Deployment ${deployment.id} has this name now. Another run may have created it. Updating it.`,
    );
    return { kind: "found", deployment };
  }
  await context.emit({ kind: "deployment_seen", deployment: response, created: true });
  return { kind: "created", deployment: response, writtenAt };
}

/** The first revision of a deployment, which the create made. */
export async function firstRevision(
  { deployment, writtenAt }: Extract<CreateResult, { kind: "created" }>,
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
    isProof: () => false,
    unconfirmed: undefined,
  };
  const revisionId = latestRevisionId ?? (await identifyRevision(write, controlPlane, context));
  return { deploymentId, revisionId, source, writtenAt, before: noRevisions, liveBefore: undefined };
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

/** The deployment that has the name after an unconfirmed create; one of another repository does not count. */
async function findByNameLater(
  name: string,
  repoUrl: string | undefined,
  unconfirmed: UnconfirmedWrite,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Deployment> {
  const polled = controlPlane.withoutRetry();
  const findNamed = async () => {
    const located = await findByName(name, polled);
    if (located.kind === "missing") return located.hasList ? undefined : located;
    return isOfOtherRepository(located.deployment, repoUrl) ? undefined : located;
  };
  const found = await confirmWrite(findNamed, unconfirmed, context);
  if (found?.kind === "found") return found.deployment;
  throw new UnconfirmedWriteError(unconfirmed, found && "This control plane has no list of deployments.");
}
