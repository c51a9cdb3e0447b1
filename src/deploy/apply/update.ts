import type { Deployment, Revision } from "../../platform/deployment.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import type { SourceArchive } from "../../source/archive.ts";
import { uploadArchive } from "../../source/upload.ts";
import { code, input, listed, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { type DividedUpdate, divideUpdate } from "../plan/divide-update.ts";
import { revisionConfig } from "../plan/requests.ts";
import { lostSecrets } from "../plan/rules.ts";
import { changeSettings } from "./change-settings.ts";
import type { FoundDeployment } from "./find-deployment.ts";
import { deploysSource } from "./match-revision.ts";
import { requestRevision } from "./request-revision.ts";
import { liveRevision, type RunRevision, revisionBaseline } from "./revision-history.ts";

/** Updates a deployment, and returns the revision that came of it. */
export async function updateDeployment(job: DeployJob, found: FoundDeployment): Promise<RunRevision> {
  const { deployment } = found;
  const divided = divideUpdate(job.plan, job.settings.platform, found);
  const removedSecrets = reportSideEffects(job, found, divided.revision);
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
  const divided = divideUpdate(plan, settings.platform, {});
  // Nothing is live yet, and a read may lag behind the create.
  const send = () => sendUpdate(job, deployment, divided, async () => deployment);
  return await report.whileUnfinished({ kind: "no_revision", deploymentId: deployment.id }, send);
}

/** Warns of what an update would change besides what it deploys, and returns the names of the secrets that it removes. */
export function reportSideEffects(
  job: DeployJob,
  found: FoundDeployment,
  update: UpdateRequest,
): readonly string[] {
  reportMove(job, found);
  const { replaceSecrets } = job.settings.platform.updates;
  const removedSecrets = replaceSecrets ? lostSecrets(update, found.deployment) : [];
  if (removedSecrets.length > 0) {
    job.report.warning(
      text`This update removes ${listed(removedSecrets.map((name) => code(name)))} from deployment ${code(found.deployment.id)}, because ${input("secrets")} replaces all earlier secrets. To keep ${removedSecrets.length === 1 ? text`it, list it` : text`them, list them`} in ${input("secrets")} too.`,
    );
  }
  return removedSecrets;
}

function reportMove({ report }: DeployJob, { deployment, movedTo }: FoundDeployment): void {
  if (movedTo === undefined) return;
  report.notice(
    text`The repository of deployment ${code(deployment.id)} was ${code(deployment.repoUrl ?? "")}, which GitHub redirects to ${code(movedTo)}. Its ${input("repo_url")} is updated.`,
  );
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
  const showsLive = (revisions: readonly Revision[]) => liveRevision(deployment, revisions) !== undefined;
  const list = await controlPlane.listRevisionsUntil(id, showsLive);
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
  const { settings, controlPlane, plan } = job;
  const { id, name, latestRevisionId, activeRevisionId } = deployment;
  const ids = [id, name, latestRevisionId, activeRevisionId, settings.workspaceId];
  const options = {
    idleTimeoutMs: settings.requestTimeoutMs,
    allowHttp: plan.desired.upload?.allowHttp ?? false,
    notSecret: ids.flatMap((id) => id ?? []),
  };
  return await uploadArchive(archive, () => controlPlane.createUploadAddress(id), options, job);
}

/** Whether a revision shows all that an update gives it: neither secrets nor resources, but an archive's name is unique. */
function showsAllOf({ source_config, source_revision_config, secrets }: UpdateRequest): boolean {
  const isUpload = source_revision_config?.source_tarball_path !== undefined;
  return isUpload || (secrets === undefined && source_config?.resource_spec === undefined);
}
