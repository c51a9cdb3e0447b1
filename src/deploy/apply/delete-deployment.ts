import type { Ending } from "../../ending.ts";
import { ActionError, bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { ResponseError } from "../../http/response-error.ts";
import { retryUntil } from "../../http/retry.ts";
import type { Target } from "../../inputs/target.ts";
import { ControlPlane, type ControlPlaneSettings } from "../../platform/control-plane.ts";
import { isBeingDeleted } from "../../platform/deployment.ts";
import { isNotFound, undefinedIf404 } from "../../platform/error-kinds.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { type Absence, isUnproven, readAbsence } from "./absence.ts";
import { locateDeployment } from "./find-deployment.ts";
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

/**
 * What came of a deletion. `being_deleted`: the platform was still deleting when last seen. All but `deleted` and
 * `being_deleted`: it was answered with 404, and this is what the list shows.
 */
export type Deletion = "deleted" | Absence;

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
      deletion === "deleted" || deletion === "being_deleted"
        ? { kind: "deployment_deleted", title }
        : { kind: "leftover_changed", leftover: undefined },
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
  const send = async (): Promise<Deletion> => {
    try {
      await controlPlane.deleteDeployment(id, deleteTracingProject);
      return "deleted";
    } catch (error) {
      if (isNotFound(error)) return await readAbsence({ id }, controlPlane);
      return await confirmRefused(error, id, controlPlane, context);
    }
  };
  const { response, unconfirmed } = await sendWrite(write, send, context);
  if (response !== undefined) return response;
  const polled = controlPlane.withoutRetry();
  const findDeletion = async (): Promise<Deletion | undefined> => {
    const deletion = await readDeletion(id, polled);
    if (deletion === "gone") return "deleted";
    return deletion === "listed" ? undefined : deletion;
  };
  const confirmed = await confirmWrite(findDeletion, unconfirmed, context);
  if (confirmed === undefined) throw new UnconfirmedWriteError(unconfirmed);
  return confirmed;
}

/** A platform may refuse to delete what it is already deleting. @throws the refusal, if it means something else */
async function confirmRefused(
  refusal: unknown,
  id: string,
  controlPlane: ControlPlane,
  { cancelled }: RunContext,
): Promise<Deletion> {
  if (!(refusal instanceof ResponseError) || ![409, 423].includes(refusal.status)) throw refusal;
  const read = await bestEffort(() => readDeletion(id, controlPlane), cancelled);
  if ("error" in read || read.value === undefined || isUnproven(read.value)) throw refusal;
  return read.value;
}

/** What shows that a deployment is gone or being deleted; undefined if it is still there. */
async function readDeletion(id: string, controlPlane: ControlPlane): Promise<Absence | undefined> {
  const deployment = await undefinedIf404(controlPlane.getDeployment(id));
  if (deployment === undefined) return await readAbsence({ id }, controlPlane);
  return isBeingDeleted(deployment) ? "being_deleted" : undefined;
}

/** The ending of a run that deleted a deployment, or found it gone. `subject`: begins the sentence. */
export function deletionEnding(deletion: Deletion, subject: string, { log }: RunContext): Ending {
  const headline = describeDeletion(deletion, subject);
  if (deletion !== "deleted" && deletion !== "being_deleted") log.notice(headline);
  return { outcome: "deleted", headline };
}

function describeDeletion(deletion: Deletion, subject: string): string {
  if (deletion === "deleted") return `${subject} was deleted.`;
  if (deletion === "being_deleted") return `${subject} is being deleted by the platform.`;
  // A wrong address or workspace looks the same.
  return `${subject} does not exist, so nothing was deleted. If it should exist, check control_plane_url and workspace_id.`;
}
