import type { Deployment } from "../../platform/deployment.ts";
import type { DividedUpdate } from "../../platform/platform.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import type { SourceArchive } from "../../source/archive.ts";
import { uploadArchive } from "../../source/upload.ts";
import { code, input, listed, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { revisionConfig } from "../plan/requests.ts";
import { changeSettings } from "./change-settings.ts";
import type { FoundDeployment } from "./find-deployment.ts";
import { deploysSource } from "./match-revision.ts";
import { requestRevision } from "./request-revision.ts";
import { liveRevision, type RunRevision, revisionBaseline } from "./revision-history.ts";

/** Updates a deployment, and returns the revision that came of it. */
export async function updateDeployment(job: DeployJob, found: FoundDeployment): Promise<RunRevision> {
  const { deployment } = found;
  const { plan, settings } = job;
  const divided = settings.platform.divideUpdate(plan.update, deployment.source ?? plan.desired.sourceKind);
  const removedSecrets = warnOfRemovedSecrets(job, deployment);
  // The search may be minutes ago: another run may have made a revision live since.
  const readNow = async () => {
    const now = await job.controlPlane.getDeployment(deployment.id);
    job.report.deployment(now);
    return now;
  };
  return { ...(await sendUpdate(job, deployment, divided, readNow)), removedSecrets };
}

/**
 * Sends the archive or image of a deployment that this run created, and returns the revision that came of it: such a create
 * makes none.
 */
export async function sendToCreated(job: DeployJob, deployment: Deployment): Promise<RunRevision> {
  const { plan, report, settings } = job;
  const divided = settings.platform.divideUpdate(plan.update, plan.desired.sourceKind);
  // Nothing is live yet, and a read may lag behind the create.
  const send = () => sendUpdate(job, deployment, divided, async () => deployment);
  return await report.whileUnfinished({ kind: "no_revision", deploymentId: deployment.id }, send);
}

/** Warns of secrets that an update removes, and returns their names. */
export function warnOfRemovedSecrets(
  { plan, settings, report }: DeployJob,
  deployment: Deployment,
): readonly string[] {
  const names = settings.platform.removedSecrets(plan.update, deployment);
  if (names.length > 0) {
    report.warning(
      text`This update removes ${listed(names.map((name) => code(name)))} from deployment ${code(deployment.id)}, because ${input("secrets")} replaces all earlier secrets. To keep ${names.length === 1 ? text`it, list it` : text`them, list them`} in ${input("secrets")} too.`,
    );
  }
  return names;
}

/** `readNow`: reads the deployment right before the request that makes the revision. */
async function sendUpdate(
  job: DeployJob,
  deployment: Deployment,
  { settings, revision: update, isPosted }: DividedUpdate,
  readNow: () => Promise<Deployment>,
): Promise<RunRevision> {
  const { plan, upload, controlPlane, report } = job;
  const { id } = deployment;
  const tarballPath = upload && (await sendArchive(job, upload, deployment));
  const source = { ...plan.source, tarballPath };
  const revision =
    tarballPath === undefined ? update : { ...update, source_revision_config: revisionConfig(source) };
  const isAllShown = showsAllOf(revision);
  if (settings !== undefined) await changeSettings(job, deployment, settings);
  const list = await controlPlane.listRevisions(id);
  // After the list, so that no revision that the deployment shows as live counts as new.
  const now = await readNow();
  const liveBefore = liveRevision(now, list.listed);
  report.setFacts({ previousRevisionId: liveBefore?.id });
  return await requestRevision(
    job,
    { revision, isPosted },
    {
      what: text`the update of ${code(id)}`,
      deployment: now,
      source,
      isProof: (candidate) => isAllShown && deploysSource(candidate, source) === true,
      baseline: revisionBaseline(list, now),
      liveBefore,
    },
  );
}

/** Uploads the archive for a deployment, and returns the platform's name for it. */
async function sendArchive(job: DeployJob, archive: SourceArchive, deployment: Deployment): Promise<string> {
  const { settings, plan } = job;
  const { createUploadAddress } = job.controlPlane;
  if (createUploadAddress === undefined)
    throw new Error("Planning refuses an upload to a platform that takes none.");
  const { id, name, latestRevisionId, activeRevisionId } = deployment;
  const ids = [id, name, latestRevisionId, activeRevisionId, settings.workspaceId];
  const options = {
    idleTimeoutMs: settings.requestTimeoutMs,
    allowHttp: plan.desired.upload?.allowHttp ?? false,
    notSecret: ids.flatMap((id) => id ?? []),
  };
  return await uploadArchive(archive, () => createUploadAddress(id), options, job);
}

/** Whether a revision shows all that an update gives it: neither secrets nor resources, but an archive's name is unique. */
function showsAllOf({ source_config, source_revision_config, secrets }: UpdateRequest): boolean {
  const isUpload = source_revision_config?.source_tarball_path !== undefined;
  return isUpload || (secrets === undefined && source_config?.resource_spec === undefined);
}
