import { checkHealth } from "../checks/health-check.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { Ending } from "../progress/ending.ts";
import { explainFailure } from "./failure-log.ts";
import { rollBack } from "./rollback.ts";
import { verifyCommit } from "./verify-commit.ts";
import type { AppliedRevision } from "./written.ts";

/** What follows the end of this run's revision, as the inputs ask for it; answers with how the run ends. */
export async function conclude(
  ended: Ending,
  written: AppliedRevision,
  deployment: DeploymentRun,
): Promise<Ending> {
  if (ended.outcome !== "deployed") {
    return await undo(await explainFailure(ended, deployment), written, deployment);
  }
  const { plan, run, inputs, progress, context } = deployment;
  const { healthCheck, verifyCommit: required } = inputs.after;
  const ofAnotherCommit = verifyCommit({ plan, run, built: progress.facts.commitSha, required }, context);
  const checked = healthCheck ? await checkHealth(ended, healthCheck, progress, context) : ended;
  if (checked.outcome !== "deployed") return await undo(checked, written, deployment);
  return ofAnotherCommit ?? checked;
}

/** A revision that came to nothing or isn't well gives way to what was live before, where that is asked for. */
async function undo(ending: Ending, written: AppliedRevision, deployment: DeploymentRun): Promise<Ending> {
  const isAskedFor = deployment.inputs.after.rollsBack;
  const endedBadly = ending.outcome === "failed" || ending.outcome === "interrupted";
  return isAskedFor && endedBadly ? await rollBack(ending, written, deployment) : ending;
}
