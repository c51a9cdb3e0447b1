import { Failure, toResult } from "../errors.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { urlInputs } from "../platform/hints.ts";
import type { PlatformContext } from "../platform-context.ts";
import { equalsIgnoringCase } from "../text/equals-ignoring-case.ts";
import { code, inputName, text } from "../text/message.ts";

/** Checks in the list that a deployment is gone: a gateway may have sent the 404. @throws Failure if it may still exist */
export async function requireGone(
  { cancelled, controlPlane }: PlatformContext,
  id: string,
  nameOrId: string,
): Promise<void> {
  const read = await toResult(() => findListedDeployment(controlPlane, id), cancelled);
  const notFound = text`Deployment ${code(nameOrId)} was not found (${code("404")}), but`;
  if (read.error !== undefined) {
    const { message, hint } = read.error.ending;
    throw new Failure(
      text`${notFound} the list of deployments that would confirm this could not be read. ${message}`,
      { hint: text`Check ${urlInputs}. ${hint}`, cause: read.error },
    );
  }
  if (read.value === undefined) return;
  if (equalsIgnoringCase(read.value.id, id)) {
    throw new Failure(text`${notFound} it is still listed.`, {
      hint: text`Check it on the platform, and run this again.`,
    });
  }
  throw new Failure(text`${notFound} ${code(id)} is the name of deployment ${code(read.value.id)}.`, {
    hint: text`Set ${inputName("name")} in place of ${inputName("deployment_id")}.`,
  });
}

/** Returns a listed deployment that has the ID, or has it as its name, and is not being deleted; undefined if there is none. */
async function findListedDeployment(
  controlPlane: PlatformContext["controlPlane"],
  id: string,
): Promise<Deployment | undefined> {
  for await (const page of controlPlane.deploymentPages("")) {
    const found = page.find(
      (listed) => (equalsIgnoringCase(listed.id, id) || listed.name === id) && !isBeingDeleted(listed),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
