import type { PlatformContext } from "../context.ts";
import { Failure, toResult } from "../errors.ts";
import { isUnsupported, mayBeUnknownId, type RequestError } from "../http/request-error.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { urlInputs } from "../platform/hints.ts";
import { type DeploymentId, isSameId } from "../platform/ids.ts";
import type { Target } from "../platform/target.ts";
import { code, inputName, listOf, type Message, type Phrase, phrase, text } from "../text/message.ts";

/** Returns the deployment of a target, which may be being deleted. @throws Failure if there is none */
export async function requireDeployment(context: PlatformContext, target: Target): Promise<Deployment> {
  if (target.kind === "name") {
    const found = await lookUpByName(context, target.name, inputName("deployment_id"));
    if (found !== undefined) return found;
    throw missingFailure(text`There is no deployment named ${code(target.name)}.`, inputName("name"));
  }
  return await context.controlPlane.getDeployment(target.id).catch((error: unknown) => {
    throw mayBeUnknownId(error) ? unknownIdFailure(target.id, error) : error;
  });
}

export function requireNotDeleted(deployment: Deployment): void {
  if (!isBeingDeleted(deployment)) return;
  throw new Failure(
    text`Deployment ${code(deployment.id)} is being deleted, so nothing can be deployed to it.`,
    {
      hint: text`Find out who is deleting it. Once it is gone, deploy the agent again by its ${inputName("name")}.`,
    },
  );
}

/** @throws Failure if a deployment was renamed, because it may have another purpose now */
export function requireName({ id, name: current }: Deployment, name: string): void {
  if (current === undefined || current === name) return;
  throw new Failure(
    text`Deployment ${code(id)} is named ${code(current)} now, not ${code(name)}, so it was neither changed nor deleted.`,
    { hint: text`Rename it back, or set ${inputName("name")} to its new name.` },
  );
}

function unknownIdFailure(id: DeploymentId, error: RequestError): Failure {
  const input = phrase`${inputName("deployment_id")}, which takes an ID and not a name`;
  return missingFailure(text`There is no deployment ${code(id)}.`, input, error);
}

function missingFailure(message: Message, input: Phrase, cause?: Failure): Failure {
  const details = cause === undefined ? [] : [cause.quoted];
  return new Failure(message, { details, hint: text`Check ${input}, ${urlInputs}.`, cause });
}

/**
 * Returns the deployment with this name; undefined if there is none. One that is being deleted counts only if there is no
 * other. `idInput`: the input that takes an ID instead.
 *
 * @throws NoListError if there is no list to search, Failure if there are several, or if it was renamed since it was listed
 */
export async function lookUpByName(
  context: PlatformContext,
  name: string,
  idInput?: Phrase,
): Promise<Deployment | undefined> {
  const listed = await context.controlPlane.listDeployments(name).catch((error: unknown) => {
    throw isUnsupported(error) ? new NoListError(name, idInput, error) : error;
  });
  const matches = listed.filter((deployment) => deployment.name === name);
  const [usable, ...others] = matches.filter((match) => !isBeingDeleted(match));
  if (usable === undefined) return matches[0];
  if (others.length > 0) throw ambiguousFailure(name, [usable, ...others], idInput);
  // A list may show fewer fields.
  const deployment = await context.controlPlane.getDeployment(usable.id);
  requireName(deployment, name);
  return deployment;
}

function ambiguousFailure(
  name: string,
  deployments: readonly Deployment[],
  idInput: Phrase | undefined,
): Failure {
  const ids = listOf(deployments.map(({ id }) => code(id)));
  return new Failure(text`Several deployments are named ${code(name)}: ${ids}.`, {
    hint: text`Delete those that are not the right one${idInput && phrase`, or set ${idInput} to the ID of the right one`}.`,
  });
}

/** The control plane has no list of deployments, so none can be found by name. */
export class NoListError extends Failure {
  override readonly name = "NoListError";

  constructor(name: string, idInput: Phrase | undefined, cause: RequestError) {
    super(
      text`This control plane has no list of deployments (${cause.status}), so ${code(name)} can't be found by name.`,
      {
        hint: text`${idInput && text`Set ${idInput} to its ID. `}If the control plane should have a list, check ${inputName("control_plane_url")}.`,
        cause,
      },
    );
  }
}

/** A deployment was not found, but it may still exist. */
export class MayStillExistError extends Failure {
  override readonly name = "MayStillExistError";
}

/**
 * Checks in the list that a deployment is gone: a gateway may have sent the 404. `nameOrId`: what the user calls it.
 *
 * @throws MayStillExistError
 */
export async function requireGone(
  context: PlatformContext,
  id: DeploymentId,
  nameOrId: string,
): Promise<void> {
  const listed = await toResult(() => context.controlPlane.listDeployments(""));
  const notFound = phrase`Deployment ${code(nameOrId)} was not found (${code("404")}), but`;
  if (listed.error !== undefined) {
    const { message, hint } = listed.error.ending;
    throw new MayStillExistError(
      text`${notFound} the list of deployments that would confirm this could not be read. ${message}`,
      { hint: text`Check ${urlInputs}. ${hint}`, cause: listed.error },
    );
  }
  const found = listed.value.find((one) => isSameId(one.id, id) || one.name === id);
  if (found === undefined || isBeingDeleted(found)) return;
  throw new MayStillExistError(text`${notFound} it is still listed, with the ID ${code(found.id)}.`, {
    hint:
      found.name === id
        ? text`Set ${inputName("name")} in place of ${inputName("deployment_id")}.`
        : text`Check it on the platform, and run this again.`,
  });
}
