import { ActionError } from "../../errors.ts";
import type { Target } from "../../inputs/target.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { isUnsupported, undefinedIf404 } from "../../platform/error-kinds.ts";
import type { Log } from "../../report/log.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { isSameRepository } from "../plan/compare-source.ts";

export type Located =
  | { readonly kind: "found"; readonly deployment: Deployment }
  /** `hasList` is false if the control plane has no list of deployments to search. */
  | { readonly kind: "missing"; readonly hasList: boolean };

/**
 * Finds the target deployment and reads it by its id (docs/specification.md#finding-the-deployment). `repoUrl`: the
 * repository that a deployment found by name must show, if it shows one.
 *
 * @throws ResponseError for an unknown id, ActionError if the name belongs to another repository.
 */
export async function locateDeployment(
  target: Target,
  repoUrl: string | undefined,
  controlPlane: ControlPlane,
): Promise<Located> {
  if (target.kind === "id") {
    return { kind: "found", deployment: await controlPlane.getDeployment(target.id) };
  }
  const recorded =
    target.recordedId === undefined
      ? undefined
      : await readNamed(target.name, target.recordedId, controlPlane);
  const located: Located = recorded
    ? { kind: "found", deployment: recorded }
    : await findByName(target.name, controlPlane);
  if (located.kind === "found" && isOfOtherRepository(located.deployment, repoUrl)) {
    throw otherRepositoryError(target.name, located.deployment.repoUrl, repoUrl);
  }
  return located;
}

/** Whether a deployment shows another repository than this one. */
export function isOfOtherRepository({ repoUrl }: Deployment, own: string | undefined): boolean {
  return repoUrl !== undefined && own !== undefined && !isSameRepository(repoUrl, own);
}

function otherRepositoryError(name: string, shown = "", own = ""): ActionError {
  return new ActionError(
    `Deployment ${sanitizeExcerpt(name, 100)} belongs to ${sanitizeExcerpt(shown, 200)}, not to ${sanitizeExcerpt(own, 200)}. No changes were sent.`,
    {
      code: "other_repository",
      hint: "Choose another name. If the repository was renamed, set repo_url. To update this deployment anyway, set deployment_id.",
    },
  );
}

/** The deployment of this id, unless it is gone or has another name. */
async function readNamed(
  name: string,
  id: string,
  controlPlane: ControlPlane,
): Promise<Deployment | undefined> {
  const deployment = await undefinedIf404(controlPlane.getDeployment(id));
  return deployment?.name === undefined || deployment.name === name ? deployment : undefined;
}

/** Searches a name, and reads the deployment by its id: a list may show fewer fields. */
export async function findByName(name: string, controlPlane: ControlPlane): Promise<Located> {
  let listed: Deployment | undefined;
  try {
    listed = await controlPlane.findDeployment(name);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return { kind: "missing", hasList: false };
  }
  const deployment = listed && (await readNamed(name, listed.id, controlPlane));
  return deployment ? { kind: "found", deployment } : { kind: "missing", hasList: true };
}

/** Warns that a name can't be searched. */
export function warnOfMissingList(name: string, log: Log): void {
  log.warning(
    `This control plane has no list of deployments, so ${name} can't be found by name. Set deployment_id to update or delete an existing deployment.`,
  );
}
