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
export async function findToDelete(
  target: Target,
  plane: ControlPlane,
  ports: Ports,
): Promise<string | undefined> {
  // To delete it, a deployment need not be read: that it is gone comes out then.
  if (target.kind === "id") return target.id;
  const located = await locate({ target, repoUrl: undefined }, plane, ports);
  if (located.kind === "found") return located.deployment.id;
  if (!located.listed) throw new UnlistedNameError(target.name);
  return undefined;
}

/**
 * Deletes a deployment; false where it was gone already. What is not known to have happened is looked for.
 *
 * @throws AmbiguousWriteError, and the errors of `ControlPlane`.
 */
export async function removeDeployment(id: string, plane: ControlPlane, ports: Ports): Promise<boolean> {
  try {
    await plane.deleteDeployment(id);
    return true;
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (isMissing(error)) return false;
    if (!(error instanceof ActionError) || !mayHaveHappened(error)) throw error;
    ports.log.warning(`${error.message} Looking whether the deployment was deleted all the same.`);
    const doubt = { what: `deleting ${id}`, left: `The deployment ${id} may still be there.`, cause: error };
    if (await isGone(id, doubt, plane.once(), ports)) return true;
    throw new AmbiguousWriteError(doubt);
  }
}

async function isGone(id: string, doubt: DoubtfulWrite, plane: ControlPlane, ports: Ports): Promise<boolean> {
  const look = async () => {
    const deployment = await ifThere(plane.getDeployment(id));
    return deployment === undefined || isBeingDeleted(deployment) ? true : undefined;
  };
  return (await lookForEffect(look, doubt, ports)) === true;
}
