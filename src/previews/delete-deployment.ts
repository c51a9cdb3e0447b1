import type { Context } from "../context.ts";
import { type PlatformJob, platformJob } from "../deploy/job.ts";
import { type Ending, Failure, toResult } from "../errors.ts";
import { retryIdempotent, type ShouldRetry } from "../http/retry.ts";
import { type Deployment, isBeingDeleted, isSameId } from "../platform/deployment.ts";
import { isNotFound, mayHaveTakenEffect } from "../platform/error-kinds.ts";
import type { ControlPlaneSettings } from "../platform/platforms.ts";
import { code, input, text } from "../text/message.ts";

/** How long requests are retried, in milliseconds: actions that delete have no input for it. */
const retryMs = 300_000;

/** The job of one deletion, whose time starts now. */
export function deletionJob<C extends Context>(context: C, settings: ControlPlaneSettings): C & PlatformJob {
  return platformJob(context, settings, retryMs);
}

interface DeploymentToDelete {
  readonly id: string;
  /** What the user calls it. */
  readonly title: string;
  /** Whether its traces are deleted too. */
  readonly deleteTracingProject: boolean;
}

/** `gone`: it did not exist. */
export type Deletion = "deleted" | "gone";

/** Deletes a deployment. A deletion whose response was lost is repeated: twice does what once does. */
export async function deleteDeployment(
  job: PlatformJob,
  { id, title, deleteTracingProject }: DeploymentToDelete,
): Promise<Deletion> {
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
  // What failed says it itself.
  report.responded(write, "value" in sent);
  if ("error" in sent) {
    // Such as a page in place of the response, which is not retried.
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

/** Of a deployment that was not found: a gateway may respond with 404 too, but not with a list without it. */
export async function requireGone(
  { cancelled, controlPlane }: PlatformJob,
  id: string,
  title: string,
): Promise<void> {
  const read = await toResult(() => controlPlane.deploymentPages(title).next(), cancelled);
  if ("value" in read) {
    const { value: listed = [] } = read.value;
    const isListed = (one: Deployment) => isSameId(one.id, id) && !isBeingDeleted(one);
    if (!listed.some(isListed)) return;
    throw new Failure(
      text`Deployment ${code(title)} was not found (${code("404")}), but it is still listed.`,
      {
        hint: text`Check it on the platform, and run this again.`,
      },
    );
  }
  const { message, hint } = read.error.ending;
  throw new Failure(
    text`Deployment ${code(title)} was not found (${code("404")}), but the list of deployments that would confirm this could not be read. ${message}`,
    { hint: text`Check ${addressInputs}. ${hint}`, cause: read.error },
  );
}

/** The inputs that lead to a deployment besides its id or name. */
export const addressInputs = text`${input("control_plane_url")} (or ${input("region")}) and ${input("workspace_id")}`;

/** How a run ended that deleted a deployment, or found it gone, which is a notice. */
export function deletionEnding(
  { report }: Pick<Context, "report">,
  deletion: Deletion,
  title: string,
  { workspaceId }: ControlPlaneSettings,
): Ending {
  if (deletion === "deleted") {
    return { outcome: "deleted", message: text`Deployment ${code(title)} was deleted.` };
  }
  const missing = text`Deployment ${code(title)} does not exist in workspace ${code(workspaceId)}.`;
  report.notice(text`${missing} If it should exist, check ${addressInputs}.`);
  return {
    outcome: "deleted",
    message: text`${missing} Nothing was deleted.`,
    label: "nothing to delete",
  };
}
