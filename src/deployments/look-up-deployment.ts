import { Failure, toResult, undefinedIf } from "../errors.ts";
import { isNotFound, isUnsupported, mayBeUnknownId, type RequestError } from "../http/request-error.ts";
import { minPageSize } from "../platform/control-plane.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { urlInputs } from "../platform/hints.ts";
import { type DeploymentId, isSameId } from "../platform/ids.ts";
import type { Target } from "../platform/target.ts";
import type { PlatformContext } from "../platform-context.ts";
import { code, inputName, listOf, type Message, type Phrase, phrase, text } from "../text/message.ts";

/** Returns the deployment to update or to roll back. @throws Failure if there is none, or if it is being deleted */
export async function requireDeployment(context: PlatformContext, target: Target): Promise<Deployment> {
  const deployment = await requireFound(context, target);
  context.report.announceDeployment(deployment);
  requireNotDeleted(deployment);
  return deployment;
}

/** @throws Failure if a deployment is being deleted */
export function requireNotDeleted(deployment: Deployment): void {
  if (!isBeingDeleted(deployment)) return;
  throw new Failure(
    text`Deployment ${code(deployment.id)} is being deleted, so nothing can be deployed to it.`,
    {
      hint: text`Find out who is deleting it. To deploy the agent again, run the deploy action with its ${inputName("name")} and without ${inputName("deployment_id")}.`,
    },
  );
}

async function requireFound(context: PlatformContext, target: Target): Promise<Deployment> {
  if (target.kind === "name") {
    const found = await lookUpByName(context, target.name, inputName("deployment_id"));
    if (found !== undefined) return found;
    throw missingFailure(text`There is no deployment named ${code(target.name)}.`, inputName("name"));
  }
  return await context.controlPlane.getDeployment(target.id).catch((error: unknown) => {
    throw explainUnknownId(target.id, error);
  });
}

/** Returns the failure if the API may mean that it has no deployment with the ID of the input, or else the error itself. */
export function explainUnknownId(id: DeploymentId, error: unknown): unknown {
  if (!mayBeUnknownId(error)) return error;
  const input = phrase`${inputName("deployment_id")}, which takes an ID and not a name`;
  return missingFailure(text`There is no deployment ${code(id)}.`, input, error);
}

function missingFailure(message: Message, input: Phrase, cause?: Failure): Failure {
  const details = cause === undefined ? [] : [cause.quoted];
  return new Failure(message, { details, hint: text`Check ${input}, ${urlInputs}.`, cause });
}

/**
 * Returns the deployment with this name; undefined if there is none. It is read by its id, because a list may show fewer
 * fields. One that is being deleted counts only if there is no other. `idInput`: the input that takes an ID instead.
 *
 * @throws NoListError if there is no list to search, Failure if there are several, or if it was renamed meanwhile
 */
export async function lookUpByName(
  context: PlatformContext,
  name: string,
  idInput?: Phrase,
): Promise<Deployment | undefined> {
  const listed = await searchList(context, name, idInput);
  if (listed === undefined) return undefined;
  const found = await undefinedIf(() => context.controlPlane.getDeployment(listed.id), isNotFound);
  if (found !== undefined) return requireName(found, name, text`Rename it back, or run this again.`);
  await requireGone(context, listed.id, name);
  return undefined;
}

async function searchList(
  { controlPlane }: PlatformContext,
  name: string,
  idInput: Phrase | undefined,
): Promise<Deployment | undefined> {
  const isNamed = (listed: Deployment) => listed.name === name;
  const matches = await searchDeployments(controlPlane, name, isNamed).catch((error: unknown) => {
    throw isUnsupported(error) ? new NoListError(name, idInput, error) : error;
  });
  const usable = matches.filter((match) => !isBeingDeleted(match));
  if (usable.length > 1) throw ambiguousFailure(name, usable, idInput);
  return [...usable, ...matches][0];
}

function ambiguousFailure(
  name: string,
  deployments: readonly Deployment[],
  idInput: Phrase | undefined,
): Failure {
  const ids = listOf(deployments.map(({ id }) => code(id)));
  return new Failure(text`Several deployments are named ${code(name)}: ${ids}.`, {
    hint: idInput
      ? text`Set ${idInput} to the ID of the right one, or delete the others.`
      : text`Delete those that are not the right one.`,
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

/** Returns the deployment. @throws Failure if it was renamed, because it may have another purpose now */
export function requireName(deployment: Deployment, name: string, hint: Message): Deployment {
  if (deployment.name === undefined || deployment.name === name) return deployment;
  throw new Failure(
    text`Deployment ${code(deployment.id)} is named ${code(deployment.name)} now, not ${code(name)}, so it was neither changed nor deleted.`,
    { hint },
  );
}

/**
 * Returns the listed deployments that match. `name`: a part of their names. A list is searched twice before none counts as
 * found, unless it is so short that it has one page: if a deployment is deleted meanwhile, those after it move to a page that
 * was read before.
 */
async function searchDeployments(
  controlPlane: PlatformContext["controlPlane"],
  name: string,
  isMatch: (listed: Deployment) => boolean,
): Promise<readonly Deployment[]> {
  // By their IDs: two pages may show the same deployment if the list grows meanwhile.
  const matches = new Map<string, Deployment>();
  let count = 0;
  const search = async () => {
    for await (const page of controlPlane.deploymentPages(name)) {
      count += page.length;
      for (const listed of page) if (isMatch(listed)) matches.set(listed.id, listed);
    }
  };
  await search();
  if (matches.size === 0 && count >= minPageSize) await search();
  return [...matches.values()];
}

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
  const read = await toResult(() => searchDeployments(controlPlane, "", isListed), cancelled);
  const notFound = phrase`Deployment ${code(nameOrId)} was not found (${code("404")}), but`;
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
