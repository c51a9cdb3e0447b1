import { ControlPlane, type ControlPlaneSettings } from "../control-plane/client.ts";
import type { Ports } from "../ports.ts";
import type { Progress } from "../progress/progress.ts";
import { AmbiguousWriteError } from "../write/errors.ts";
import { type Removal, removeDeployment } from "../write/remove.ts";

/** How long requests are repeated, in milliseconds: actions that delete have no input for it. */
const patienceMs = 300_000;

/** The control plane for the removal of one deployment, whose time counts from now on. */
export function planeToRemove(settings: ControlPlaneSettings, ports: Ports): ControlPlane {
  return new ControlPlane(settings, ports, { attempts: 5, until: ports.clock.now() + patienceMs });
}

/**
 * Deletes a deployment, and lets the progress know what a run that is cancelled can tell of it. Answers and throws
 * like `removeDeployment`. `title`: what the user calls it.
 */
export async function removeTracked(
  { id, title }: { readonly id: string; readonly title: string },
  plane: ControlPlane,
  progress: Progress,
  ports: Ports,
): Promise<Removal | undefined> {
  ports.cancelled.throwIfAborted();
  progress.deleting(title);
  try {
    const removal = await removeDeployment(id, plane, ports);
    if (removal === undefined) progress.settled();
    else progress.deleted(title);
    return removal;
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (!(error instanceof AmbiguousWriteError)) progress.settled();
    throw error;
  }
}
