import type { ControlPlane } from "../platform/control-plane.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { ifFound, lacksEndpoint } from "../platform/failures.ts";
import { tryLook } from "../platform/look.ts";
import { parseTimestamp } from "../text/instant.ts";
import { otherRepository } from "./locate.ts";
import { removeDeployment } from "./remove.ts";
import type { WriteTools } from "./write.ts";

/** What twins have in common. */
export interface Sought {
  readonly name: string;
  /** The repository that a deployment has to show, if it shows one. */
  readonly repoUrl: string | undefined;
}

/**
 * Other deployments of the same name and repository, none that is on its way out. There are some where two runs at
 * once made one each, on a platform that takes a name twice.
 */
export async function twinsOf(id: string, sought: Sought, plane: ControlPlane): Promise<Deployment[]> {
  const twins: Deployment[] = [];
  for (const other of await listed(sought.name, plane)) {
    // A list may show less than a deployment has.
    const twin = other.id === id ? undefined : await ifFound(plane.getDeployment(other.id));
    if (twin === undefined || isBeingDeleted(twin)) continue;
    if (otherRepository(twin, sought.repoUrl) === undefined) twins.push(twin);
  }
  return twins;
}

async function listed(name: string, plane: ControlPlane): Promise<Deployment[]> {
  try {
    return await plane.deploymentsNamed(name);
  } catch (error) {
    if (lacksEndpoint(error)) return [];
    throw error;
  }
}

/**
 * Of two deployments that two runs made at the same time the older stays (contract, 4): where there is an older one
 * than that which this run made, deletes the latter. False where it stays.
 */
export async function yieldToOlder(id: string, sought: Sought, tools: WriteTools): Promise<boolean> {
  const { plane, context } = tools;
  // Were the key refused here, the revision that was just made would not be told.
  const result = await tryLook(async () => {
    const twins = await twinsOf(id, sought, plane);
    return { twins, own: twins.length === 0 ? undefined : await ifFound(plane.getDeployment(id)) };
  }, context);
  if ("error" in result) {
    context.log.info(`${result.error.message} Whether another run made ${sought.name} too can't be told.`);
    return false;
  }
  const { twins, own } = result.seen;
  const older = own && twins.find((twin) => isOlder(twin, own));
  if (older === undefined) return false;
  context.log.notice(
    `Another run made ${older.id} of the name ${sought.name} at the same time: that one stays, and ${id}, which this run made, is deleted.`,
  );
  await removeDeployment(id, plane, context);
  return true;
}

/** Both runs have to come to the same result, also where the times say nothing. */
function isOlder(one: Deployment, other: Deployment): boolean {
  const [first, second] = [parseTimestamp(one.createdAt), parseTimestamp(other.createdAt)];
  return Number.isNaN(first - second) || first === second ? one.id < other.id : first < second;
}
