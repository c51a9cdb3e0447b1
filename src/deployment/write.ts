import type { Context } from "../context.ts";
import { ResponseError } from "../http/response-error.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import type { Progress } from "../progress/progress.ts";
import { createDeployment } from "./create.ts";
import { locate, warnOfNoList } from "./locate.ts";
import { NameWait } from "./name-wait.ts";
import type { DeploymentPlan } from "./plan.ts";
import { yieldToOlder } from "./twins.ts";
import { updateDeployment } from "./update.ts";
import type { AppliedRevision } from "./written.ts";

/** What a write needs beside its plan. */
export interface WriteTools {
  readonly plane: ControlPlane;
  readonly progress: Progress;
  readonly context: Context;
  /** How long a name may stay taken by a deployment that is being deleted; milliseconds since the epoch. */
  readonly until: number;
  /** Whether a deployment that this run makes goes again where another run made an older one at the same time. */
  readonly yieldsToOlder: boolean;
}

/**
 * Creates the deployment or updates it, and tells exactly which revision came of it.
 *
 * @throws InputErrors where something is missing to create it, NameTakenError where its name doesn't become free,
 *   UnconfirmedWriteError and RevisionNotFoundError where no revision can be called this run's, and the errors of
 *   `ControlPlane` and `locate`.
 */
export async function writeDeployment(plan: DeploymentPlan, tools: WriteTools): Promise<AppliedRevision> {
  const { progress, context } = tools;
  const wait = new NameWait(tools);
  let refusal: ResponseError | undefined;
  for (;;) {
    const located = await locate(plan, tools.plane);
    if (located.kind === "found") {
      if (!isGoingAway(plan, located.deployment)) {
        return await updateDeployment(plan, located.deployment, tools);
      }
      await wait.forListed();
      continue;
    }
    if (!located.listed) {
      // What takes the name can't be found.
      if (refusal !== undefined) throw refusal;
      warnOfNoList(progress.facts.title, context.log);
    }
    const made = await createAlone(plan, tools);
    if (made === "yielded") continue;
    if (!(made instanceof ResponseError)) return made;
    refusal = made;
    await wait.forUnlisted(made);
  }
}

/** Creates the deployment, unless its name is taken (then it is the 409), or another run made an older one. */
async function createAlone(
  plan: DeploymentPlan,
  tools: WriteTools,
): Promise<AppliedRevision | ResponseError | "yielded"> {
  const made = await createDeployment(plan, tools);
  const { target, repoUrl } = plan;
  if (made instanceof ResponseError || target.kind !== "name" || !tools.yieldsToOlder) return made;
  const gone = await yieldToOlder(made.deploymentId, { name: target.name, repoUrl }, tools);
  return gone ? "yielded" : made;
}

/** A deployment that is on its way out is waited for; by id it can't come back. */
function isGoingAway(plan: DeploymentPlan, deployment: Deployment): boolean {
  return plan.target.kind === "name" && isBeingDeleted(deployment);
}
