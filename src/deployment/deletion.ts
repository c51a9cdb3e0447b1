import type { Ending } from "../ending.ts";
import { ActionError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { retryUntil } from "../http/retry.ts";
import type { Target } from "../inputs/target.ts";
import { ControlPlane, type ControlPlaneSettings } from "../platform/control-plane.ts";
import { isBeingDeleted } from "../platform/deployment.ts";
import { ifFound } from "../platform/failures.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { locateDeployment } from "./locate.ts";
import { confirmWrite, sendWrite, UnconfirmedWriteError } from "./unconfirmed-write.ts";

/** How long requests are retried, in milliseconds: actions that delete have no input for it. */
const retryMs = 300_000;

/** The control plane for one deletion, whose time starts now. */
export function controlPlaneForDeletion(settings: ControlPlaneSettings, context: RunContext): ControlPlane {
  return new ControlPlane(settings, context, retryUntil(context.clock.now() + retryMs));
}

/** The id of the deployment to delete; undefined if it does not exist. @throws ActionError if a name can't be searched */
export async function findToDelete(target: Target, controlPlane: ControlPlane): Promise<string | undefined> {
  // The deletion itself shows whether the id exists.
  if (target.kind === "id") return target.id;
  const located = await locateDeployment(target, undefined, controlPlane);
  if (located.kind === "found") return located.deployment.id;
  if (!located.hasList) throw missingListError(target.name);
  return undefined;
}

/** A deployment was to be deleted by a name that can't be searched. */
export function missingListError(name: string): ActionError {
  return new ActionError(
    `This control plane has no list of deployments, so ${sanitizeExcerpt(name, 100)} can't be found by name. It was not deleted.`,
    { code: "no_deployment_list", hint: "Set deployment_id, or delete the deployment on the platform." },
  );
}

/** A deployment to delete. */
export interface DeploymentToDelete {
  readonly id: string;
  /** What the user calls it. */
  readonly title: string;
  /** Whether its traces are deleted with it. */
  readonly deleteTracingProject: boolean;
}

/** What came of a deletion; `being_deleted`: the platform accepted it and was still deleting when last seen. */
export type Deletion = "deleted" | "being_deleted" | "missing";

/**
 * Deletes a deployment, and says in events what a cancelled run leaves behind.
 *
 * @throws UnconfirmedWriteError, and the errors of `ControlPlane`.
 */
export async function deleteDeployment(
  deployment: DeploymentToDelete,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Deletion> {
  const { cancelled, emit } = context;
  const { title } = deployment;
  cancelled.throwIfAborted();
  await emit({
    kind: "leftover_changed",
    leftover: `The deletion of deployment ${title} may have succeeded.`,
  });
  try {
    const deletion = await deleteConfirmed(deployment, controlPlane, context);
    await emit(
      deletion === "missing"
        ? { kind: "leftover_changed", leftover: undefined }
        : { kind: "deployment_deleted", title },
    );
    return deletion;
  } catch (error) {
    cancelled.throwIfAborted();
    if (!(error instanceof UnconfirmedWriteError))
      await emit({ kind: "leftover_changed", leftover: undefined });
    throw error;
  }
}

async function deleteConfirmed(
  { id, deleteTracingProject }: DeploymentToDelete,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Deletion> {
  const write = { what: `the deletion of ${id}`, leftover: `Deployment ${id} may still exist.` };
  const deletion = () => controlPlane.deleteDeployment(id, deleteTracingProject);
  const send = async (): Promise<Deletion> =>
    (await ifFound(deletion().then(() => "deleted" as const))) ?? "missing";
  const { response, unconfirmed } = await sendWrite(write, send, context);
  if (response !== undefined) return response;
  const polled = controlPlane.withoutRetry();
  const findDeletion = async (): Promise<Deletion | undefined> => {
    const deployment = await ifFound(polled.getDeployment(id));
    if (deployment === undefined) return "deleted";
    return isBeingDeleted(deployment) ? "being_deleted" : undefined;
  };
  const confirmed = await confirmWrite(findDeletion, unconfirmed, context);
  if (confirmed === undefined) throw new UnconfirmedWriteError(unconfirmed);
  return confirmed;
}

/** Deletes a deployment, if it has an id, and returns the ending. That it does not exist is a success with a notice. */
export async function deleteAndEnd(
  { id, ...deployment }: Omit<DeploymentToDelete, "id"> & { readonly id: string | undefined },
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Ending> {
  if (id !== undefined) await context.emit({ kind: "deployment_identified", deploymentId: id });
  const deletion =
    id === undefined ? "missing" : await deleteDeployment({ id, ...deployment }, controlPlane, context);
  const headline = describeDeletion(deletion, `Deployment ${deployment.title}`);
  if (deletion === "missing") context.log.notice(headline);
  return { outcome: "deleted", headline };
}

/** What came of a deletion, in one or two sentences. `subject`: begins the sentence. */
export function describeDeletion(deletion: Deletion, subject: string): string {
  if (deletion === "deleted") return `${subject} was deleted.`;
  if (deletion === "being_deleted") return `${subject} is being deleted by the platform.`;
  // A wrong address or workspace looks the same.
  return `${subject} does not exist, so nothing was deleted. If it should exist, check control_plane_url and workspace_id.`;
}
