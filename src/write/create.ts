import { type ControlPlane, mayHaveHappened } from "../control-plane/client.ts";
import type { Deployment } from "../control-plane/deployment.ts";
import { AnswerError } from "../control-plane/errors.ts";
import type { CreateRequest } from "../control-plane/schemas.ts";
import { ActionError } from "../errors.ts";
import { InputErrors } from "../inputs/errors.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { noRevisions } from "../watch/attribution.ts";
import { lookUntil } from "../watch/look.ts";
import { AmbiguousWriteError } from "./errors.ts";
import { findRevision, searchMs } from "./find-revision.ts";
import { findByName } from "./locate.ts";
import type { WriteTools, WrittenRevision } from "./write.ts";

/** Creates the deployment. Answers with the 409 itself where the name is taken, for the caller to look it up again. */
export async function createDeployment(
  plan: DeploymentPlan,
  tools: WriteTools,
): Promise<WrittenRevision | AnswerError> {
  const request = creatable(plan);
  const writtenAt = tools.progress.writing();
  let doubt: ActionError | undefined;
  let deployment: Deployment;
  try {
    deployment = await tools.plane.createDeployment(request);
  } catch (error) {
    tools.ports.cancelled.throwIfAborted();
    if (error instanceof AnswerError && error.status === 409) return error;
    if (!(error instanceof ActionError) || !mayHaveHappened(error)) throw error;
    doubt = error;
    deployment = await adopt(request.name, error, tools);
  }
  tools.progress.deployment(deployment, true);
  const revisionId =
    doubt === undefined && deployment.latestRevisionId !== undefined
      ? deployment.latestRevisionId
      : await findRevision(
          { deployment, candidate: deployment.latestRevisionId, before: noRevisions, plan, doubt },
          tools,
        );
  return { deploymentId: deployment.id, revisionId, writtenAt, before: noRevisions };
}

/** The request that creates what is planned. @throws InputErrors where something is missing for that. */
export function creatable(plan: DeploymentPlan): CreateRequest {
  if (plan.create === undefined) throw new InputErrors(plan.createProblems);
  return plan.create;
}

/** Looks whether a create of unknown effect made the deployment after all (contract, 3.1). */
async function adopt(name: string, doubt: ActionError, tools: WriteTools): Promise<Deployment> {
  const { ports } = tools;
  ports.log.warning(`${doubt.message} Looking whether the deployment was created all the same.`);
  const plane: ControlPlane = tools.plane.once();
  const found = await lookUntil(
    async () => {
      const located = await findByName(name, plane, ports);
      return located.kind === "missing" && located.listed ? undefined : located;
    },
    ports.clock.now() + searchMs,
    ports,
  );
  if (found?.kind === "found") return found.deployment;
  throw new AmbiguousWriteError(
    `creating ${name}`,
    `A deployment named ${name} may have been left behind.`,
    doubt,
  );
}
