import type { Context } from "../context.ts";
import { UnconfirmedWriteError } from "../deployment/errors.ts";
import { type Removal, removeDeployment } from "../deployment/remove.ts";
import { retryUntil } from "../http/retry.ts";
import { ControlPlane, type ControlPlaneSettings } from "../platform/control-plane.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";

/** How long requests are repeated, in milliseconds: actions that delete have no input for it. */
const patienceMs = 300_000;

/** The control plane for the removal of one deployment, whose time counts from now on. */
export function planeToRemove(settings: ControlPlaneSettings, context: Context): ControlPlane {
  return new ControlPlane(settings, context, retryUntil(context.clock.now() + patienceMs));
}

/**
 * Deletes a deployment, and lets the progress know what a run that is cancelled can tell of it. Answers and throws
 * like `removeDeployment`. `title`: what the user calls it.
 */
export async function removeTracked(
  { id, title }: { readonly id: string; readonly title: string },
  plane: ControlPlane,
  progress: Progress,
  context: Context,
): Promise<Removal | undefined> {
  context.cancelled.throwIfAborted();
  progress.deleting(title);
  try {
    const removal = await removeDeployment(id, plane, context);
    if (removal === undefined) progress.settled();
    else progress.deleted(title);
    return removal;
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (!(error instanceof UnconfirmedWriteError)) progress.settled();
    throw error;
  }
}

/** Deletes the deployment of this id; that there is none, or none any more, is a success with a notice. */
export async function removeAndTell(
  id: string | undefined,
  plane: ControlPlane,
  progress: Progress,
  context: Context,
): Promise<Ending> {
  const { title } = progress.facts;
  if (id !== undefined) progress.identified(id);
  const removal = id === undefined ? undefined : await removeTracked({ id, title }, plane, progress, context);
  const message = describeRemoval(removal, title);
  if (removal === undefined) context.log.notice(message);
  return { outcome: "deleted", message };
}

/** What isn't found may also be sought in the wrong place. `what`: begins the sentence. */
export function describeMissing(what: string): string {
  return `${what} is gone: there was nothing left to delete. If it should be there, check control_plane_url and workspace_id.`;
}

function describeRemoval(removal: Removal | undefined, title: string): string {
  if (removal === undefined) return describeMissing(`Deployment ${title}`);
  return removal === "deleted"
    ? `Deployment ${title} was deleted.`
    : `The platform took the deletion of deployment ${title}, and was still at it when last seen.`;
}
