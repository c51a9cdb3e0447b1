import { type ControlPlane, isMissing, lacksEndpoint } from "../control-plane/client.ts";
import type { Deployment } from "../control-plane/deployment.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { sameRepository } from "../plan/repository.ts";
import type { Ports } from "../ports.ts";
import { WrongRepositoryError } from "./errors.ts";

export type Located =
  | { readonly kind: "found"; readonly deployment: Deployment }
  /** `listed` is false where the control plane has no list to look in. */
  | { readonly kind: "missing"; readonly listed: boolean };

/**
 * Finds the deployment that is meant, read afresh by its id.
 *
 * @throws AnswerError where an id is unknown, WrongRepositoryError where the name is another repository's.
 */
export async function locate(plan: DeploymentPlan, plane: ControlPlane, ports: Ports): Promise<Located> {
  const { target } = plan;
  if (target.kind === "id") return { kind: "found", deployment: await plane.getDeployment(target.id) };
  const byName = await findByName(target.name, plane, ports);
  if (byName.kind === "missing") return byName;
  const { deployment } = byName;
  if (
    deployment.repoUrl !== undefined &&
    plan.repoUrl !== undefined &&
    !sameRepository(deployment.repoUrl, plan.repoUrl)
  ) {
    throw new WrongRepositoryError(target.name, deployment.repoUrl, plan.repoUrl);
  }
  return byName;
}

/** Looks a name up, and reads what it finds by its id: a list may show less than a deployment has. */
export async function findByName(
  name: string,
  plane: ControlPlane,
  ports: Pick<Ports, "log">,
): Promise<Located> {
  let listed: Deployment | undefined;
  try {
    listed = await plane.findDeployment(name);
  } catch (error) {
    if (!lacksEndpoint(error)) throw error;
    ports.log.warning(
      `This control plane has no list of deployments, so the name ${name} can't be looked up. Set deployment_id to update a deployment.`,
    );
    return { kind: "missing", listed: false };
  }
  if (listed === undefined) return { kind: "missing", listed: true };
  try {
    return { kind: "found", deployment: await plane.getDeployment(listed.id) };
  } catch (error) {
    // Deleted between the two reads.
    if (isMissing(error)) return { kind: "missing", listed: true };
    throw error;
  }
}
