import { Failure, toResult } from "../errors.ts";
import { isBeingDeleted } from "../platform/deployment.ts";
import type { PlatformJob } from "../platform-job.ts";
import { equalsIgnoringCase } from "../text/equals-ignoring-case.ts";
import { code, inputName, text } from "../text/message.ts";

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
