import type { ControlPlane } from "../control-plane/client.ts";
import { isBeingDeleted } from "../control-plane/deployment.ts";
import { ifThere, isMissing, mayHaveHappened } from "../control-plane/failures.ts";
import { ActionError } from "../errors.ts";
import type { Target } from "../inputs/target.ts";
import type { Ports } from "../ports.ts";
import { AmbiguousWriteError, type DoubtfulWrite, UnlistedNameError } from "./errors.ts";
import { locate } from "./locate.ts";
import { lookForEffect } from "./look-for-effect.ts";

/**
 * The id of the deployment to delete, undefined where there is none.
 *
 * @throws UnlistedNameError where a name can't be looked up.
 */
export async function findToDelete(target: Target, plane: ControlPlane): Promise<string | undefined> {
  // To delete it, a deployment need not be read: that it is gone comes out then.
  if (target.kind === "id") return target.id;
  const located = await locate({ target, repoUrl: undefined }, plane);
  if (located.kind === "found") return located.deployment.id;
  if (!located.listed) throw new UnlistedNameError(target.name);
  return undefined;
}

/** What came of a deletion: `leaving` where the deployment was seen on its way out, but not gone. */
export type Removal = "deleted" | "leaving";

/**
 * Deletes a deployment; undefined where it was gone already. What is not known to have happened is looked for.
 *
 * @throws AmbiguousWriteError, and the errors of `ControlPlane`.
 */
export async function removeDeployment(
  id: string,
  plane: ControlPlane,
  ports: Ports,
): Promise<Removal | undefined> {
  try {
    await plane.deleteDeployment(id);
    return "deleted";
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (isMissing(error)) return undefined;
    if (!(error instanceof ActionError) || !mayHaveHappened(error)) throw error;
    ports.log.warning(`${error.message} Looking whether the deployment was deleted all the same.`);
    const doubt = { what: `deleting ${id}`, left: `The deployment ${id} may still be there.`, cause: error };
    const removal = await lookForRemoval(id, doubt, plane.once(), ports);
    if (removal === undefined) throw new AmbiguousWriteError(doubt);
    return removal;
  }
}

async function lookForRemoval(
  id: string,
  doubt: DoubtfulWrite,
  plane: ControlPlane,
  ports: Ports,
): Promise<Removal | undefined> {
  const look = async (): Promise<Removal | undefined> => {
    const deployment = await ifThere(plane.getDeployment(id));
    if (deployment === undefined) return "deleted";
    return isBeingDeleted(deployment) ? "leaving" : undefined;
  };
  return await lookForEffect(look, doubt, ports);
}
