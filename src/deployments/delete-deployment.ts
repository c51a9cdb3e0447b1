import { type Ending, Failure, toResult } from "../errors.ts";
import type { ShouldRetry } from "../http/retry.ts";
import { isBeingDeleted } from "../platform/deployment.ts";
import { isNotFound } from "../platform/error-kinds.ts";
import type { PlatformJob } from "../platform-job.ts";
import { equalsIgnoringCase } from "../text/equals-ignoring-case.ts";
import { code, inputName, text } from "../text/message.ts";
import { LostWrite, sendRepeatable } from "../writes.ts";

interface DeletionOptions {
  readonly nameOrId: string;
  /** Whether its traces are deleted too. */
  readonly deleteTracingProject: boolean;
}

/** Deletes a deployment, and returns the ending of the run. `id`: undefined if none was found. */
export async function deleteFound(
  job: PlatformJob,
  id: string | undefined,
  options: DeletionOptions,
): Promise<Ending> {
  const { report, settings } = job;
  const nameOrId = code(options.nameOrId);
  if (id !== undefined) {
    report.set({ deployment: { created: false, ...report.state.deployment, id } });
    const deletion = await deleteDeployment(job, id, options);
    if (deletion === "deleted")
      return { outcome: "deleted", message: text`Deployment ${nameOrId} was deleted.` };
  }
  const missing = text`Deployment ${nameOrId} does not exist in workspace ${code(settings.workspaceId)}.`;
  return {
    outcome: "deleted",
    message: text`${missing} Nothing was deleted.`,
    hint: text`If it should exist, check ${addressInputs}.`,
    result: text`nothing to delete`,
  };
}

/** Deletes a deployment. Returns `gone` if it did not exist. */
export async function deleteDeployment(
  job: PlatformJob,
  id: string,
  { nameOrId, deleteTracingProject }: DeletionOptions,
): Promise<"deleted" | "gone"> {
  const { cancelled, controlPlane, report } = job;
  const write = { kind: "deletion", title: text`deletion of deployment ${code(nameOrId)}` } as const;
  const send = (shouldRetry: ShouldRetry) =>
    controlPlane.deleteDeployment(id, deleteTracingProject, shouldRetry);
  const sent = await toResult(() => sendRepeatable(job, write, send), cancelled);
  if ("value" in sent) return "deleted";
  const { error } = sent;
  const isLost = error instanceof LostWrite;
  if (!isNotFound(isLost ? error.cause : error)) throw error;
  // Until the list confirms it, a deletion whose response was lost may have taken effect.
  if (isLost) report.sending(write);
  await requireGone(job, id, nameOrId);
  if (isLost) report.responded(write, true);
  return isLost ? "deleted" : "gone";
}

/** Checks in the list that a deployment is gone: a gateway may have sent the 404. @throws Failure if it may still exist */
export async function requireGone(
  { cancelled, controlPlane }: PlatformJob,
  id: string,
  nameOrId: string,
): Promise<void> {
  const read = await toResult(() => isListed(controlPlane, id), cancelled);
  const notFound = text`Deployment ${code(nameOrId)} was not found (${code("404")}), but`;
  if ("error" in read) {
    const { message, hint } = read.error.ending;
    throw new Failure(
      text`${notFound} the list of deployments that would confirm this could not be read. ${message}`,
      { hint: text`Check ${addressInputs}. ${hint}`, cause: read.error },
    );
  }
  if (read.value) {
    throw new Failure(text`${notFound} it is still listed.`, {
      hint: text`Check it on the platform, and run this again.`,
    });
  }
}

/** Returns whether the list shows the deployment under any name, and not as being deleted. */
async function isListed(controlPlane: PlatformJob["controlPlane"], id: string): Promise<boolean> {
  for await (const page of controlPlane.deploymentPages("")) {
    if (page.some((listed) => equalsIgnoringCase(listed.id, id) && !isBeingDeleted(listed))) return true;
  }
  return false;
}

/** The inputs that determine where a deployment is searched. */
export const addressInputs = text`${inputName("control_plane_url")} (or ${inputName("region")}) and ${inputName("workspace_id")}`;
