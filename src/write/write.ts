import type { ControlPlane } from "../control-plane/client.ts";
import { type Deployment, isBeingDeleted } from "../control-plane/deployment.ts";
import { AnswerError } from "../control-plane/errors.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import type { Ports } from "../ports.ts";
import type { Progress } from "../report/progress.ts";
import type { KnownRevisions, LiveRevision } from "../watch/attribution.ts";
import { createDeployment } from "./create.ts";
import { NameTakenError } from "./errors.ts";
import { locate } from "./locate.ts";
import { yieldToOlder } from "./twins.ts";
import { updateDeployment } from "./update.ts";

/** What a write needs beside its plan. */
export interface WriteTools {
  readonly plane: ControlPlane;
  readonly progress: Progress;
  readonly ports: Ports;
  /** How long a name may stay taken by a deployment that is being deleted; milliseconds since the epoch. */
  readonly until: number;
  /** Whether a deployment that this run makes goes again where another run made an older one at the same time. */
  readonly yieldsToOlder: boolean;
}

/** This run's revision, and what was there before it. */
export interface WrittenRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** When the write was sent; milliseconds since the epoch. */
  readonly writtenAt: number;
  readonly before: KnownRevisions;
  /** What was live then; undefined where nothing was, or where that isn't known. */
  readonly liveBefore: LiveRevision | undefined;
}

const takenPauseMs = 2000;

/**
 * Creates the deployment or updates it, and tells exactly which revision came of it.
 *
 * @throws InputErrors where something is missing to create it, NameTakenError where its name doesn't become free,
 *   AmbiguousWriteError and RevisionNotSeenError where no revision can be called this run's, and the errors of
 *   `ControlPlane` and `locate`.
 */
export async function writeDeployment(plan: DeploymentPlan, tools: WriteTools): Promise<WrittenRevision> {
  let conflict: AnswerError | undefined;
  for (let waits = 0; ; waits++) {
    const located = await locate(plan, tools.plane, tools.ports);
    if (located.kind === "found" && !isGoingAway(plan, located.deployment)) {
      return await updateDeployment(plan, located.deployment, tools);
    }
    if (located.kind === "missing") {
      if (conflict !== undefined && !located.listed) throw conflict;
      const made = await createAlone(plan, tools);
      if ("revisionId" in made) return made;
      conflict = made.conflict;
    }
    if (waits === 0) tools.ports.log.info(waitingFor(tools.progress.facts.title));
    await pauseForName(conflict, tools);
  }
}

/** Creates the deployment, unless its name is taken, or was taken by another run at the same time. */
async function createAlone(
  plan: DeploymentPlan,
  tools: WriteTools,
): Promise<WrittenRevision | { readonly conflict: AnswerError | undefined }> {
  const made = await createDeployment(plan, tools);
  if (made instanceof AnswerError) return { conflict: made };
  const { target, repoUrl } = plan;
  if (target.kind !== "name" || !tools.yieldsToOlder) return made;
  const gone = await yieldToOlder(made.deploymentId, { name: target.name, repoUrl }, tools);
  return gone ? { conflict: undefined } : made;
}

/** A deployment that is on its way out is waited for; by id it can't come back. */
function isGoingAway(plan: DeploymentPlan, deployment: Deployment): boolean {
  return plan.target.kind === "name" && isBeingDeleted(deployment);
}

function waitingFor(name: string): string {
  return `The name ${name} is taken, maybe by a deployment that is being deleted: waiting for it to become free.`;
}

async function pauseForName(conflict: AnswerError | undefined, tools: WriteTools): Promise<void> {
  const { clock, cancelled } = tools.ports;
  if (clock.now() + takenPauseMs > tools.until)
    throw new NameTakenError(tools.progress.facts.title, conflict);
  await clock.sleep(takenPauseMs, cancelled);
}
