import type { Context } from "../context.ts";
import { type PlatformJob, platformJob } from "../deploy/job.ts";
import { type Ending, Failure, toResult } from "../errors.ts";
import { defaultRetryMs, retryIdempotent, type ShouldRetry } from "../http/retry.ts";
import type { ControlPlaneSettings } from "../platform/control-plane-settings.ts";
import { isBeingDeleted, isSameId } from "../platform/deployment.ts";
import { isNotFound, mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { code, inputName, text } from "../text/message.ts";

/** What a deletion works with. */
export function deletionJob(context: Context, settings: ControlPlaneSettings): PlatformJob {
  return platformJob(context, settings, defaultRetryMs);
}

interface DeletionOptions {
  /** The name or ID that the user gave. */
  readonly title: string;
  /** Whether its traces are deleted too. */
  readonly deleteTracingProject: boolean;
}

/** Deletes a deployment, and returns how the run ended. `id`: undefined if none was found. */
export async function deleteFound(
  job: PlatformJob,
  id: string | undefined,
  options: DeletionOptions,
): Promise<Ending> {
  const { report, settings } = job;
  const title = code(options.title);
  if (id !== undefined) {
    report.set({ deploymentId: id });
    const deletion = await deleteDeployment(job, id, options);
    if (deletion === "deleted")
      return { outcome: "deleted", message: text`Deployment ${title} was deleted.` };
  }
  const missing = text`Deployment ${title} does not exist in workspace ${code(settings.workspaceId)}.`;
  return {
    outcome: "deleted",
    message: text`${missing} Nothing was deleted.`,
    hint: text`If it should exist, check ${addressInputs}.`,
    label: "nothing to delete",
  };
}

/** Deletes a deployment; `gone`: it did not exist. A lost response is retried, because a second deletion changes nothing. */
export async function deleteDeployment(
  job: PlatformJob,
  id: string,
  { title, deleteTracingProject }: DeletionOptions,
): Promise<"deleted" | "gone"> {
  const { cancelled, controlPlane, report } = job;
  cancelled.throwIfAborted();
  let mayBeDeleted = false;
  const shouldRetry: ShouldRetry = (error) => {
    mayBeDeleted ||= mayHaveTakenEffect(error);
    return retryIdempotent(error);
  };
  const send = () => controlPlane.deleteDeployment(id, deleteTracingProject, shouldRetry);
  const write = { kind: "deletion", title } as const;
  report.sending(write);
  const sent = await toResult(send, cancelled);
  // A refused or unconfirmed deletion is described by its failure.
  report.responded(write, "value" in sent);
  if ("error" in sent) {
    // An error that is not retried may be a page that a gateway sent in place of the response.
    mayBeDeleted ||= mayHaveTakenEffect(sent.error);
    if (!isNotFound(sent.error)) throw mayBeDeleted ? unconfirmedError(title, sent.error) : sent.error;
    await requireGone(job, id, title);
    if (!mayBeDeleted) return "gone";
  }
  return "deleted";
}

function unconfirmedError(title: string, error: Failure): Failure {
  return new Failure(text`${error.ending.message} Deployment ${code(title)} may still exist.`, {
    hint: text`Run this again: a deployment that was deleted is not deleted twice. ${error.ending.hint}`,
    cause: error,
  });
}

/** Confirms by the list that a deployment is gone, because the 404 may be a gateway's. @throws Failure if it may still exist */
export async function requireGone(
  { cancelled, controlPlane }: PlatformJob,
  id: string,
  title: string,
): Promise<void> {
  const read = await toResult(() => isListed(controlPlane, id), cancelled);
  const notFound = text`Deployment ${code(title)} was not found (${code("404")}), but`;
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

/** Whether the list shows the deployment, under any name, as one that is not being deleted. */
async function isListed(controlPlane: PlatformJob["controlPlane"], id: string): Promise<boolean> {
  for await (const page of controlPlane.deploymentPages("")) {
    if (page.some((one) => isSameId(one.id, id) && !isBeingDeleted(one))) return true;
  }
  return false;
}

/** The inputs that lead to a deployment besides its id or name. */
export const addressInputs = text`${inputName("control_plane_url")} (or ${inputName("region")}) and ${inputName("workspace_id")}`;
