import type { Deployment } from "../../platform/deployment.ts";
import type { DividedUpdate, UpdatePart } from "../../platform/platform.ts";
import { uploadArchive } from "../../source/upload.ts";
import { code, listOf, text } from "../../text/message.ts";
import { sendOnce } from "../../writes.ts";
import { readHistory } from "../find/history.ts";
import type { DeployJob } from "../job.ts";
import { revisionConfig } from "../plan/requests.ts";
import type { RunRevision } from "./run-revision.ts";
import { sendAndIdentify } from "./send-and-identify.ts";

/** Uploads the archive, if there is one, and sends the update. Returns the revision that it made. */
export async function updateDeployment(
  job: DeployJob,
  { id: deploymentId }: Deployment,
  { settingsPart, revisionPart }: DividedUpdate,
): Promise<RunRevision> {
  const { controlPlane, clock, plan } = job;
  const tarballPath = await sendArchive(job, deploymentId);
  const content = { ...plan.content, tarballPath };
  const body =
    tarballPath === undefined
      ? revisionPart.body
      : { ...revisionPart.body, source_revision_config: revisionConfig(content) };
  if (settingsPart !== undefined) await changeSettings(job, deploymentId, settingsPart);
  const before = await readHistory(job, deploymentId);
  job.report.set({ previousRevisionId: before.liveId });
  const request = { deploymentId, before, content, startedAt: clock.now() };
  return await sendAndIdentify(job, request, text`update of ${code(deploymentId)}`, () =>
    controlPlane.updateDeployment(deploymentId, { ...revisionPart, body }),
  );
}

/** Uploads the archive, if there is one, and returns the platform's name for it. */
async function sendArchive(job: DeployJob, deploymentId: string): Promise<string | undefined> {
  const { upload, settings, controlPlane, options } = job;
  const { createUploadAddress } = settings.platform;
  // On a platform without uploads, the input was rejected.
  if (upload === undefined || createUploadAddress === undefined) return undefined;
  const createAddress = () => createUploadAddress(controlPlane.api, deploymentId);
  const limits = { idleTimeoutMs: settings.requestTimeoutMs, allowHttp: options.checks.allowHttp };
  return await uploadArchive(upload, createAddress, limits, job);
}

/** Sends the fields of `source_config` that make no revision. */
async function changeSettings(job: DeployJob, deploymentId: string, update: UpdatePart): Promise<void> {
  const { controlPlane, report } = job;
  const names = Object.keys(update.body.source_config ?? {});
  const fields = listOf(names.map((name) => code(name)));
  const title = text`change of ${fields} of deployment ${code(deploymentId)}`;
  await sendOnce(job, { kind: "settings", title }, () => controlPlane.updateDeployment(deploymentId, update));
  report.info(text`Changed ${fields} of deployment ${code(deploymentId)}.`);
}
