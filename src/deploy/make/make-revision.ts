import { isNoListError } from "../../deployments/find-deployment.ts";
import { toResult, undefinedIf } from "../../errors.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { isConflict } from "../../platform/error-kinds.ts";
import type { DividedUpdate, UpdatePart } from "../../platform/platform.ts";
import { uploadArchive } from "../../source/upload.ts";
import { code, listOf, text } from "../../text/message.ts";
import { sendOnce } from "../../writes.ts";
import { findTarget } from "../find/find-target.ts";
import { emptyHistory, readHistory } from "../find/history.ts";
import { requireSource } from "../find/require-source.ts";
import type { DeployJob } from "../job.ts";
import { revisionConfig } from "../plan/requests.ts";
import { nameTakenFailure, planCreate, sendCreate } from "./create-request.ts";
import { identifyRevision } from "./identify-revision.ts";
import { planUpdate } from "./plan-update.ts";
import type { RunRevision } from "./run-revision.ts";
import { sendAndIdentify } from "./send-and-identify.ts";
import { typicalDurationMs } from "./typical-duration.ts";

/**
 * Updates the existing deployment, or creates one, and returns the revision that this run made.
 *
 * @throws Failure if the plan does not fit the deployment, RequestError, and the reason of a cancellation
 */
export async function makeRevision(job: DeployJob, existing: Deployment | undefined): Promise<RunRevision> {
  await requireSource(job, existing);
  const ours =
    existing === undefined
      ? await createDeployment(job)
      : await updateDeployment(job, existing, planUpdate(job, existing));
  job.report.revisionKnown(ours, typicalDurationMs(ours.before.listed));
  return ours;
}

async function createDeployment(job: DeployJob): Promise<RunRevision> {
  const { controlPlane, report, clock, cancelled, plan } = job;
  const { create, sourceConfig, revision } = await planCreate(job);
  const { name } = create;
  const sentAt = clock.now();
  const title = text`creation of ${code(name)}`;
  const write = { kind: "create", title, ...(revision === undefined && { sentAt }) } as const;
  const before = { ...emptyHistory, readAt: controlPlane.respondedAt };
  const created = await toResult(() => sendOnce(job, write, () => sendCreate(job, create)), cancelled);
  if ("error" in created) {
    if (!isConflict(created.error)) throw created.error;
    // Another run may have created the deployment since it was looked up.
    const existing = await undefinedIf(isNoListError, findTarget(job));
    if (existing === undefined) throw nameTakenFailure(name, created.error);
    return await updateDeployment(job, existing, planUpdate(job, existing));
  }
  const deployment = created.value;
  report.foundDeployment(deployment, true);
  if (revision !== undefined) {
    return await updateDeployment(job, deployment, { sourceConfig, revision });
  }
  const request = { deploymentId: deployment.id, before, content: plan.content, sentAt };
  const { latestRevisionId: id } = deployment;
  return await identifyRevision(job, request, { revision: id === undefined ? undefined : { id } });
}

async function updateDeployment(
  job: DeployJob,
  { id: deploymentId }: Deployment,
  { sourceConfig, revision }: DividedUpdate,
): Promise<RunRevision> {
  const { controlPlane, clock, plan } = job;
  const tarballPath = await sendArchive(job, deploymentId);
  const content = { ...plan.content, tarballPath };
  const body =
    tarballPath === undefined
      ? revision.body
      : { ...revision.body, source_revision_config: revisionConfig(content) };
  if (sourceConfig !== undefined) await changeSourceConfig(job, deploymentId, sourceConfig);
  const before = await readHistory(job, deploymentId);
  job.report.set({ previousRevisionId: before.liveId });
  const request = { deploymentId, before, content, sentAt: clock.now() };
  return await sendAndIdentify(job, request, text`update of ${code(deploymentId)}`, () =>
    controlPlane.updateDeployment(deploymentId, { ...revision, body }),
  );
}

/** Uploads the archive, if there is one, and returns the platform's name for it. */
async function sendArchive(job: DeployJob, deploymentId: string): Promise<string | undefined> {
  const { upload, settings, controlPlane, options } = job;
  const { createUploadAddress } = settings.platform;
  if (upload === undefined) return undefined;
  // The inputs are rejected on a platform without uploads.
  if (createUploadAddress === undefined) throw new Error("This platform takes no uploads.");
  const limits = { idleTimeoutMs: settings.requestTimeoutMs, allowHttp: options.checks.allowHttp };
  return await uploadArchive(upload, () => createUploadAddress(controlPlane.api, deploymentId), limits, job);
}

/** Sends the fields of `source_config` that make no revision. */
async function changeSourceConfig(job: DeployJob, deploymentId: string, update: UpdatePart): Promise<void> {
  const { controlPlane, report } = job;
  const names = Object.keys(update.body.source_config ?? {});
  const fields = listOf(names.map((name) => code(name)));
  const write = {
    kind: "settings",
    title: text`change of ${fields} of deployment ${code(deploymentId)}`,
  } as const;
  await sendOnce(job, write, () => controlPlane.updateDeployment(deploymentId, update));
  report.info(text`Changed ${fields} of deployment ${code(deploymentId)}.`);
}
