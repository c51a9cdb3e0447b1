import { type Failure, toResult } from "../../errors.ts";
import type { NamedRevision } from "../../platform/control-plane.ts";
import type { DeploymentId } from "../../platform/ids.ts";
import type { UpdateRequest } from "../../platform/platform.ts";
import type { Revision } from "../../platform/revision.ts";
import { uploadArchive } from "../../source/upload.ts";
import type { OwnRevision, RevisionOrigin } from "../../state/own-revision.ts";
import { code, listOf, phrase, text } from "../../text/message.ts";
import { LostWriteError, sendWrite } from "../../writes.ts";
import type { DeployContext } from "../deploy-context.ts";
import { acceptDeployment } from "../find/resolve-target.ts";
import { readSnapshot } from "../snapshot.ts";
import { identifyRevision, pollForCandidates } from "./identify-revision.ts";
import { prepareUpdate } from "./prepare-update.ts";

/** Uploads the archive, if there is one, and sends the update. Returns the revision that it made. */
export async function makeByUpdate(context: DeployContext, deploymentId: DeploymentId): Promise<OwnRevision> {
  const { controlPlane, clock } = context;
  const tarballPath = await uploadIfGiven(context, deploymentId);
  const before = await readSnapshot(context, deploymentId);
  // It may have changed since it was looked up.
  acceptDeployment(context, before.deployment);
  const { config, revision, content } = prepareUpdate(context, before.deployment, tarballPath);
  if (config !== undefined) await changeConfig(context, deploymentId, config);
  context.report.set({ previousRevisionId: before.liveId });
  const title = phrase`update of ${code(deploymentId)}`;
  const send = () => controlPlane.updateDeployment(deploymentId, revision);
  const sent = await toResult(() => sendWrite(context, { kind: "revision", title }, send));
  const origin = { deploymentId, before, content, waitStartedAt: clock.now() };
  const named = sent.error === undefined ? sent.value : await findLostUpload(context, origin, sent.error);
  return await identifyRevision(context, origin, named);
}

/** Uploads the archive, if there is one, and returns the platform's name for it. */
async function uploadIfGiven(
  context: DeployContext,
  deploymentId: DeploymentId,
): Promise<string | undefined> {
  const { archive, plan, settings, controlPlane, options } = context;
  const { upload } = plan.desired;
  if (archive === undefined || upload === undefined) return undefined;
  const createAddress = () => upload.createAddress(controlPlane.api, deploymentId);
  const limits = { idleTimeoutMs: settings.requestTimeoutMs, allowHttp: options.agent.allowHttp };
  return await uploadArchive(archive, createAddress, limits, context);
}

/** Sends the fields of `source_config` that make no revision. */
async function changeConfig(
  context: DeployContext,
  deploymentId: DeploymentId,
  request: UpdateRequest,
): Promise<void> {
  const { controlPlane, report } = context;
  const names = Object.keys(request.body.source_config ?? {});
  const fields = listOf(names.map((name) => code(name)));
  const title = phrase`change of ${fields} of deployment ${code(deploymentId)}`;
  await sendWrite(context, { kind: "other", title }, () =>
    controlPlane.updateDeployment(deploymentId, request),
  );
  report.info(text`Changed ${fields} of deployment ${code(deploymentId)}.`);
}

/**
 * Returns the revision of an upload whose response was lost. The unique path of its archive identifies it.
 *
 * @throws the failure of any other write
 */
async function findLostUpload(
  context: DeployContext,
  origin: RevisionOrigin,
  failure: Failure,
): Promise<NamedRevision> {
  const { tarballPath } = origin.content;
  if (!(failure instanceof LostWriteError) || tarballPath === undefined) throw failure;
  const isUpload = ({ content }: Revision) => content?.tarballPath === tarballPath;
  context.report.warning(text`${failure.ending.message} Checking whether it did.`);
  const [{ id }] = await pollForCandidates(context, origin, { accepts: isUpload, onNone: () => failure });
  return { id, isCertain: true };
}
