import type { RunContext } from "../../events.ts";
import { inputError } from "../../inputs/reader.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import type { DeploymentPlan } from "../plan/plan.ts";
import { revisionConfig } from "../plan/requests.ts";
import { changedFixedFields, shownFixedFields, withoutFixedFields } from "../plan/rules.ts";
import { identifyRevision } from "./identify-revision.ts";
import {
  type AppliedRevision,
  deploysSource,
  type KnownRevisions,
  knownRevisions,
  type LiveRevision,
  liveRevision,
} from "./match-revision.ts";
import type { PreparedUpload } from "./prepared-upload.ts";
import { sendRevisionWrite } from "./unconfirmed-write.ts";

/** Updates a deployment, and returns the revision that came of it. `upload`: the archive to send first. */
export async function updateDeployment(
  plan: DeploymentPlan,
  deployment: Deployment,
  upload: PreparedUpload | undefined,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  await context.emit({ kind: "deployment_seen", deployment, created: false });
  checkFixedInputs(plan, deployment);
  const fixed = shownFixedFields(plan.fixed, deployment);
  return await sendUpdate({ ...plan, fixed }, deployment, upload, controlPlane, context);
}

/**
 * Uploads the archive of a deployment that this run created, and returns the revision that came of it: such a create makes
 * none.
 */
export async function uploadToCreated(
  plan: DeploymentPlan,
  deployment: Deployment,
  upload: PreparedUpload,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const leftover = `Deployment ${deployment.id} was created, but has no revision yet. The next run with this name updates it.`;
  await context.emit({ kind: "leftover_changed", leftover });
  const applied = await sendUpdate(plan, deployment, upload, controlPlane, context);
  await context.emit({ kind: "leftover_changed", leftover: undefined });
  return applied;
}

/** Sends the update, without the fixed fields of the plan, which the platform knows already. */
async function sendUpdate(
  plan: DeploymentPlan,
  deployment: Deployment,
  upload: PreparedUpload | undefined,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const tarballPath = await upload?.send(deployment, controlPlane);
  const source = { ...plan.source, tarballPath };
  const update =
    tarballPath === undefined
      ? plan.update
      : { ...plan.update, source_revision_config: revisionConfig(source) };
  const showsLive = (revisions: readonly Revision[]) => liveRevision(deployment, revisions) !== undefined;
  const list = await controlPlane.listRevisionsUntil(deployment.id, showsLive);
  const liveBefore = liveRevision(deployment, list.listed);
  await context.emit({ kind: "previous_revision_seen", revisionId: liveBefore?.id });
  const request = withoutFixedFields(update, plan.fixed);
  const isAllShown = showsAllOf(request);
  const write = {
    what: `the update of ${deployment.id}`,
    deployment,
    source,
    isProof: (revision: Revision) => isAllShown && deploysSource(revision, source) === true,
    before: knownRevisions(list, deployment),
    liveBefore,
    send: () => controlPlane.updateDeployment(deployment.id, request),
  };
  return await makeRevision(write, controlPlane, context);
}

/** Whether a revision shows all that an update gives it: neither secrets nor resources, but an archive's name is unique. */
function showsAllOf({ source_config, source_revision_config, secrets }: UpdateRequest): boolean {
  const isUpload = source_revision_config?.source_tarball_path !== undefined;
  return isUpload || (secrets === undefined && source_config?.resource_spec === undefined);
}

/** @throws ActionError if an input would change what is fixed once the deployment exists, or its source needs another one. */
export function checkFixedInputs(plan: DeploymentPlan, deployment: Deployment): void {
  const problems = changedFixedFields(plan.fixed, deployment);
  if (problems.length > 0) throw inputError(problems);
  const problem = plan.problemsBySource.get(deployment.source ?? "");
  if (problem !== undefined) throw inputError([problem]);
}

/** A write that makes a revision of an existing deployment. */
export interface RevisionWrite {
  /** Such as "the update of 12". */
  readonly what: string;
  readonly deployment: Deployment;
  readonly source: RevisionSource;
  /** As in `RevisionToIdentify`. */
  readonly isProof: (revision: Revision) => boolean;
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
  { what, deployment, source, isProof, liveBefore, ...write }: RevisionWrite,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const { id: deploymentId } = deployment;
  const writtenAt = context.clock.now();
  const before = { ...write.before, writtenAt };
  const leftover = `A revision of deployment ${deploymentId} may still appear.`;
  const { response: shown, unconfirmed } = await sendRevisionWrite({ what, leftover }, write.send, context);
  if (shown) await context.emit({ kind: "deployment_seen", deployment: shown });
  const namedId = shown?.latestRevisionId ?? undefined;
  const revisionId = await identifyRevision(
    { deploymentId, created: false, namedId, before, source, isProof, unconfirmed },
    controlPlane,
    context,
  );
  return { deploymentId, revisionId, source, writtenAt, before, liveBefore };
}
