import { Failure, toResult } from "../errors.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { urlInputs } from "../platform/hints.ts";
import { type DeploymentId, isSameId } from "../platform/ids.ts";
import type { PlatformContext } from "../platform-context.ts";
import { code, inputName, text } from "../text/message.ts";
import { searchPages } from "./search-pages.ts";

/**
 * Checks in the list that a deployment is gone: a gateway may have sent the 404. `nameOrId`: what the user calls it.
 *
 * @throws Failure if it may still exist, or if there is another one of its name
 */
export async function requireGone(
  { cancelled, controlPlane }: PlatformContext,
  id: DeploymentId,
  nameOrId: string,
): Promise<void> {
  const isListed = (listed: Deployment) =>
    (isSameId(listed.id, id) || listed.name === nameOrId) && !isBeingDeleted(listed);
  const read = await toResult(() => searchPages(controlPlane, "", isListed), cancelled);
  const notFound = text`Deployment ${code(nameOrId)} was not found (${code("404")}), but`;
  if (read.error !== undefined) {
    const { message, hint } = read.error.ending;
    throw new Failure(
      text`${notFound} the list of deployments that would confirm this could not be read. ${message}`,
      { hint: text`Check ${urlInputs}. ${hint}`, cause: read.error },
    );
  }
  const [found] = read.value;
  if (found === undefined) return;
  if (isSameId(found.id, id)) {
    throw new Failure(text`${notFound} it is still listed.`, {
      hint: text`Check it on the platform, and run this again.`,
    });
  }
  const named = text`${code(nameOrId)} is the name of deployment ${code(found.id)}.`;
  throw new Failure(text`${notFound} ${named}`, {
    hint:
      nameOrId === id
        ? text`Set ${inputName("name")} in place of ${inputName("deployment_id")}.`
        : text`Somebody may have created it meanwhile. If it should be deleted too, run this again.`,
  });
}
