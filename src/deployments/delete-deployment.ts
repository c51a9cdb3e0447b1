import type { PlatformContext } from "../context.ts";
import { type SuccessEnding, toResult } from "../errors.ts";
import { isNotFound } from "../http/request-error.ts";
import type { ShouldRetry } from "../http/retry.ts";
import { urlInputs } from "../platform/hints.ts";
import type { DeploymentId } from "../platform/ids.ts";
import type { Write } from "../state/write.ts";
import { code, phrase, text } from "../text/message.ts";
import { confirmWrite, LostWriteError, sendWrite } from "../writes.ts";
import { requireGone } from "./look-up-deployment.ts";

/** Deletes a deployment, and returns the ending of the run. `id`: undefined if none was found. `shownName`: its name or ID. */
export async function deleteIfFound(
  context: PlatformContext,
  id: DeploymentId | undefined,
  shownName: string,
): Promise<SuccessEnding> {
  const { report, settings } = context;
  if (id !== undefined) {
    report.set({ deployment: { created: false, ...report.state.deployment, id } });
    const deletion = await deleteDeployment(context, id, shownName);
    if (deletion === "deleted") {
      const traces = settings.deletesTraces ? phrase`, with its tracing project` : undefined;
      return { outcome: "deleted", message: text`Deployment ${code(shownName)} was deleted${traces}.` };
    }
  }
  const missing = text`Deployment ${code(shownName)} does not exist in workspace ${code(settings.workspaceId)}.`;
  return {
    outcome: "deleted",
    message: text`${missing} Nothing was deleted.`,
    hint: text`If it should exist, check ${urlInputs}.`,
    headline: phrase`nothing to delete`,
  };
}

/** Deletes a deployment. Returns `gone` if it did not exist. */
export async function deleteDeployment(
  context: PlatformContext,
  id: DeploymentId,
  shownName: string,
): Promise<"deleted" | "gone"> {
  const { controlPlane } = context;
  const write: Write = { kind: "deletion", title: phrase`deletion of deployment ${code(shownName)}` };
  const send = (shouldRetry: ShouldRetry) => controlPlane.deleteDeployment(id, shouldRetry);
  const sent = await toResult(() => sendWrite(context, write, send));
  if (sent.error === undefined) return "deleted";
  const { error } = sent;
  const isLost = error instanceof LostWriteError;
  if (!isNotFound(isLost ? error.cause : error)) throw error;
  await requireGone(context, id, shownName);
  if (isLost) confirmWrite(context, write);
  return isLost ? "deleted" : "gone";
}
