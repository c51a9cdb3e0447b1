import { ActionError } from "../errors.ts";
import { ResponseError } from "../http/response-error.ts";
import { InputErrors } from "../inputs/errors.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Deployment } from "../platform/deployment.ts";
import { mayHaveTakenEffect } from "../platform/failures.ts";
import type { CreateRequest } from "../platform/schemas.ts";
import { wasBefore } from "../text/instant.ts";
import { noRevisions } from "./attribution.ts";
import { type UnconfirmedWrite, UnconfirmedWriteError } from "./errors.ts";
import { findRevision } from "./find-revision.ts";
import { findIntegration } from "./integration.ts";
import { findByName, otherRepository } from "./locate.ts";
import { confirmWrite } from "./look-for-effect.ts";
import type { DeploymentPlan } from "./plan.ts";
import type { Sought } from "./twins.ts";
import type { WriteTools } from "./write.ts";
import type { AppliedRevision } from "./written.ts";

/** Creates the deployment. Answers with the 409 itself where the name is taken, for the caller to look it up again. */
export async function createDeployment(
  plan: DeploymentPlan,
  tools: WriteTools,
): Promise<AppliedRevision | ResponseError> {
  const { plane, context, progress } = tools;
  const request = await creatable(plan, tools);
  const writtenAt = progress.writing();
  let doubt: UnconfirmedWrite | undefined;
  let deployment: Deployment;
  try {
    deployment = await plane.createDeployment(request);
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    if (!mayHaveTakenEffect(error)) {
      progress.notWritten();
      if (error instanceof ResponseError && error.status === 409) return error;
      throw error;
    }
    doubt = doubtfulCreate(request.name, error);
    deployment = await adopt({ name: request.name, repoUrl: plan.repoUrl, writtenAt }, doubt, tools);
  }
  progress.deployment(deployment, true);
  // What an adopted deployment shows as its latest revision may have come after the first one, which is this run's.
  const answered = doubt === undefined ? deployment.latestRevisionId : undefined;
  const search = { deployment, candidate: undefined, before: noRevisions, source: plan.source, doubt };
  const revisionId = answered ?? (await findRevision(search, tools));
  return { deploymentId: deployment.id, revisionId, writtenAt, before: noRevisions, liveBefore: undefined };
}

function doubtfulCreate(name: string, cause: Error): UnconfirmedWrite {
  return { what: `creating ${name}`, left: `A deployment named ${name} may have been left behind.`, cause };
}

/**
 * The request that creates what is planned, with the integration that covers its repository where that was left out.
 *
 * @throws InputErrors where something is missing for it, IntegrationError where not exactly one integration is found.
 */
export async function creatable(
  plan: DeploymentPlan,
  { plane, context }: Pick<WriteTools, "plane" | "context">,
): Promise<CreateRequest> {
  if (plan.create === undefined) throw new InputErrors(plan.createProblems);
  if (!plan.findsIntegration || plan.repoUrl === undefined) return plan.create;
  const integrationId = await findIntegration(plan.repoUrl, plane);
  context.log.info(`Integration ${integrationId} covers ${plan.repoUrl}.`);
  return { ...plan.create, source_config: { ...plan.create.source_config, integration_id: integrationId } };
}

/** What tells the deployment that a create may have made from others. */
interface Made extends Sought {
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

/**
 * Looks whether a create of unknown effect made the deployment after all (contract, 3.1). One that was there before,
 * which a list may show late, or that is another repository's, isn't what it made.
 */
async function adopt(made: Made, doubt: UnconfirmedWrite, tools: WriteTools): Promise<Deployment> {
  const { context } = tools;
  context.log.warning(`${doubt.cause.message} Looking whether the deployment was created all the same.`);
  const plane: ControlPlane = tools.plane.once();
  const look = async () => {
    const located = await findByName(made.name, plane);
    if (located.kind === "missing") return located.listed ? undefined : located;
    return mayBe(made, located.deployment) ? located : undefined;
  };
  const found = await confirmWrite(look, doubt, context);
  if (found?.kind === "found") return found.deployment;
  throw new UnconfirmedWriteError(doubt, found && "there is no list of deployments to look in.");
}

function mayBe({ repoUrl, writtenAt }: Made, deployment: Deployment): boolean {
  return !wasBefore(deployment.createdAt, writtenAt) && otherRepository(deployment, repoUrl) === undefined;
}
