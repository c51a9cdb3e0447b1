import { Failure, toResult } from "../../errors.ts";
import { hasStatus } from "../../http/request-error.ts";
import type { CreatedDeployment } from "../../platform/control-plane.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { DesiredDeployment } from "../../platform/desired-deployment.ts";
import { nameOrIdOf } from "../../platform/target.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import type { Write } from "../../state/write.ts";
import { code, inputName, phrase, text } from "../../text/message.ts";
import { sendWrite } from "../../writes.ts";
import type { DeployContext } from "../deploy-context.ts";
import { noRevisions } from "../snapshot.ts";
import { identifyRevision } from "./identify-revision.ts";
import { makeByUpdate } from "./make-by-update.ts";
import { prepareCreate } from "./prepare-create.ts";

/**
 * Updates the existing deployment, or creates one.
 *
 * @throws Failure, such as one that can't tell which revision is this run's
 */
export async function makeRevision(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<OwnRevision> {
  return existing === undefined
    ? await makeByCreate(context, nameOrIdOf(context.plan.target))
    : await makeByUpdate(context, existing.id);
}

async function makeByCreate(context: DeployContext, name: string): Promise<OwnRevision> {
  const { report, clock, settings } = context;
  const create = await prepareCreate(context, name);
  const makesNoRevision = settings.platform.createsWithoutRevision(create.sourceKind);
  const title = phrase`creation of ${code(name)}`;
  const write: Write = { kind: makesNoRevision ? "other" : "revision", title };
  const send = () => sendCreate(context, name, create);
  const created = await toResult(() => sendWrite(context, write, send));
  if (created.error !== undefined) {
    throw hasStatus(created.error, 409) ? nameTakenError(context, name, created.error) : created.error;
  }
  const { deployment, sentAt } = created.value;
  report.setDeployment(deployment, true);
  if (makesNoRevision) return await makeByUpdate(context, deployment.id);
  const { content } = create;
  // A revision that is older than the request is not one that it made.
  const before = { ...noRevisions, readAt: sentAt };
  const origin = { deploymentId: deployment.id, before, content, waitStartedAt: clock.now() };
  const { latestRevisionId: id } = deployment;
  return await identifyRevision(context, origin, id && { id, isCertain: true });
}

/** Creates the deployment. If the platform refuses the default type because it sleeps when idle, another type is sent. */
async function sendCreate(
  { controlPlane, plan, report, settings }: DeployContext,
  name: string,
  create: DesiredDeployment,
): Promise<CreatedDeployment> {
  try {
    return await controlPlane.createDeployment(name, create);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const fallback = settings.platform.fallbackType(error);
    if (fallback === undefined) throw error;
    const { message } = error.ending;
    const { type, hint } = fallback;
    if (plan.desired.deploymentType !== undefined) throw new Failure(message, { hint, cause: error });
    report.warning(
      text`${message} Creating ${code(name)} with ${code(`deployment_type: ${type}`)} instead, which can't be changed later.`,
    );
    return await controlPlane.createDeployment(name, { ...create, deploymentType: type });
  }
}

/** The platform refuses a create with 409. Its words are those of a run that then finds no deployment of the name. */
export class NameTakenError extends Failure {
  override readonly name = "NameTakenError";
}

function nameTakenError({ settings }: DeployContext, name: string, refusal: Failure): NameTakenError {
  const ifTraces = text`The tracing project of a deleted deployment may hold it: delete that on the platform. To avoid it, set ${code("delete_tracing_project: true")} in preview, sweep and delete.`;
  return new NameTakenError(
    text`Could not create ${code(name)}, although no deployment of that name is listed. ${refusal.ending.message}`,
    {
      hint: text`If the name is taken, choose a different ${inputName("name")}. ${settings.platform.canDeleteTraces ? ifTraces : undefined}`,
      cause: refusal,
    },
  );
}
