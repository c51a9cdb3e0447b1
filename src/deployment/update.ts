import { InputErrors } from "../inputs/errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import { knownRevisions, liveRevision } from "./attribution.ts";
import { makeRevision } from "./make-revision.ts";
import type { DeploymentPlan } from "./plan.ts";
import { changedFixedFields, withoutFixedFields } from "./platform-rules.ts";
import type { WriteTools } from "./write.ts";
import type { AppliedRevision } from "./written.ts";

/** Updates the deployment, having read which revisions there are: this run's is one that comes after. */
export async function updateDeployment(
  plan: DeploymentPlan,
  found: Deployment,
  tools: WriteTools,
): Promise<AppliedRevision> {
  const { plane, progress } = tools;
  progress.deployment(found, false);
  checkFixedInputs(plan, found);
  const listed = await plane.listRevisions(found.id);
  const write = {
    deployment: found,
    before: knownRevisions(listed, [found.latestRevisionId, found.activeRevisionId]),
    liveBefore: liveRevision(found, listed),
    source: plan.source,
    what: `the update of ${found.id}`,
    send: () => plane.updateDeployment(found.id, withoutFixedFields(plan.update, plan.fixed, found)),
  };
  return await makeRevision(write, tools);
}

/** @throws InputErrors where an input asks for what can't change any more. */
export function checkFixedInputs(plan: DeploymentPlan, found: Deployment): void {
  const problems = changedFixedFields(plan.fixed, found);
  if (problems.length > 0) throw new InputErrors(problems);
}
