import { mayHaveHappened } from "../control-plane/client.ts";
import type { Deployment } from "../control-plane/deployment.ts";
import { ActionError } from "../errors.ts";
import { InputErrors } from "../inputs/errors.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { changedFixedFields } from "../plan/platform-rules.ts";
import { knownRevisions } from "../watch/attribution.ts";
import type { DoubtfulWrite } from "./errors.ts";
import { findRevision } from "./find-revision.ts";
import type { WriteTools, WrittenRevision } from "./write.ts";

/** Updates the deployment, having read which revisions there are: this run's is one that comes after. */
export async function updateDeployment(
  plan: DeploymentPlan,
  found: Deployment,
  tools: WriteTools,
): Promise<WrittenRevision> {
  const { plane, progress, ports } = tools;
  progress.deployment(found, false);
  checkFixedInputs(plan, found);
  const before = knownRevisions(await plane.listRevisions(found.id), [
    found.latestRevisionId,
    found.activeRevisionId,
  ]);
  const writtenAt = progress.writing();
  let doubt: DoubtfulWrite | undefined;
  let updated: Deployment | undefined;
  try {
    updated = await plane.updateDeployment(found.id, plan.update);
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    if (!mayHaveHappened(error)) {
      progress.notWritten();
      throw error;
    }
    ports.log.warning(`${error.message} Looking whether the update took effect all the same.`);
    doubt = {
      what: `the update of ${found.id}`,
      left: `A revision of ${found.id} may still appear.`,
      cause: error,
    };
  }
  if (updated?.id === found.id) progress.deployment(updated, false);
  const search = { deployment: found, candidate: updated?.latestRevisionId, before, plan, doubt };
  return { deploymentId: found.id, revisionId: await findRevision(search, tools), writtenAt, before };
}

/** @throws InputErrors where an input asks for what can't change any more. */
export function checkFixedInputs(plan: DeploymentPlan, found: Deployment): void {
  const problems = changedFixedFields(plan.fixed, found);
  if (problems.length > 0) throw new InputErrors(problems);
}
