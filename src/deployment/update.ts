import type { RunContext } from "../events.ts";
import { inputError } from "../inputs/reader.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Deployment, RevisionSource } from "../platform/deployment.ts";
import {
  type AppliedRevision,
  type KnownRevisions,
  knownRevisions,
  type LiveRevision,
  liveRevision,
} from "./attribution.ts";
import { identifyRevision } from "./identify-revision.ts";
import type { DeploymentPlan } from "./plan.ts";
import { changedFixedFields, withoutFixedFields } from "./platform-rules.ts";
import { sendRevisionWrite } from "./unconfirmed-write.ts";

/** Updates a deployment, and returns the revision that came of it. */
export async function updateDeployment(
  plan: DeploymentPlan,
  deployment: Deployment,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  await context.emit({ kind: "deployment_seen", deployment, created: false });
  checkFixedInputs(plan, deployment);
  const listed = await controlPlane.listRevisions(deployment.id);
  const liveBefore = liveRevision(deployment, listed);
  await context.emit({ kind: "previous_revision_seen", revisionId: liveBefore?.id });
  const request = withoutFixedFields(plan.update, plan.fixed, deployment);
  const write = {
    what: `the update of ${deployment.id}`,
    deployment,
    source: plan.source,
    before: knownRevisions(listed, [deployment.latestRevisionId, deployment.activeRevisionId]),
    liveBefore,
    send: () => controlPlane.updateDeployment(deployment.id, request),
  };
  return await makeRevision(write, controlPlane, context);
}

/** @throws ActionError if an input would change what is fixed once the deployment exists. */
export function checkFixedInputs(plan: DeploymentPlan, deployment: Deployment): void {
  const problems = changedFixedFields(plan.fixed, deployment);
  if (problems.length > 0) throw inputError(problems);
}

/** A write that makes a revision of an existing deployment. */
export interface RevisionWrite {
  /** Such as "the update of 12". */
  readonly what: string;
  readonly deployment: Deployment;
  readonly source: RevisionSource;
  readonly before: KnownRevisions;
  readonly liveBefore: LiveRevision | undefined;
  readonly send: () => Promise<Deployment | undefined>;
}

/**
 * Sends a write once, and returns the revision that came of it.
 *
 * @throws UnconfirmedWriteError and RevisionNotFoundError if no revision can be identified, and the errors of `send`.
 */
export async function makeRevision(
  { what, deployment, source, liveBefore, ...write }: RevisionWrite,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const { id: deploymentId } = deployment;
  const writtenAt = context.clock.now();
  const before = { ...write.before, writtenAt };
  const leftover = `A revision of deployment ${deploymentId} may still appear.`;
  const { response: shown, unconfirmed } = await sendRevisionWrite({ what, leftover }, write.send, context);
  if (shown) await context.emit({ kind: "deployment_seen", deployment: shown, created: false });
  const namedId = shown?.latestRevisionId;
  const revisionId = await identifyRevision(
    { deploymentId, created: false, namedId, before, source, unconfirmed },
    controlPlane,
    context,
  );
  return { deploymentId, revisionId, writtenAt, before, liveBefore };
}
