import type { Context } from "../context.ts";
import { ActionError } from "../errors.ts";
import type { Target } from "../inputs/target.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { isBeingDeleted } from "../platform/deployment.ts";
import { ifFound, isMissing, mayHaveTakenEffect } from "../platform/failures.ts";
import { type UnconfirmedWrite, UnconfirmedWriteError, UnlistedNameError } from "./errors.ts";
import { locate } from "./locate.ts";
import { confirmWrite } from "./look-for-effect.ts";

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
 * @throws UnconfirmedWriteError, and the errors of `ControlPlane`.
 */
export async function removeDeployment(
  id: string,
  plane: ControlPlane,
  context: Context,
): Promise<Removal | undefined> {
  try {
    await plane.deleteDeployment(id);
    return "deleted";
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (isMissing(error)) return undefined;
    if (!(error instanceof ActionError) || !mayHaveTakenEffect(error)) throw error;
    context.log.warning(`${error.message} Looking whether the deployment was deleted all the same.`);
    const doubt = { what: `deleting ${id}`, left: `The deployment ${id} may still be there.`, cause: error };
    const removal = await lookForRemoval(id, doubt, plane.once(), context);
    if (removal === undefined) throw new UnconfirmedWriteError(doubt);
    return removal;
  }
}

async function lookForRemoval(
  id: string,
  doubt: UnconfirmedWrite,
  plane: ControlPlane,
  context: Context,
): Promise<Removal | undefined> {
  const look = async (): Promise<Removal | undefined> => {
    const deployment = await ifFound(plane.getDeployment(id));
    if (deployment === undefined) return "deleted";
    return isBeingDeleted(deployment) ? "leaving" : undefined;
  };
  return await confirmWrite(look, doubt, context);
}
