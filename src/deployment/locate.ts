import type { Target } from "../inputs/target.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Deployment } from "../platform/deployment.ts";
import { ifFound, lacksEndpoint } from "../platform/failures.ts";
import type { Log } from "../runner/log.ts";
import { WrongRepositoryError } from "./errors.ts";
import type { DeploymentPlan } from "./plan.ts";
import { sameRepository } from "./repository.ts";

export type Located =
  | { readonly kind: "found"; readonly deployment: Deployment }
  /** `listed` is false where the control plane has no list to look in. */
  | { readonly kind: "missing"; readonly listed: boolean };

/**
 * Finds the deployment that is meant, read afresh by its id.
 *
 * @throws ResponseError where an id is unknown, WrongRepositoryError where the name is another repository's.
 */
export async function locate(
  sought: Pick<DeploymentPlan, "target" | "repoUrl">,
  plane: ControlPlane,
): Promise<Located> {
  const { target, repoUrl } = sought;
  if (target.kind === "id") return { kind: "found", deployment: await plane.getDeployment(target.id) };
  const recorded = await readRecorded(target, plane);
  const located: Located = recorded
    ? { kind: "found", deployment: recorded }
    : await findByName(target.name, plane);
  if (located.kind === "missing") return located;
  const other = otherRepository(located.deployment, repoUrl);
  if (other) throw new WrongRepositoryError(target.name, other.shown, other.own);
  return located;
}

/** The repository that a deployment shows and this run's, where these are two (contract, 3.1). */
export function otherRepository(
  { repoUrl: shown }: Deployment,
  own: string | undefined,
): { readonly shown: string; readonly own: string } | undefined {
  if (shown === undefined || own === undefined || sameRepository(shown, own)) return undefined;
  return { shown, own };
}

/** What an earlier run recorded, unless it is gone or goes by another name now. */
async function readRecorded(target: Target, plane: ControlPlane): Promise<Deployment | undefined> {
  if (target.kind === "id" || target.recordedId === undefined) return undefined;
  return await readNamed(target.name, target.recordedId, plane);
}

/** The deployment of this id, unless it is gone or goes by another name. */
async function readNamed(name: string, id: string, plane: ControlPlane): Promise<Deployment | undefined> {
  const deployment = await ifFound(plane.getDeployment(id));
  return deployment?.name === undefined || deployment.name === name ? deployment : undefined;
}

/** Looks a name up, and reads what it finds by its id: a list may show less than a deployment has. */
export async function findByName(name: string, plane: ControlPlane): Promise<Located> {
  let listed: Deployment | undefined;
  try {
    listed = await plane.findDeployment(name);
  } catch (error) {
    if (!lacksEndpoint(error)) throw error;
    return { kind: "missing", listed: false };
  }
  if (listed === undefined) return { kind: "missing", listed: true };
  const deployment = await readNamed(name, listed.id, plane);
  return deployment ? { kind: "found", deployment } : { kind: "missing", listed: true };
}

/** Says that a name can't be looked up, where the run goes on without. */
export function warnOfNoList(name: string, log: Log): void {
  log.warning(
    `This control plane has no list of deployments, so the name ${name} can't be looked up; deployment_id works without a list.`,
  );
}
